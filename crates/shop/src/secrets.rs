//! The secrets that the shop shares with its proxy.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use axum::http::HeaderValue;
use standardwebhooks::{Webhook, WebhookError};

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

impl FromStr for NotifySecret {
    type Err = WebhookError;

    fn from_str(text: &str) -> Result<Self, WebhookError> {
        Ok(Self(Arc::new(Webhook::new(text)?)))
    }
}

impl fmt::Debug for NotifySecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("NotifySecret")
    }
}
