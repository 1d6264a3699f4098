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
    listed_forms(sent).contains(&fold(listed))
}

/// The forms in which the service may list an invoice number, as [`fold`] writes them: whole, or cut.
pub fn listed_forms(text: &str) -> Vec<String> {
    let folded = fold(text);
    let ends = folded.char_indices().map(|(at, _)| at).skip(MIN_CUT);
    let cut = ends.filter_map(|end| folded.get(..end)).map(str::to_owned);
    cut.chain([folded.clone()]).collect()
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

    #[test]
    fn the_forms_of_an_invoice_number_are_those_that_may_be_it() {
        let (sent, other) = ("Order 2026-11-22-00\u{e9}1", "order2026-11-22-00\u{e9}2");
        let forms = listed_forms(sent);
        for end in 0..=sent.len() {
            for listed in [sent.get(..end), other.get(..end)].into_iter().flatten() {
                let (whole, listed) = (fold(sent), fold(listed));
                let is_cut = listed.chars().count() >= MIN_CUT && whole.starts_with(&listed);
                assert_eq!(
                    forms.contains(&listed),
                    listed == whole || is_cut,
                    "{listed}"
                );
            }
        }
        assert_eq!(listed_forms(" INV-1"), ["inv-1"]);
    }
}
