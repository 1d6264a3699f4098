//! The merchant key.

use std::fmt;

/// A merchant key. It is sent in the `Authorization` header and nowhere else, and `Debug` does not
/// print it.
#[derive(Clone, PartialEq, Eq)]
pub struct MerchantKey(String);

impl MerchantKey {
    /// Reads a key that was typed in, ignoring white space around it. Returns `None` if the text
    /// cannot be sent in an `Authorization: Bearer` header (RFC 6750, section 2.1).
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let is_valid = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_valid.then(|| Self(text.to_owned()))
    }

    /// The key as text: for the header, and for the tab's `sessionStorage`.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for MerchantKey {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("MerchantKey")
    }
}
