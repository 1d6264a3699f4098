//! The shop's prices, and signed orders (JWT, RFC 7519).

use std::fmt;
use std::ops::Add;

use jsonwebtoken::get_current_timestamp;
use serde::Serialize;
use tender_protocol::request::{OrderClaims, PAYER_CHOOSES};
use tender_protocol::{AmountError, TokenCode};

use crate::config::{OrderKey, Origin};
use crate::invoice::Invoice;
use crate::options::Options;

/// Price of the shop's only article.
pub const ARTICLE: Price = Price(4200);
/// Price of the shipping.
pub const SHIPPING: Price = Price(650);
/// The currency of every price, as the service names it: USDT on the TRC20 network.
pub const TOKEN: &str = "usdtt";
/// How long an order is valid.
const LIFETIME_SECONDS: u64 = 60 * 60;

/// A price in hundredths of a USDT. An integer avoids rounding errors of floats.
///
/// It prints as `48.50`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price(u32);

impl Add for Price {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl fmt::Display for Price {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{:02}", self.0 / 100, self.0 % 100)
    }
}

/// An order to sign.
#[derive(Clone, Debug)]
pub struct Order {
    /// The shop's invoice number.
    pub invoice: Invoice,
    /// The price; `None` if the payer chooses the amount.
    pub price: Option<Price>,
    /// The buyer's e-mail address, if known.
    pub email: Option<String>,
}

/// The buyer's e-mail address, which a real shop knows from an earlier step.
const EMAIL: &str = "buyer@example.com";

/// Why an order can't be signed.
#[derive(Debug, thiserror::Error)]
pub enum OrderError {
    /// The price is not a valid amount.
    #[error("the order's price can't be written: {0}")]
    Price(#[from] AmountError),
    /// Encoding the JWT failed.
    #[error("the order can't be signed: {0}")]
    Sign(#[from] jsonwebtoken::errors::Error),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Claims {
    #[serde(flatten)]
    order: OrderClaims,
    #[serde(skip_serializing_if = "Option::is_none")]
    return_url: Option<String>,
    exp: u64,
}

impl Order {
    /// The order of the checkout page with these options.
    #[must_use]
    pub fn new(options: &Options, invoice: Invoice) -> Self {
        Self {
            invoice,
            price: options.amount.is_none().then_some(ARTICLE + SHIPPING),
            email: options.ask.is_none().then(|| EMAIL.to_owned()),
        }
    }

    /// Signs the order as a JWT that is valid for one hour. `origin` is that of the shop, to whose order page the
    /// checkout links.
    ///
    /// # Errors
    /// [`OrderError`].
    pub fn sign(&self, key: &OrderKey, origin: Option<&Origin>) -> Result<String, OrderError> {
        let page = |origin| format!("{origin}/order/{}", self.invoice.as_str());
        let price = self.price.map(|price| price.to_string().parse());
        let claims = Claims {
            order: OrderClaims {
                token: TokenCode::from(TOKEN),
                quantity: price.transpose()?,
                invoice_number: self.invoice.as_str().to_owned(),
                item_number: self.price.is_none().then(|| PAYER_CHOOSES.to_owned()),
                purchase_email: self.email.clone(),
                purchase_name: None,
            },
            return_url: origin.map(page),
            exp: get_current_timestamp() + LIFETIME_SECONDS,
        };
        Ok(jsonwebtoken::encode(
            &key.header(),
            &claims,
            &key.encoding(),
        )?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prices_add_up_and_print_two_digits() {
        assert_eq!((Price(4200) + Price(650)).to_string(), "48.50");
        assert_eq!(Price(5).to_string(), "0.05");
        assert_eq!(Price(100).to_string(), "1.00");
    }
}
