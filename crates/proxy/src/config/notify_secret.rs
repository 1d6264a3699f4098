//! The secret that signs notifications.

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// The prefix of symmetric secrets (Standard Webhooks, "Signature scheme").
const PREFIX: &str = "whsec_";

/// A secret of Standard Webhooks. Neither its `Debug` output nor an error shows it.
#[derive(Clone, PartialEq, Eq)]
pub struct NotifySecret(Vec<u8>);

impl NotifySecret {
    /// The key of the signatures.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }
}

/// Parses `whsec_` and 24 to 64 bytes in base64 (Standard Webhooks, "Signature scheme").
impl FromStr for NotifySecret {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, &'static str> {
        let encoded = text.strip_prefix(PREFIX);
        let bytes = encoded.and_then(|encoded| STANDARD.decode(encoded).ok());
        let bytes = bytes.filter(|bytes| (24..=64).contains(&bytes.len()));
        bytes.map(Self).ok_or(
            "write `whsec_` and 24 to 64 bytes in base64; `echo whsec_$(openssl rand -base64 32)` \
             generates a good one",
        )
    }
}

impl fmt::Debug for NotifySecret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("NotifySecret(..)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_has_a_prefix_and_24_to_64_bytes() {
        let secret = |bytes: usize| format!("whsec_{}", STANDARD.encode(vec![7; bytes]));
        for bytes in [24, 32, 64] {
            let parsed: NotifySecret = secret(bytes).parse().unwrap();
            assert_eq!(parsed.as_bytes(), vec![7; bytes]);
            assert_eq!(format!("{parsed:?}"), "NotifySecret(..)");
        }
        let plain = secret(32).replace("whsec_", "");
        for text in [
            "",
            "whsec_",
            "whsec_short",
            &secret(23),
            &secret(65),
            &plain,
        ] {
            assert!(text.parse::<NotifySecret>().is_err(), "{text}");
        }
    }
}
