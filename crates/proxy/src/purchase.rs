//! From what a page sends to what the service is asked: who may say what.

use serde::de::DeserializeOwned;
use tender_protocol::request::{OrderClaims, PAYER_CHOOSES};
use tender_protocol::{CreatePayment, OrderPayment, Record};

use crate::error::Error;
use crate::order::{self, OrderError, OrderKey};

/// A payment to ask the service for.
pub(crate) struct Purchase {
    pub(crate) payment: CreatePayment,
    /// Whether a shop's signature fixes the price.
    pub(crate) signed: bool,
}

impl Purchase {
    /// Reads the body of a create request: an [`OrderPayment`], or a [`CreatePayment`] where
    /// unsigned orders are allowed.
    pub(crate) fn read(
        json: &str,
        order_keys: &[OrderKey],
        allow_unsigned_orders: bool,
    ) -> Result<Self, Error> {
        let signed = parse::<Record>(json)?.get("order").is_some();
        let mut payment = if signed {
            let page: OrderPayment = parse(json)?;
            merge(order::verify(&page.order, order_keys)?, page)?
        } else if allow_unsigned_orders {
            parse(json)?
        } else {
            return Err(Error::UnsignedOrder);
        };
        check(&payment).map_err(|reason| refuse(signed, reason))?;
        for (field, code) in [
            ("token", &payment.token),
            ("paymentToken", &payment.payment_token),
        ] {
            if !code.is_accepted() {
                return Err(Error::TokenNotAccepted(field));
            }
        }
        for text in [&mut payment.purchase_email, &mut payment.purchase_name] {
            // A form field that was left empty is no answer.
            text.take_if(|text| text.trim().is_empty());
        }
        Ok(Self { payment, signed })
    }
}

/// The order's claims win. The page adds the buyer's choice of a token, what the order does not
/// know of the buyer, and the amount only where the order lets the payer choose it.
fn merge(claims: OrderClaims, page: OrderPayment) -> Result<CreatePayment, Error> {
    let quantity = if claims.item_number.as_deref() == Some(PAYER_CHOOSES) {
        page.quantity.or(claims.quantity).ok_or_else(|| {
            Error::InvalidRequest("`quantity` is missing: the payer chooses it".to_owned())
        })?
    } else {
        (claims.quantity).ok_or_else(|| refuse(true, "`quantity` is missing"))?
    };
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

fn check(payment: &CreatePayment) -> Result<(), &'static str> {
    if payment.quantity.is_zero() {
        Err("`quantity` must be more than zero")
    } else if payment.invoice_number.trim().is_empty() {
        Err("`invoiceNumber` is empty")
    } else {
        Ok(())
    }
}

fn refuse(signed: bool, reason: &'static str) -> Error {
    if signed {
        OrderError::Claims(reason.to_owned()).into()
    } else {
        Error::InvalidRequest(reason.to_owned())
    }
}

fn parse<T: DeserializeOwned>(json: &str) -> Result<T, Error> {
    serde_json::from_str(json).map_err(|error| Error::InvalidRequest(error.to_string()))
}
