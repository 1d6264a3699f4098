//! Creating a payment link, in a dialog.

use tender_protocol::client::Failure;
use tender_protocol::client::typed::{DecimalSeparator, in_ascii, typed_amount};
use tender_protocol::{LinkLimits, NewOrder, PaymentLink, TokenCode};

/// The times that the form offers, in days.
const DAYS: [u16; 6] = [1, 3, 7, 14, 30, 90];

/// The dialog for payment links.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkDialog {
    /// It is closed.
    Closed,
    /// The merchant fills in the form. If it was submitted, there is a problem.
    Form(Option<LinkProblem>),
    /// The proxy is signing this order.
    Signing(NewOrder),
    /// The order is signed.
    Signed(NewOrder, PaymentLink),
}

/// Why there is no link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LinkProblem {
    /// The price is not a number above zero, or it may mean two.
    Price,
    /// The price is above the maximum in its token.
    PriceTooHigh,
    /// The invoice number is missing.
    Invoice,
    /// The proxy has not signed the order.
    Failed(Failure),
}

/// What the merchant has entered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkInput {
    /// The token of the price.
    pub token: TokenCode,
    /// The price, as it was typed.
    pub quantity: String,
    /// How the merchant's language separates decimals.
    pub decimal_separator: DecimalSeparator,
    /// The invoice number.
    pub invoice_number: String,
    /// How long the link is valid.
    pub days: u16,
}

impl LinkInput {
    /// The order to sign.
    pub(crate) fn read(self, limits: &LinkLimits) -> Result<NewOrder, LinkProblem> {
        let quantity = typed_amount(in_ascii(&self.quantity).trim(), self.decimal_separator);
        let quantity = quantity.filter(|quantity| !quantity.is_zero());
        let quantity = quantity.ok_or(LinkProblem::Price)?;
        let max = limits.max_quantity.get(&self.token);
        if max.is_none_or(|max| quantity > *max) {
            return Err(LinkProblem::PriceTooHigh);
        }
        let invoice_number = self.invoice_number.trim().to_owned();
        if invoice_number.is_empty() {
            return Err(LinkProblem::Invoice);
        }
        Ok(NewOrder {
            token: self.token,
            quantity,
            invoice_number,
            expires: format!("{}d", self.days),
        })
    }
}

/// The times that the merchant can choose from, in days: the longest one is the maximum.
pub fn link_days(max_days: u16) -> Vec<u16> {
    let shorter = DAYS.into_iter().filter(|days| *days < max_days);
    shorter.chain([max_days]).collect()
}
