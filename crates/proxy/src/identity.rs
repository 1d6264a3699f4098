//! What identifies a payment: when two of the service's values may be the same, although it does not
//! document their form.
//!
//! The service documents that a record has the invoice number as sent, and the token codes in upper
//! case, possibly as tickers.

mod listed;

use tender_protocol::{ACCEPTED, Amount, TokenCode};
use unicode_normalization::UnicodeNormalization as _;

pub(crate) use self::listed::latest;

/// How many decimal places of an amount the service shows.
const PLACES: u8 = 8;

/// The shortest part of an invoice number that may be a cut one.
const MIN_CUT: usize = 16;

/// The longest transactionId, in bytes. The document says that it is a UUID, which has 36.
pub(crate) const MAX_ID_LENGTH: usize = 256;

/// Whether a transactionId is short and has no control characters, so that it can be stored, compared
/// and logged.
pub(crate) fn is_valid_id(id: &str) -> bool {
    (1..=MAX_ID_LENGTH).contains(&id.len()) && !id.contains(char::is_control)
}

/// Whether the service's name of a token may be this code: it is the code or a ticker that is not
/// part of another code only.
pub(crate) fn may_name(code: &TokenCode, name: &str) -> bool {
    let name = TokenCode::from(name);
    let is_ticker_of = |code: &TokenCode| code.as_str().starts_with(name.as_str());
    if name.is_accepted() {
        return name == *code;
    }
    is_ticker_of(code) || !ACCEPTED.iter().any(|(other, _)| is_ticker_of(other))
}

/// Whether a listed invoice number or name may be this one: trimmed, normalised, in another case or cut.
pub(crate) fn is_same_invoice(sent: &str, listed: &str) -> bool {
    let (sent, listed) = (fold(sent), fold(listed));
    sent == listed || (listed.chars().count() >= MIN_CUT && sent.starts_with(&listed))
}

/// In Unicode's normal form NFKC, without white space and in lower case.
pub(crate) fn fold(text: &str) -> String {
    let visible = text.nfkc().filter(|character| !character.is_whitespace());
    visible.flat_map(char::to_lowercase).collect()
}

/// Whether two amounts are equal, or the listed one is rounded in either direction.
pub(crate) fn is_same_amount(sent: &Amount, listed: &Amount) -> bool {
    if sent == listed {
        return true;
    }
    let (up, is_rounded) = sent.round_up(PLACES);
    let fraction = sent.fraction().get(..usize::from(PLACES));
    let down = fraction.and_then(|fraction| format!("{}.{fraction}", sent.integer()).parse().ok());
    is_rounded && (up == *listed || down.as_ref() == Some(listed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_amount_may_be_rounded_to_eight_places() {
        let same = |sent: &str, listed: &str| {
            is_same_amount(&sent.parse().unwrap(), &listed.parse().unwrap())
        };
        assert!(same("1.5", "1.50"));
        assert!(same("0.123456785", "0.12345678") && same("0.123456785", "0.12345679"));
        assert!(!same("0.123456785", "0.1234568") && !same("0.12345678", "0.12345679"));
    }

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
    fn a_token_may_be_named_by_its_ticker() {
        for (code, name) in [("usdtt", "USDTT"), ("usdtt", "USDT"), ("trx", "Tron")] {
            assert!(may_name(&TokenCode::from(code), name), "{code} {name}");
        }
        for (code, name) in [("usdtt", "USDTE"), ("trx", "USDT"), ("btc", "BNB")] {
            assert!(!may_name(&TokenCode::from(code), name), "{code} {name}");
        }
    }
}
