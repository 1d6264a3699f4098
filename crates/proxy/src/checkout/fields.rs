//! Limits of what is sent to the payment service.
//!
//! The service's document states no limits. What no shop needs is refused here, because the service
//! may fail on it. Lengths are in bytes of UTF-8, as most databases count them.

use tender_protocol::{Amount, CreatePayment};
use unicode_normalization::is_nfc;

/// The invoice number identifies the payment in the service's list.
const MAX_INVOICE: usize = 128;

/// RFC 5321, section 4.5.3.1.3, without the angle brackets.
const MAX_EMAIL: usize = 254;

const MAX_NAME: usize = 200;

const MAX_ITEM: usize = 128;

/// The decimals of common databases have at most 38 digits.
const MAX_DIGITS: usize = 38;

/// Why a field of the payment can't be used.
pub(super) fn unusable(payment: &CreatePayment) -> Option<String> {
    unusable_amount(&payment.quantity)
        .or_else(|| unusable_invoice(&payment.invoice_number))
        .or_else(|| unusable_text("itemNumber", payment.item_number.as_deref(), MAX_ITEM))
        .or_else(|| {
            let (email, name) = (&payment.purchase_email, &payment.purchase_name);
            unusable_buyer(email.as_deref(), name.as_deref())
        })
}

/// Why an e-mail address and a name of a buyer can't be used.
pub(super) fn unusable_buyer(email: Option<&str>, name: Option<&str>) -> Option<String> {
    unusable_text("purchaseEmail", email, MAX_EMAIL)
        .or_else(|| unusable_text("purchaseName", name, MAX_NAME))
}

/// Why an amount can't be used.
pub(super) fn unusable_amount(quantity: &Amount) -> Option<String> {
    let digits = quantity.to_string();
    let digits = digits.bytes().filter(u8::is_ascii_digit).count();
    (digits > MAX_DIGITS).then(|| format!("`quantity` has more than {MAX_DIGITS} digits"))
}

/// The number must come back as it was sent.
fn unusable_invoice(number: &str) -> Option<String> {
    if number.trim().is_empty() {
        Some("`invoiceNumber` is empty".to_owned())
    } else if !is_nfc(number) {
        Some("`invoiceNumber` is not in Unicode's normal form NFC".to_owned())
    } else {
        unusable_text("invoiceNumber", Some(number), MAX_INVOICE)
    }
}

fn unusable_text(field: &str, text: Option<&str>, max: usize) -> Option<String> {
    let text = text?;
    if text.len() > max {
        Some(format!("`{field}` is longer than {max} bytes"))
    } else if text.contains(char::is_control) {
        Some(format!("`{field}` contains control characters"))
    } else {
        None
    }
}
