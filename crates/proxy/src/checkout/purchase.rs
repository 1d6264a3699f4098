//! Combines what a page sends with a signed order into a request to the service.

use std::time::Duration;

use serde::de::DeserializeOwned;
use tender_protocol::request::{OrderClaims, PAYER_CHOOSES};
use tender_protocol::{CreatePayment, OrderPayment, Record};
use unicode_normalization::is_nfc;

use crate::checkout::Error;
use crate::checkout::order::{self, OrderError};
use crate::config::OrderKey;

/// The maximum length of an invoice number in characters.
const MAX_INVOICE: usize = 128;

/// The payment to create.
pub(crate) struct Purchase {
    pub(crate) payment: CreatePayment,
    /// If the order is signed: when it expires, since 1970.
    pub(crate) signed: Option<Duration>,
}

impl Purchase {
    /// Reads the body of a create request: an [`OrderPayment`], or a [`CreatePayment`] if unsigned
    /// orders are allowed.
    pub(crate) fn read(
        json: &str,
        order_keys: &[OrderKey],
        allow_unsigned_orders: bool,
    ) -> Result<Self, Error> {
        let (mut payment, signed) = if parse::<Record>(json)?.get("order").is_some() {
            let page: OrderPayment = parse(json)?;
            let order = order::verify(&page.order, order_keys)?;
            (merge(order.claims, page)?, Some(order.payable_until))
        } else if allow_unsigned_orders {
            (parse(json)?, None)
        } else {
            return Err(Error::UnsignedOrder);
        };
        check(&payment, signed.is_some())?;
        for text in [&mut payment.purchase_email, &mut payment.purchase_name] {
            // An empty form field counts as missing.
            text.take_if(|text| text.trim().is_empty());
        }
        Ok(Self { payment, signed })
    }
}

/// Merges the claims of an order with what the page sent. The claims take precedence. The page
/// provides the buyer's token, buyer fields that the order does not have, and the amount only if
/// the order lets the payer choose it. Any other amount is refused, because page and shop disagree.
fn merge(claims: OrderClaims, page: OrderPayment) -> Result<CreatePayment, Error> {
    let payer_chooses = payer_chooses(claims.item_number.as_deref());
    let quantity = match (page.quantity, claims.quantity) {
        (Some(chosen), _) if payer_chooses => Some(chosen),
        (Some(other), Some(price)) if other != price => return Err(Error::OrderAmount),
        (_, price) => price,
    };
    let quantity = quantity.ok_or_else(|| refusal(!payer_chooses, "`quantity` is missing"))?;
    Ok(CreatePayment {
        token: claims.token,
        quantity,
        payment_token: page.payment_token,
        invoice_number: claims.invoice_number,
        purchase_email: claims.purchase_email.or(page.purchase_email),
        purchase_name: claims.purchase_name.or(page.purchase_name),
        item_number: claims.item_number,
    })
}

fn check(payment: &CreatePayment, signed: bool) -> Result<(), Error> {
    if payment.quantity.is_zero() {
        let by_shop = signed && !payer_chooses(payment.item_number.as_deref());
        return Err(refusal(by_shop, "`quantity` must be more than zero"));
    }
    if let Some(reason) = unusable_invoice(&payment.invoice_number) {
        return Err(refusal(signed, reason));
    }
    for (field, code) in [
        ("token", &payment.token),
        ("paymentToken", &payment.payment_token),
    ] {
        if !code.is_accepted() {
            return Err(Error::TokenNotAccepted(field));
        }
    }
    Ok(())
}

/// Why an invoice number can't be used. It identifies the payment in the service's list, so it must
/// come back as it was sent.
fn unusable_invoice(number: &str) -> Option<&'static str> {
    if number.trim().is_empty() {
        Some("`invoiceNumber` is empty")
    } else if number.chars().count() > MAX_INVOICE {
        Some("`invoiceNumber` is longer than 128 characters")
    } else if number.contains(char::is_control) {
        Some("`invoiceNumber` contains control characters")
    } else if !is_nfc(number) {
        Some("`invoiceNumber` is not in Unicode's normal form NFC")
    } else {
        None
    }
}

fn payer_chooses(item_number: Option<&str>) -> bool {
    item_number == Some(PAYER_CHOOSES)
}

fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| Error::InvalidRequest(error.to_string()))
}

/// Attributes an error to the shop's order or to the page's request.
fn refusal(by_shop: bool, reason: &'static str) -> Error {
    if by_shop {
        OrderError::Claims(reason.to_owned()).into()
    } else {
        Error::InvalidRequest(reason.to_owned())
    }
}
