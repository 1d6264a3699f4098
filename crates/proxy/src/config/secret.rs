//! Values that must not be shown.

use std::fmt;

use aws_lc_rs::{constant_time, digest};

/// An HS256 key needs at least 256 bits (RFC 7518, section 3.2). The same minimum applies to all
/// keys.
const SHORTEST_KEY: usize = 32;

/// A key or a credential. Neither its `Debug` output nor an error shows it.
#[derive(Clone)]
pub struct Secret(String);

impl Secret {
    /// Parses a key.
    pub(super) fn key(text: &str) -> Result<Self, &'static str> {
        if text.len() < SHORTEST_KEY {
            return Err(
                "it is shorter than 32 characters; `openssl rand -base64 32` generates a good one",
            );
        }
        Ok(Self::from(text))
    }

    /// The bytes of the secret, for signing or comparing.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }

    /// The secret itself.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether `offered` is this secret. It compares digests of equal length in constant time, so
    /// that the time reveals nothing.
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
