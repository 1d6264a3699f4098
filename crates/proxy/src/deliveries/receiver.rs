//! The HTTP client for the shop's backend.

use std::time::Duration;

use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use super::message::Message;
use crate::config::Notifications;
use crate::service::causes;

/// How much of a response is read, so that its connection can be used again. The body has no meaning.
const MAX_RESPONSE: usize = 16 << 10;

/// Connects only to the configured URL, and follows no redirects.
pub(super) struct Receiver {
    client: Client,
    url: Url,
}

/// A response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reply {
    pub(super) status: StatusCode,
    /// How long the receiver asks to wait.
    pub(super) retry_after: Option<Duration>,
}

impl Receiver {
    pub(super) fn new(url: Url, config: &Notifications) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .redirect(Policy::none())
            .no_proxy()
            .timeout(config.timeout)
            .user_agent(concat!("tender-proxy/", env!("CARGO_PKG_VERSION")))
            .build()?;
        Ok(Self { client, url })
    }

    /// Sends a message.
    ///
    /// # Errors
    /// Why there was no response.
    pub(super) async fn post(&self, message: Message) -> Result<Reply, String> {
        let request = self
            .client
            .post(self.url.clone())
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", message.id)
            .header("webhook-timestamp", message.timestamp)
            .header("webhook-signature", message.signatures)
            .body(message.body);
        // The URL may contain a secret.
        let response = request.send().await;
        let mut response = response.map_err(|error| causes(&error.without_url()))?;
        let reply = Reply {
            status: response.status(),
            retry_after: retry_after(&response),
        };
        let mut read = 0;
        while let Ok(Some(chunk)) = response.chunk().await {
            read += chunk.len();
            if read > MAX_RESPONSE {
                break;
            }
        }
        Ok(reply)
    }
}

/// In seconds. The other form, a date, depends on the receiver's clock and is ignored.
fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}
