//! The order from the attributes.

use tender_protocol::request::{OrderClaims, payer_chooses};
use tender_protocol::{Amount, TokenCode};

use super::ConfigError;
use crate::order::Order;

/// The attributes of an [`Order::Plain`].
const PLAIN_ATTRIBUTES: [&str; 4] = ["token", "quantity", "invoice-number", "item-number"];

pub(super) fn read(filled: &dyn Fn(&'static str) -> Option<String>) -> Result<Order, ConfigError> {
    let is_filled = |name: &&'static str| filled(name).is_some();
    let order = match (
        filled("order"),
        PLAIN_ATTRIBUTES.into_iter().find(is_filled),
    ) {
        (Some(_), Some(name)) => return Err(ConfigError::Contradiction(name)),
        (Some(jwt), None) => Order::signed(&jwt)?,
        (None, Some(_)) => plain(filled, invoice_number(filled))?,
        (None, None) => {
            return Err(ConfigError::Missing(
                "order",
                "a signed order (or `token`, `quantity` and `invoice-number`)",
            ));
        }
    };
    payable(order)
}

/// An order that is only displayed: the plain attributes without an invoice.
pub(super) fn displayed(
    filled: &dyn Fn(&'static str) -> Option<String>,
) -> Result<Order, ConfigError> {
    payable(plain(filled, Ok(String::new()))?)
}

fn invoice_number(filled: &dyn Fn(&'static str) -> Option<String>) -> Result<String, ConfigError> {
    filled("invoice-number").ok_or(ConfigError::Missing(
        "invoice-number",
        "the shop's identifier of this invoice",
    ))
}

/// Reports the first attribute that is missing or invalid, in the order of the documentation.
fn plain(
    filled: &dyn Fn(&'static str) -> Option<String>,
    invoice_number: Result<String, ConfigError>,
) -> Result<Order, ConfigError> {
    let token = filled("token").ok_or(ConfigError::Missing(
        "token",
        "the code of the token that `quantity` is in",
    ))?;
    let quantity: Option<Amount> = filled("quantity").map(|text| text.parse()).transpose()?;
    let invoice_number = invoice_number?;
    let item_number = filled("item-number");
    if quantity.is_none() && !payer_chooses(item_number.as_deref()) {
        return Err(ConfigError::Missing("quantity", "the price, in `token`"));
    }
    Ok(Order::Plain(OrderClaims {
        token: TokenCode::from(token),
        quantity,
        invoice_number,
        item_number,
        purchase_email: None,
        purchase_name: None,
    }))
}

/// Checks that apply to signed and unsigned orders.
fn payable(order: Order) -> Result<Order, ConfigError> {
    let claims = order.claims();
    if !claims.token.is_accepted() {
        return Err(ConfigError::NotAccepted(claims.token.to_string()));
    }
    if !order.payer_chooses() && claims.quantity.as_ref().is_some_and(Amount::is_zero) {
        return Err(ConfigError::NothingToPay);
    }
    Ok(order)
}
