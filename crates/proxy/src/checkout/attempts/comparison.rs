//! Compares the service's records with the request of an attempt.
//!
//! The service documents that a record has the invoice number as sent, and the token codes in upper
//! case, possibly as tickers. In doubt, a record is neither taken for the attempt's payment nor for
//! another one.

use tender_protocol::request::PAYER_CHOOSES;
use tender_protocol::{ACCEPTED, Amount, CreatePayment, Payment, Record, Status, TokenCode};
use unicode_normalization::UnicodeNormalization as _;

use crate::statuses::{Statuses, text};
use crate::store::attempts::{CreatedPayment, StoredAttempt};
use crate::store::payments::Ending;

/// How many decimal places of an amount the service shows.
const PLACES: u8 = 8;

/// The shortest part of an invoice number that may be a cut one.
const MIN_CUT: usize = 16;

/// Whether a record of the list is the payment that an attempt asks for.
pub(super) enum Likeness {
    /// Certainly.
    Same(CreatedPayment),
    /// Possibly: the payment with this transactionId.
    Possible(String),
    /// Certainly not.
    Different,
}

/// Compares a record of the list.
pub(super) fn compare(stored: &StoredAttempt, record: &Record, statuses: &Statuses) -> Likeness {
    let request = &stored.request;
    let is_invoice = text(record, "invoiceNumber")
        .is_some_and(|listed| is_same_invoice(&request.invoice_number, &listed));
    let Some(transaction_id) = text(record, "transactionId").filter(|id| !id.is_empty()) else {
        return Likeness::Different;
    };
    if !is_invoice || statuses.ending(record) == Some(Ending::Closed) {
        return Likeness::Different;
    }
    let payment = Payment::try_from(record).ok();
    // Without a signed order, several buyers may use the same invoice number.
    if !stored.signed
        && payment.as_ref().is_some_and(|payment| {
            contradiction(request, payment).is_some() || !is_same_buyer(request, payment)
        })
    {
        return Likeness::Different;
    }
    match payment {
        Some(payment)
            if payment.status == Status::Created && is_exactly_asked(request, &payment) =>
        {
            Likeness::Same(CreatedPayment {
                transaction_id: payment.transaction_id,
                record: record.clone(),
            })
        }
        _ => Likeness::Possible(transaction_id),
    }
}

/// The field of a payment that can't be the answer to this request, if there is one.
pub(super) fn contradiction(request: &CreatePayment, payment: &Payment) -> Option<&'static str> {
    let invoice = payment.invoice_number.as_deref();
    let payer_chooses = request.item_number.as_deref() == Some(PAYER_CHOOSES);
    if invoice.is_some_and(|listed| !is_same_invoice(&request.invoice_number, listed)) {
        Some("invoiceNumber")
    } else if !payer_chooses && !is_same_amount(&request.quantity, &payment.quantity) {
        Some("quantity")
    } else if !may_name(&request.token, &payment.token) {
        Some("token")
    } else if !may_name(&request.payment_token, &payment.payment_token) {
        Some("paymentToken")
    } else {
        None
    }
}

/// A ticker such as `USDT` is not the code `usdtt`: on the wrong network, the money would be lost.
fn is_exactly_asked(request: &CreatePayment, payment: &Payment) -> bool {
    TokenCode::from(payment.token.as_str()) == request.token
        && TokenCode::from(payment.payment_token.as_str()) == request.payment_token
        && is_same_amount(&request.quantity, &payment.quantity)
}

fn is_same_buyer(request: &CreatePayment, payment: &Payment) -> bool {
    let folded = |text: &Option<String>| text.as_deref().map(fold);
    folded(&request.purchase_email) == folded(&payment.purchase_email)
        && folded(&request.purchase_name) == folded(&payment.purchase_name)
}

/// Whether the service's name of a token may be this code: it is the code or a ticker that is not
/// part of another code only.
fn may_name(code: &TokenCode, name: &str) -> bool {
    let name = TokenCode::from(name);
    let is_ticker_of = |code: &TokenCode| code.as_str().starts_with(name.as_str());
    if name.is_accepted() {
        return name == *code;
    }
    is_ticker_of(code) || !ACCEPTED.iter().any(|(other, _)| is_ticker_of(other))
}

/// Whether a listed invoice number may be this one: trimmed, normalised, in another case or cut.
fn is_same_invoice(sent: &str, listed: &str) -> bool {
    let (sent, listed) = (fold(sent), fold(listed));
    sent == listed || (listed.chars().count() >= MIN_CUT && sent.starts_with(&listed))
}

/// In Unicode's normal form NFKC, without white space and in lower case.
fn fold(text: &str) -> String {
    let visible = text.nfkc().filter(|character| !character.is_whitespace());
    visible.flat_map(char::to_lowercase).collect()
}

/// Whether two amounts are equal, or the listed one is rounded in either direction.
fn is_same_amount(sent: &Amount, listed: &Amount) -> bool {
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
