//! Settings of payment links.

use std::collections::BTreeMap;
use std::str::FromStr;

use clap::{ArgAction, Args};
use tender_protocol::{Amount, LinkLimits, TokenCode};

use super::numbers::positive;
use super::orders::kid;

/// Payment links.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Payment links")]
pub struct PaymentLinks {
    /// Sign orders for holders of a merchant key, so that a shop without a backend can make payment
    /// links. Needs `public_url` and `payment_link_max_quantity`
    #[arg(long, id = "payment_links", value_name = "BOOL", default_value = "false", action = ArgAction::Set)]
    pub is_on: bool,

    /// Highest price of a payment link in a token, such as `usdtt=500`. Links can't be in other tokens
    #[arg(long, id = "payment_link_max_quantity", value_name = "TOKEN=QUANTITY")]
    pub max_quantities: Vec<MaxQuantity>,

    /// Maximum number of days for which a payment link is valid
    #[arg(long, id = "payment_link_max_days", value_name = "DAYS", default_value = "30", value_parser = positive::<u16>)]
    pub max_days: u16,

    /// Name of the random key in the database that signs payment links, which is their `kid`. With
    /// another name, there is another key, and all earlier links are refused
    #[arg(long, id = "payment_link_kid", value_name = "KID", default_value = "payment-link", value_parser = kid)]
    pub kid: String,
}

/// The highest price in a token, written as `token=quantity`.
#[derive(Clone, Debug)]
pub struct MaxQuantity {
    token: TokenCode,
    quantity: Amount,
}

impl PaymentLinks {
    /// The limits for the merchant.
    pub(crate) fn limits(&self) -> LinkLimits {
        let max_quantities = self.max_quantities.iter();
        let max_quantities = max_quantities.map(|max| (max.token.clone(), max.quantity.clone()));
        LinkLimits {
            max_quantity: max_quantities.collect::<BTreeMap<_, _>>(),
            max_days: self.max_days,
        }
    }
}

impl FromStr for MaxQuantity {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (token, quantity) = text.split_once('=').ok_or("write `token=quantity`")?;
        let token = TokenCode::from(token);
        let quantity: Amount = quantity
            .trim()
            .parse()
            .map_err(|error| format!("{error}"))?;
        if !token.is_accepted() {
            return Err(format!("the service does not accept the token `{token}`"));
        }
        Ok(Self { token, quantity })
    }
}
