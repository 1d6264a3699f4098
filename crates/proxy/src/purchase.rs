//! From what a page sends to what the service is asked: who may say what.

use std::time::Duration;

use tender_protocol::request::{OrderClaims, PAYER_CHOOSES};
use tender_protocol::{CreatePayment, OrderPayment, Record};

use crate::error::Error;
use crate::json::parse;
use crate::order::{self, OrderError, OrderKey};

/// A payment to ask the service for.
pub(crate) struct Purchase {
    pub(crate) payment: CreatePayment,
    /// Where a shop's signature fixes the price: until when it can be paid, since 1970.
    pub(crate) signed: Option<Duration>,
}

impl Purchase {
    /// Reads the body of a create request: an [`OrderPayment`], or a [`CreatePayment`] where
    /// unsigned orders are allowed.
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
            // A form field that was left empty is no answer.
            text.take_if(|text| text.trim().is_empty());
        }
        Ok(Self { payment, signed })
    }
}

/// The order's claims win. The page adds the buyer's choice of a token, what the order does not
/// know of the buyer, and the amount only where the order lets the payer choose it. Another amount
/// than the order's is refused: who sends one means something else than the shop.
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
    if payment.invoice_number.trim().is_empty() {
        return Err(refusal(signed, "`invoiceNumber` is empty"));
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

fn payer_chooses(item_number: Option<&str>) -> bool {
    item_number == Some(PAYER_CHOOSES)
}

/// What is wrong with the shop's order, or with the page's request.
fn refusal(by_shop: bool, reason: &'static str) -> Error {
    if by_shop {
        OrderError::Claims(reason.to_owned()).into()
    } else {
        Error::InvalidRequest(reason.to_owned())
    }
}
