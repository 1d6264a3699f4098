//! Compares the service's records with the request of an attempt.
//!
//! The service documents that a record has the invoice number as sent, and the token codes in upper
//! case, possibly as tickers. In doubt, a record is neither taken for the attempt's payment nor for
//! another one.

use tender_protocol::request::PAYER_CHOOSES;
use tender_protocol::{CreatePayment, Payment, Record, Status, TokenCode};

use crate::identity::{fold, is_same_invoice, is_valid_id};
use crate::statuses::Statuses;
use crate::store::attempts::{CreatedPayment, StoredAttempt};
use crate::store::payments::Ending;

/// Whether a record of the list is the payment that an attempt asks for.
pub(super) enum Likeness {
    /// Certainly.
    Same(CreatedPayment),
    /// The same, except that the invoice number is written differently. It is the payment only if no
    /// other attempt's invoice number can be written like this.
    Similar(CreatedPayment),
    /// Possibly: the payment with this transactionId, if it can be read.
    Possible(Option<String>),
    /// Certainly not.
    Different,
}

/// Compares a record of the list.
pub(super) fn compare(stored: &StoredAttempt, record: &Record, statuses: &Statuses) -> Likeness {
    let request = &stored.request;
    let transaction_id = record.text("transactionId");
    if statuses.ending(record) == Some(Ending::Closed) {
        return Likeness::Different;
    }
    let Some(invoice) = record.text("invoiceNumber") else {
        let date = record.text("createdAt");
        return if date.is_some_and(|date| stored.is_dated_earlier(&date)) {
            Likeness::Different
        } else {
            Likeness::Possible(transaction_id)
        };
    };
    if !is_same_invoice(&request.invoice_number, &invoice) {
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
            if payment.status == Status::Created
                && is_exactly_asked(request, &payment)
                && contradiction_of_created(request, &payment).is_none() =>
        {
            let is_exact = invoice == request.invoice_number;
            let is_other_buyer = names_another_buyer(request, &payment);
            let created = CreatedPayment {
                transaction_id: payment.transaction_id,
                record: record.clone(),
            };
            if is_exact {
                Likeness::Same(created)
            } else if is_other_buyer {
                Likeness::Possible(transaction_id)
            } else {
                Likeness::Similar(created)
            }
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
    } else if !payer_chooses && !request.quantity.may_be_listed_as(&payment.quantity) {
        Some("quantity")
    } else if !request.token.may_be_named(&payment.token) {
        Some("token")
    } else if !request.payment_token.may_be_named(&payment.payment_token) {
        Some("paymentToken")
    } else {
        None
    }
}

/// The field for which the answer to create must not be shown to the buyer, if there is one.
pub(super) fn contradiction_of_created(
    request: &CreatePayment,
    payment: &Payment,
) -> Option<&'static str> {
    let differs = |sent: &Option<String>, listed: &Option<String>| match (sent, listed) {
        (Some(sent), Some(listed)) => !is_same_invoice(sent, listed),
        _ => false,
    };
    let payer_chooses = request.item_number.as_deref() == Some(PAYER_CHOOSES);
    if let Some(field) = contradiction(request, payment) {
        Some(field)
    } else if !is_valid_id(&payment.transaction_id) {
        Some("transactionId")
    } else if !payer_chooses && payment.quantity_pay.is_zero() {
        Some("quantityPay")
    } else if differs(&request.purchase_email, &payment.purchase_email) {
        Some("purchaseEmail")
    } else if differs(&request.purchase_name, &payment.purchase_name) {
        Some("purchaseName")
    } else {
        None
    }
}

/// A ticker such as `USDT` is not the code `usdtt`: on the wrong network, the money would be lost.
fn is_exactly_asked(request: &CreatePayment, payment: &Payment) -> bool {
    TokenCode::from(payment.token.as_str()) == request.token
        && TokenCode::from(payment.payment_token.as_str()) == request.payment_token
        && request.quantity.may_be_listed_as(&payment.quantity)
}

fn is_same_buyer(request: &CreatePayment, payment: &Payment) -> bool {
    let folded = |text: &Option<String>| text.as_deref().map(fold);
    folded(&request.purchase_email) == folded(&payment.purchase_email)
        && folded(&request.purchase_name) == folded(&payment.purchase_name)
}

/// Whether both name a buyer, but not the same one.
fn names_another_buyer(request: &CreatePayment, payment: &Payment) -> bool {
    let differs = |sent: &Option<String>, listed: &Option<String>| {
        let both = sent.as_deref().zip(listed.as_deref());
        both.is_some_and(|(sent, listed)| fold(sent) != fold(listed))
    };
    differs(&request.purchase_email, &payment.purchase_email)
        || differs(&request.purchase_name, &payment.purchase_name)
}
