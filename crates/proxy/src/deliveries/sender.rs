//! Sends a signed message (Standard Webhooks, "Webhook headers").

use std::time::Duration;

use axum::http::{HeaderName, HeaderValue, Method};
use reqwest::header::{CONTENT_TYPE, RETRY_AFTER};
use reqwest::{Request, Response, StatusCode, Url};
use standardwebhooks::Webhook;
use tender_protocol::sanitize;

use crate::clock::since_1970;
use crate::config::Secret;
use crate::transport::{Failure, Transport};

const ID: HeaderName = HeaderName::from_static("webhook-id");
const TIMESTAMP: HeaderName = HeaderName::from_static("webhook-timestamp");
const SIGNATURE: HeaderName = HeaderName::from_static("webhook-signature");

/// How much of a response is read, so that its connection can be used again.
const MAX_RESPONSE: usize = 16 << 10;

/// How many characters of a response are kept: it says why the receiver refused the message.
const MAX_KEPT: usize = 200;

/// What a receiver answered.
#[derive(Clone, Debug)]
pub(crate) struct Reply {
    pub(crate) status: StatusCode,
    /// How long the receiver asks to wait.
    pub(super) retry_after: Option<Duration>,
    /// The beginning of its text, in one line.
    pub(super) text: String,
}

/// Sends a message once, with a signature of each secret. Its id and its body are the same in each try.
///
/// # Errors
/// Why there was no response. It does not show the URL, which may contain a secret.
pub(crate) async fn send(
    transport: &Transport,
    url: Url,
    id: &str,
    body: String,
    secrets: &[Secret],
) -> Result<Reply, Failure> {
    let mut response = transport.send(signed(url, id, body, secrets)).await?;
    let mut body = Vec::new();
    while body.len() <= MAX_RESPONSE
        && let Ok(Some(chunk)) = response.chunk().await
    {
        body.extend_from_slice(&chunk);
    }
    Ok(Reply {
        status: response.status(),
        retry_after: retry_after(&response),
        text: beginning(&body),
    })
}

impl Reply {
    /// The status, and the reason if the receiver gave one.
    pub(crate) fn answer(&self) -> String {
        let Self { status, text, .. } = self;
        if text.is_empty() || status.is_success() {
            status.to_string()
        } else {
            format!("{status}: {text}")
        }
    }
}

fn signed(url: Url, id: &str, body: String, secrets: &[Secret]) -> Request {
    // On the clock of this machine, different in each try. Receivers refuse old messages.
    let now = since_1970().as_secs();
    let seconds = i64::try_from(now).unwrap_or(i64::MAX);
    // This fails only for a body that is not UTF-8, or a secret that the settings refuse.
    let sign = |secret: &Secret| {
        let webhook = Webhook::new(secret.as_str()).ok()?;
        webhook.sign(id, seconds, body.as_bytes()).ok()
    };
    let signatures: Vec<_> = secrets.iter().filter_map(sign).collect();
    let mut request = Request::new(Method::POST, url);
    let texts = [(ID, id.to_owned()), (SIGNATURE, signatures.join(" "))];
    let texts = texts.into_iter().filter_map(|(name, text)| {
        let value = HeaderValue::try_from(text).ok()?;
        Some((name, value))
    });
    let others = [
        (CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (TIMESTAMP, now.into()),
    ];
    *request.headers_mut() = texts.chain(others).collect();
    *request.body_mut() = Some(body.into());
    request
}

/// In seconds. The other form, a date, depends on the receiver's clock and is ignored.
fn retry_after(response: &Response) -> Option<Duration> {
    let value = response.headers().get(RETRY_AFTER)?.to_str().ok()?;
    value.trim().parse().ok().map(Duration::from_secs)
}

/// The beginning of a text in one line, without characters that mislead a reader.
fn beginning(body: &[u8]) -> String {
    let text = String::from_utf8_lossy(body);
    let words: Vec<_> = text.split_whitespace().collect();
    let line: String = words.join(" ").chars().take(MAX_KEPT).collect();
    sanitize(&line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_has_the_status_and_the_beginning_of_the_reason() {
        let long = "x".repeat(1000);
        for (status, body, answer) in [
            (204, &b""[..], "204 No Content".to_owned()),
            (200, b"thank you", "200 OK".to_owned()),
            (401, b"", "401 Unauthorized".to_owned()),
            (
                401,
                b"the signature\r\n  does not match\n",
                "401 Unauthorized: the signature does not match".to_owned(),
            ),
            (
                500,
                long.as_bytes(),
                format!("500 Internal Server Error: {}", &long[..200]),
            ),
            (
                400,
                b"a\0b\xff",
                "400 Bad Request: a\\u{0}b\u{fffd}".to_owned(),
            ),
        ] {
            let reply = Reply {
                status: StatusCode::from_u16(status).unwrap(),
                retry_after: None,
                text: beginning(body),
            };
            assert_eq!(reply.answer(), answer);
        }
    }
}
