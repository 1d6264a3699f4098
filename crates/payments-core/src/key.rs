//! The merchant key.

use std::fmt;

/// A merchant key, as it is typed in. It travels in the `Authorization` header and nowhere else, and
/// is never written out.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// What was typed, without white space around it; `None` where a header can't carry it (RFC 6750,
    /// section 2.1).
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let text = text.trim();
        let fits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        fits.then(|| Self(text.to_owned()))
    }

    /// The key itself: for the header, and for what the tab keeps.
    #[must_use]
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Key")
    }
}
