//! Invoice numbers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;

/// An invoice number: letters, digits, `-`, `_` and `.`, up to 40 of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub(crate) struct Invoice(String);

impl Invoice {
    /// The number as text.
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Invoice {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if (1..=40).contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Self(text))
        } else {
            Err("an invoice number is made of 1 to 40 letters, digits, `-`, `_` and `.`")
        }
    }
}

/// Generates unique invoice numbers.
///
/// The counter starts at the current time in milliseconds, so numbers don't repeat after a restart.
pub(crate) struct Invoices(AtomicU64);

impl Invoices {
    /// Starts counting now.
    pub(crate) fn starting_now() -> Self {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        Self(AtomicU64::new(u64::try_from(now).unwrap_or_default()))
    }

    /// The next number.
    pub(crate) fn next(&self) -> Invoice {
        Invoice(format!("INV-{:X}", self.0.fetch_add(1, Ordering::Relaxed)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invoice_numbers_are_plain_text() {
        for text in ["INV-1042", "2026_11.3", &"a".repeat(40)] {
            assert_eq!(Invoice::try_from(text.to_owned()).unwrap().as_str(), text);
        }
        for text in ["", "INV 1", "INV/1", "<b>", "é", &"a".repeat(41)] {
            assert!(Invoice::try_from(text.to_owned()).is_err(), "{text}");
        }
    }
}
