//! Settings of the keys of buyers, the merchant and the webhook.

use clap::Args;

use super::Secret;

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
