//! The secrets that the shop shares with its proxy.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use axum::http::HeaderValue;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use standardwebhooks::Webhook;

/// The merchant key. `Debug` hides it.
#[derive(Clone)]
pub struct MerchantKey(pub(crate) HeaderValue);

/// Why a text is not a [`MerchantKey`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the merchant key is empty, or no header can carry it")]
pub struct MerchantKeyError;

impl FromStr for MerchantKey {
    type Err = MerchantKeyError;

    fn from_str(text: &str) -> Result<Self, MerchantKeyError> {
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let value = HeaderValue::try_from(format!("Bearer {text}")).ok();
        let mut value = value.filter(|_| fits).ok_or(MerchantKeyError)?;
        value.set_sensitive(true);
        Ok(Self(value))
    }
}

impl fmt::Debug for MerchantKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MerchantKey")
    }
}

/// The secret that signs notifications; the proxy's `notify_secret`. `Debug` hides it.
#[derive(Clone)]
pub struct NotifySecret(pub(crate) Arc<Webhook>);

/// Why a text is not a [`NotifySecret`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("write the proxy's `notify_secret`: `whsec_` and 24 to 64 bytes in base64")]
pub struct NotifySecretError;

/// Parses `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks, "Signature scheme"). The library would take any
/// secret, also an empty one, with which anyone could sign.
impl FromStr for NotifySecret {
    type Err = NotifySecretError;

    fn from_str(text: &str) -> Result<Self, NotifySecretError> {
        let encoded = text.strip_prefix("whsec_").ok_or(NotifySecretError)?;
        let bytes = STANDARD.decode(encoded).map_err(|_| NotifySecretError)?;
        if !(24..=64).contains(&bytes.len()) {
            return Err(NotifySecretError);
        }
        let webhook = Webhook::new(text).map_err(|_| NotifySecretError)?;
        Ok(Self(Arc::new(webhook)))
    }
}

impl fmt::Debug for NotifySecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("NotifySecret")
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
            let parsed: NotifySecret = secret.parse().unwrap();
            assert_eq!(format!("{parsed:?}"), "NotifySecret");
        }
    }
}
