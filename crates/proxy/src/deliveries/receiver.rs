//! The HTTP client for the shop's backend.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::redirect::Policy;
use reqwest::{Client, Response, StatusCode, Url};

use super::message::Message;
use crate::config::{Notifications, is_private};
use crate::service::causes;

/// How much of a response is read, so that its connection can be used again. The body has no meaning.
const MAX_RESPONSE: usize = 16 << 10;

/// Connects only to the addresses that the configuration allows, and follows no redirects.
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

/// The addresses that may be connected to. They are checked after the name was resolved, so that the
/// owner of the name can't lead the proxy into a private network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    Loopback,
    Public,
    All,
}

impl Receiver {
    pub(super) fn new(url: Url, config: &Notifications) -> Result<Self, reqwest::Error> {
        let allowed = match (url.scheme(), config.private_addresses) {
            ("http", _) => Allowed::Loopback,
            (_, false) => Allowed::Public,
            (_, true) => Allowed::All,
        };
        let client = Client::builder()
            .redirect(Policy::none())
            // A proxy of the environment would resolve the name itself.
            .no_proxy()
            .dns_resolver(Arc::new(allowed))
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

impl Allowed {
    fn contains(self, address: IpAddr) -> bool {
        match self {
            Self::Loopback => address.is_loopback(),
            Self::Public => !is_private(address),
            Self::All => true,
        }
    }

    /// The addresses of a name that may be connected to.
    async fn resolve(self, name: &str) -> io::Result<Vec<SocketAddr>> {
        let found = tokio::net::lookup_host((name, 0)).await?;
        let allowed: Vec<_> = found.filter(|found| self.contains(found.ip())).collect();
        if allowed.is_empty() {
            let reason = match self {
                Self::Loopback => "`notify_url` is http, but its name has no loopback address",
                Self::Public | Self::All => {
                    "the name in `notify_url` has only private addresses; set \
                     `notify_private_addresses` if that is intended"
                }
            };
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, reason));
        }
        Ok(allowed)
    }
}

/// Names only: for an IP address in the URL, the client does not ask. That is checked with the settings.
impl Resolve for Allowed {
    fn resolve(&self, name: Name) -> Resolving {
        let allowed = *self;
        Box::pin(async move {
            let addresses = allowed.resolve(name.as_str()).await?;
            Ok(Box::new(addresses.into_iter()) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_with_private_addresses_only_is_refused() {
        for allowed in [Allowed::Loopback, Allowed::All] {
            assert!(!allowed.resolve("localhost").await.unwrap().is_empty());
        }
        let refused = Allowed::Public.resolve("localhost").await.unwrap_err();
        assert!(
            refused.to_string().contains("`notify_private_addresses`"),
            "{refused}"
        );
        // As an address that the name has.
        let addresses = ["10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1"];
        for address in addresses.map(|address| address.parse().unwrap()) {
            assert!(!Allowed::Public.contains(address), "{address}");
            assert!(!Allowed::Loopback.contains(address), "{address}");
        }
        assert!(Allowed::Public.contains("1.1.1.1".parse().unwrap()));
    }
}
