//! The secrets that the shop shares with its proxy.

use std::str::FromStr;
use std::sync::Arc;

use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use standardwebhooks::Webhook;

/// The merchant key, as the value of a header.
#[derive(Clone)]
pub struct MerchantKey(pub(crate) HeaderValue);

impl FromStr for MerchantKey {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let value = HeaderValue::try_from(format!("Bearer {text}")).ok();
        let value = value.filter(|_| fits);
        let mut value = value.ok_or("the merchant key is empty, or no header can carry it")?;
        value.set_sensitive(true);
        Ok(Self(value))
    }
}

/// The secret that signs notifications; the proxy's `notify_secret`.
#[derive(Clone)]
pub struct NotifySecret(pub(crate) Arc<Webhook>);

/// Parses `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks, "Signature scheme"). The library would take any
/// secret, also an empty one, with which anyone could sign.
impl FromStr for NotifySecret {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let bytes = text.strip_prefix("whsec_");
        let bytes = bytes.and_then(|encoded| STANDARD.decode(encoded).ok());
        bytes
            .filter(|bytes| (24..=64).contains(&bytes.len()))
            .and_then(|_| Webhook::new(text).ok())
            .map(|webhook| Self(Arc::new(webhook)))
            .ok_or("write the proxy's `notify_secret`: `whsec_` and 24 to 64 bytes in base64")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_that_could_be_guessed_is_refused() {
        let encoded = |bytes: usize| "A".repeat(bytes / 3 * 4);
        for text in [
            "",
            "whsec_",
            "whsec_not base64",
            &encoded(24),
            &format!("whsec_{}", encoded(21)),
            &format!("whsec_{}", encoded(66)),
        ] {
            assert!(text.parse::<NotifySecret>().is_err(), "{text:?}");
        }
        for bytes in [24, 33, 63] {
            let secret = format!("whsec_{}", encoded(bytes));
            assert!(secret.parse::<NotifySecret>().is_ok(), "{bytes}");
        }
    }
}
