//! The kinds of credentials.

/// A kind of credential. Wrong ones are limited separately for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Credential {
    Receipt,
    MerchantKey,
    WebhookSecret,
}
