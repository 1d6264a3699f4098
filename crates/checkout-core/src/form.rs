//! What the buyer has chosen and typed.

use tender_protocol::{Amount, TokenCode};

use crate::config::{Ask, Config};
use crate::order::{Buyer, Request};

/// The buyer's side of the request, as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The code to pay with.
    pub payment_token: Option<TokenCode>,
    /// The e-mail field.
    pub email: String,
    /// The name field.
    pub name: String,
    /// The amount field, where the payer chooses the amount.
    pub amount: String,
}

/// The first thing that keeps a form from being sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormProblem {
    /// The amount field is empty.
    AmountMissing,
    /// The amount field does not hold a plain decimal above zero.
    AmountInvalid,
    /// No token is chosen.
    NoToken,
    /// The e-mail field is empty, and required.
    EmailMissing,
    /// The e-mail field does not hold an address.
    EmailInvalid,
    /// The name field is empty, and required.
    NameMissing,
}

impl Form {
    /// A form with what the shop knows already.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let amount = config
            .order
            .claims()
            .quantity
            .as_ref()
            .filter(|amount| !amount.is_zero());
        Self {
            payment_token: config.payment_token.clone(),
            email: config.buyer.email.clone().unwrap_or_default(),
            name: config.buyer.name.clone().unwrap_or_default(),
            amount: amount.map(ToString::to_string).unwrap_or_default(),
        }
    }

    /// The request that this form makes.
    ///
    /// # Errors
    /// The first [`FormProblem`], in the order of the fields on the page.
    pub fn request(&self, config: &Config) -> Result<Request, FormProblem> {
        let quantity = self.quantity(config)?;
        let payment_token = self.payment_token.clone().ok_or(FormProblem::NoToken)?;
        let buyer = Buyer {
            email: self.email(config)?,
            name: self.name(config)?,
        };
        Ok(config.order.request(buyer, payment_token, quantity))
    }

    fn quantity(&self, config: &Config) -> Result<Amount, FormProblem> {
        match &config.order.claims().quantity {
            Some(price) if !config.order.payer_chooses() => Ok(price.clone()),
            _ => match self.amount.trim() {
                "" => Err(FormProblem::AmountMissing),
                // Nobody types an exponent on purpose.
                typed if typed.contains(['e', 'E']) => Err(FormProblem::AmountInvalid),
                typed => match typed.parse::<Amount>() {
                    Ok(amount) if !amount.is_zero() => Ok(amount),
                    _ => Err(FormProblem::AmountInvalid),
                },
            },
        }
    }

    fn email(&self, config: &Config) -> Result<Option<String>, FormProblem> {
        let email = match config.ask_email {
            Ask::No => return Ok(config.buyer.email.clone()),
            ask => typed(ask, &self.email, FormProblem::EmailMissing)?,
        };
        match email {
            Some(email) if !is_address(&email) => Err(FormProblem::EmailInvalid),
            email => Ok(email),
        }
    }

    fn name(&self, config: &Config) -> Result<Option<String>, FormProblem> {
        match config.ask_name {
            Ask::No => Ok(config.buyer.name.clone()),
            ask => typed(ask, &self.name, FormProblem::NameMissing),
        }
    }
}

/// What a field that is shown gives: nothing where it is empty.
fn typed(ask: Ask, text: &str, missing: FormProblem) -> Result<Option<String>, FormProblem> {
    match (ask, text.trim()) {
        (Ask::Required, "") => Err(missing),
        (_, "") => Ok(None),
        (_, text) => Ok(Some(text.to_owned())),
    }
}

/// As loose as a check can be that still catches a forgotten half: whether mail arrives there is
/// known only to the mail.
fn is_address(email: &str) -> bool {
    match email.rsplit_once('@') {
        Some((user, host)) => {
            !user.is_empty() && !host.is_empty() && !email.contains(char::is_whitespace)
        }
        None => false,
    }
}
