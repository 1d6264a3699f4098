//! The shop's prices, and signed orders (JWT, RFC 7519).

use std::fmt;
use std::ops::Add;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use jsonwebtoken::get_current_timestamp;
use serde::{Deserialize, Serialize};
use tender_protocol::request::{OrderClaims, PAYER_CHOOSES};
use tender_protocol::{AmountError, TokenCode};

use crate::config::{OrderKey, Origin};
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

/// An invoice number: letters, digits, `-`, `_` and `.`, up to 40 of them.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Deserialize)]
#[serde(try_from = "String")]
pub struct Invoice(String);

/// Why a text is not an [`Invoice`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an invoice number is made of 1 to 40 letters, digits, `-`, `_` and `.`")]
pub struct InvoiceError;

impl Invoice {
    /// The number as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Invoice {
    type Error = InvoiceError;

    fn try_from(text: String) -> Result<Self, InvoiceError> {
        let allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        if (1..=40).contains(&text.len()) && text.bytes().all(allowed) {
            Ok(Self(text))
        } else {
            Err(InvoiceError)
        }
    }
}

/// Generates unique invoice numbers.
///
/// The counter starts at the current time in milliseconds, so numbers don't repeat after a restart.
#[derive(Debug)]
pub struct Invoices(AtomicU64);

impl Invoices {
    /// Starts counting now.
    #[must_use]
    pub fn starting_now() -> Self {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default()
            .as_millis();
        Self(AtomicU64::new(u64::try_from(now).unwrap_or_default()))
    }

    /// The next number.
    pub fn next(&self) -> Invoice {
        Invoice(format!("INV-{:X}", self.0.fetch_add(1, Ordering::Relaxed)))
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

    #[test]
    fn invoice_numbers_are_plain_text() {
        for text in ["INV-1042", "2026_11.3", &"a".repeat(40)] {
            assert_eq!(Invoice::try_from(text.to_owned()).unwrap().as_str(), text);
        }
        for text in ["", "INV 1", "INV/1", "<b>", "é", &"a".repeat(41)] {
            assert_eq!(Invoice::try_from(text.to_owned()), Err(InvoiceError));
        }
    }

    #[test]
    fn invoice_numbers_are_unique() {
        let invoices = Invoices::starting_now();
        assert_ne!(invoices.next(), invoices.next());
    }
}
