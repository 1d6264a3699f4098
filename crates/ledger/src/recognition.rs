//! What a record of the service must show to be the payment of a request.
//!
//! The service documents that a record has the invoice number and the buyer as sent, and the token codes in upper case,
//! possibly as tickers. In doubt, a record is neither taken for the payment of a request nor for another one.

use tender_protocol::request::payer_chooses;
use tender_protocol::{CreatePayment, Payment, Record};

use crate::identity::{fold, is_same_invoice, is_valid_id};

/// Whether a record of the list is the payment of a request.
pub(crate) enum Likeness {
    /// It is, if no other record could be, and if its status is that of its creation: this payment.
    Exact(String),
    /// It could be.
    Possible,
    /// It is not, unless the service lists it with another invoice number than it was sent: all else is as requested.
    OtherInvoice,
    /// It is not.
    Different,
}

/// Compares a record with a request. Without a signed order, several buyers may use the same invoice number.
pub(crate) fn likeness(request: &CreatePayment, is_signed: bool, record: &Record) -> Likeness {
    let Some(invoice) = record.text("invoiceNumber") else {
        return Likeness::Possible;
    };
    let is_same = is_same_invoice(&request.invoice_number, &invoice);
    let payment = match Payment::try_from(record) {
        Ok(payment) => payment,
        Err(_) if is_same => return Likeness::Possible,
        Err(_) => return Likeness::Different,
    };
    let is_asked = different_terms(request, &payment).is_none() && is_same_buyer(request, &payment);
    if !is_same {
        if is_asked {
            Likeness::OtherInvoice
        } else {
            Likeness::Different
        }
    } else if is_asked
        && invoice == request.invoice_number
        && contradiction(request, &payment).is_none()
    {
        Likeness::Exact(payment.transaction_id)
    } else if is_asked || is_signed {
        Likeness::Possible
    } else {
        Likeness::Different
    }
}

/// The field for which the answer to a request must not be shown to the buyer, if there is one.
pub fn contradiction(request: &CreatePayment, payment: &Payment) -> Option<&'static str> {
    let differs = |sent: &Option<String>, listed: &Option<String>| match (sent, listed) {
        (Some(sent), Some(listed)) => !is_same_invoice(sent, listed),
        _ => false,
    };
    let invoice = payment.invoice_number.as_deref();
    if invoice.is_some_and(|listed| !is_same_invoice(&request.invoice_number, listed)) {
        Some("invoiceNumber")
    } else if let Some(field) = different_terms(request, payment) {
        Some(field)
    } else if !is_valid_id(&payment.transaction_id) {
        Some("transactionId")
    } else if !payer_chooses(request.item_number.as_deref()) && payment.quantity_pay.is_zero() {
        Some("quantityPay")
    } else if differs(&request.purchase_email, &payment.purchase_email) {
        Some("purchaseEmail")
    } else if differs(&request.purchase_name, &payment.purchase_name) {
        Some("purchaseName")
    } else {
        None
    }
}

/// The first of price and tokens that can't be those of the request.
fn different_terms(request: &CreatePayment, payment: &Payment) -> Option<&'static str> {
    if !payer_chooses(request.item_number.as_deref())
        && !request.quantity.may_be_listed_as(&payment.quantity)
    {
        Some("quantity")
    } else if !request.token.may_be_named(&payment.token) {
        Some("token")
    } else if !request.payment_token.may_be_named(&payment.payment_token) {
        Some("paymentToken")
    } else {
        None
    }
}

fn is_same_buyer(request: &CreatePayment, payment: &Payment) -> bool {
    let folded = |text: &Option<String>| text.as_deref().map(fold);
    folded(&request.purchase_email) == folded(&payment.purchase_email)
        && folded(&request.purchase_name) == folded(&payment.purchase_name)
}
