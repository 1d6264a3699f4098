//! Invoice numbers.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::Deserialize;

/// An invoice number: letters, digits, `-`, `_` and `.`, up to 40 of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Invoice(String);

/// Why a text is not an [`Invoice`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an invoice number is made of 1 to 40 letters, digits, `-`, `_` and `.`")]
pub struct InvoiceError;

impl Invoice {
    /// The number as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Invoice {
    type Error = InvoiceError;

    fn try_from(text: String) -> Result<Self, InvoiceError> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if (1..=40).contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Self(text))
        } else {
            Err(InvoiceError)
        }
    }
}

/// Generates unique invoice numbers.
///
/// The counter starts at the current time in milliseconds, so numbers don't repeat after a restart.
#[derive(Debug)]
pub struct Invoices(AtomicU64);

impl Invoices {
    /// Starts counting now.
    #[must_use]
    pub fn starting_now() -> Self {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        Self(AtomicU64::new(u64::try_from(now).unwrap_or_default()))
    }

    /// The next number.
    pub fn next(&self) -> Invoice {
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
            assert_eq!(Invoice::try_from(text.to_owned()), Err(InvoiceError));
        }
    }

    #[test]
    fn invoice_numbers_are_unique() {
        let invoices = Invoices::starting_now();
        assert_ne!(invoices.next(), invoices.next());
    }
}
