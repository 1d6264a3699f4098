//! The keys of buyers, the merchant and the webhook, and values that must not be shown.

use std::fmt;

use aws_lc_rs::{constant_time, digest};
use clap::Args;

use super::values::is_in_folder;

/// The keys of buyers, the merchant and the webhook.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Keys")]
pub struct Access {
    /// Secret that signs receipts: the first one signs, all verify. A random key, which the proxy
    /// stores in the database, verifies too, and signs if there is no other
    #[arg(long, id = "receipt_key", value_name = "SECRET", hide_env_values = true, value_parser = Secret::key)]
    pub receipt_keys: Vec<Secret>,

    /// Key that allows the merchant to list and cancel payments: visible ASCII without spaces
    #[arg(long, id = "merchant_key", value_name = "SECRET", hide_env_values = true, value_parser = merchant_key)]
    pub merchant_keys: Vec<Secret>,

    /// Last segment of the webhook's address, `/webhook/SECRET`: letters, digits, `-`, `.`, `_` and
    /// `~`. Without one there is no webhook
    #[arg(long, id = "webhook_secret", value_name = "SECRET", hide_env_values = true, value_parser = webhook_secret)]
    pub webhook_secrets: Vec<Secret>,
}

/// It is sent as a bearer token (RFC 6750, section 2.1).
fn merchant_key(text: &str) -> Result<Secret, &'static str> {
    if text.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Secret::key(text);
    }
    Err(
        "it is sent in a header, so it can only contain visible ASCII characters; \
         `openssl rand -base64 32` generates a good one",
    )
}

/// It is part of a URL.
fn webhook_secret(text: &str) -> Result<Secret, &'static str> {
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    if text.bytes().all(fits) {
        return Secret::key(text);
    }
    Err(
        "it is part of a URL, so it can only contain letters, digits, `-`, `.`, `_` and `~`; \
         `openssl rand -hex 32` generates a good one",
    )
}

/// An HS256 key needs at least 256 bits (RFC 7518, section 3.2). The same minimum applies to all
/// keys.
const SHORTEST_KEY: usize = 32;

/// A key or a credential. Neither its `Debug` output nor an error shows it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// A key that is long enough, and not the name of what contains it.
    pub(super) fn key(text: &str) -> Result<Self, &'static str> {
        if text.len() < SHORTEST_KEY {
            return Err(
                "it is shorter than 32 characters; `openssl rand -base64 32` generates a good one",
            );
        }
        if ["${", "$(", "{{"]
            .iter()
            .any(|begin| text.starts_with(begin))
        {
            return Err("it is a variable or a command that nothing has replaced by its value");
        }
        if is_in_folder(text) {
            return Err(
                "it is the path of a file; name the file in the setting that ends with `_file`",
            );
        }
        Ok(Self::from(text))
    }

    /// The bytes of the secret, for signing or comparing.
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The secret itself.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `offered` is this secret. It compares digests of equal length in constant time, so
    /// that the time reveals nothing.
    pub fn matches(&self, offered: &str) -> bool {
        let digest = |text: &str| digest::digest(&digest::SHA256, text.as_bytes());
        constant_time::verify_slices_are_equal(digest(&self.0).as_ref(), digest(offered).as_ref())
            .is_ok()
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(..)")
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}
