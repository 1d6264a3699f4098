//! Values that must not be seen.

use std::fmt;

use aws_lc_rs::{constant_time, digest};

/// A key or a credential. Neither its `Debug` form nor an error shows it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// The secret's bytes, to sign or to compare with.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The secret itself.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `offered` is this secret. The time it takes tells nothing about either: digests of
    /// equal length are compared, in constant time.
    #[must_use]
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
