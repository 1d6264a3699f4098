//! What identifies a payment: when two of the service's values may be the same, although it does not
//! document their form. `tender_protocol` compares amounts and token codes, for the widget, too.
//!
//! The service documents that a record has the invoice number as sent.

use unicode_normalization::UnicodeNormalization as _;

/// The shortest part of an invoice number that may be a cut one.
const MIN_CUT: usize = 16;

/// The longest transactionId, in bytes. The document says that it is a UUID, which has 36.
pub const MAX_ID_LENGTH: usize = 256;

/// Whether a transactionId is short and has no control characters, so that it can be stored, compared
/// and logged.
pub fn is_valid_id(id: &str) -> bool {
    (1..=MAX_ID_LENGTH).contains(&id.len()) && !id.contains(char::is_control)
}

/// Whether a listed invoice number or name may be this one: trimmed, normalised, in another case or cut.
pub(crate) fn is_same_invoice(sent: &str, listed: &str) -> bool {
    let (sent, listed) = (fold(sent), fold(listed));
    sent == listed || (listed.chars().count() >= MIN_CUT && sent.starts_with(&listed))
}

/// In Unicode's normal form NFKC, without white space and in lower case: equal invoice numbers and names are the same, in
/// whatever form they are listed.
pub fn fold(text: &str) -> String {
    let visible = text.nfkc().filter(|character| !character.is_whitespace());
    visible.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invoice_number_may_be_trimmed_cut_or_in_another_case() {
        assert!(is_same_invoice(" Inv 1 ", "INV 1"));
        assert!(is_same_invoice(
            "order-2026-11-22-000001",
            "ORDER-2026-11-22-00"
        ));
        assert!(is_same_invoice("Caf\u{e9} 1", "CAFE\u{301} 1"));
        assert!(!is_same_invoice("INV-10", "INV-1") && !is_same_invoice("INV-1", "INV-10"));
        assert!(!is_same_invoice("INV-1", ""));
    }
}
