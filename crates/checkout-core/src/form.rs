//! The form: what the buyer has chosen and typed.

use tender_protocol::{Amount, TokenCode};

use crate::config::{BuyerField, Config};
use crate::order::{Buyer, Request};
use crate::typed::in_ascii;

/// The values of the form, as typed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Form {
    /// The code of the chosen token.
    pub payment_token: Option<TokenCode>,
    /// The e-mail address.
    pub email: String,
    /// The name.
    pub name: String,
    /// The amount, if the payer chooses it.
    pub amount: String,
}

/// The decimal separator of a language (Unicode's CLDR, with Latin digits).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalSeparator {
    /// `12.50`
    #[default]
    Point,
    /// `12,50`
    Comma,
}

/// The first problem that prevents submitting the form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormProblem {
    /// The amount is empty.
    AmountMissing,
    /// The amount is not a decimal above zero, or it may mean two amounts.
    AmountInvalid,
    /// No token is chosen.
    NoToken,
    /// The e-mail address is required and empty.
    EmailMissing,
    /// The e-mail address is invalid.
    EmailInvalid,
    /// The name is required and empty.
    NameMissing,
    /// The buyer has not said whether they have sent money for the order's payment, which another one would replace.
    OpenPayment,
    /// It could not be looked up whether the order has a payment. The next submit tries again.
    LookUpFailed,
}

impl Form {
    /// A form filled in with what the shop knows.
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

    /// This form after the attributes have changed; `before` is the form that the earlier ones filled in. What the buyer has
    /// chosen and typed stays.
    #[must_use]
    pub(crate) fn reconfigured(self, before: &Self, config: &Config) -> Self {
        let now = Self::new(config);
        let typed = |own: String, before: &str, now| if own == before { now } else { own };
        let is_chosen = self.payment_token != before.payment_token;
        Self {
            payment_token: if is_chosen {
                self.payment_token
            } else {
                now.payment_token.or(self.payment_token)
            },
            email: typed(self.email, &before.email, now.email),
            name: typed(self.name, &before.name, now.name),
            amount: typed(self.amount, &before.amount, now.amount),
        }
    }

    /// The create request for this form.
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
            preset => {
                let typed = in_ascii(&self.amount);
                let typed = typed.trim();
                let amount = match preset {
                    _ if typed.is_empty() => return Err(FormProblem::AmountMissing),
                    // The amount that the shop has filled in.
                    Some(preset) if preset.to_string() == typed => Some(preset.clone()),
                    _ => typed_amount(typed, config.decimal_separator),
                };
                let amount = amount.filter(|amount| !amount.is_zero());
                amount.ok_or(FormProblem::AmountInvalid)
            }
        }
    }

    fn email(&self, config: &Config) -> Result<Option<String>, FormProblem> {
        let email = match config.ask_email {
            BuyerField::Hidden => return Ok(config.buyer.email.clone()),
            ask => typed(ask, &in_ascii(&self.email), FormProblem::EmailMissing)?,
        };
        match email {
            Some(email) if !is_address(&email) => Err(FormProblem::EmailInvalid),
            email => Ok(email),
        }
    }

    fn name(&self, config: &Config) -> Result<Option<String>, FormProblem> {
        match config.ask_name {
            BuyerField::Hidden => Ok(config.buyer.name.clone()),
            ask => typed(ask, &self.name, FormProblem::NameMissing),
        }
    }
}

/// Reads an amount whose meaning is certain. Exponents are rejected, because they are typing errors.
///
/// With a decimal comma both `12,50` and `12.50` are an amount, but not what may be thousands: `1.500` and `1,500`.
fn typed_amount(typed: &str, separator: DecimalSeparator) -> Option<Amount> {
    if typed.contains(['e', 'E']) {
        return None;
    }
    match (separator, typed.split_once(['.', ','])) {
        (DecimalSeparator::Point, _) | (_, None) => typed.parse().ok(),
        (DecimalSeparator::Comma, Some((integer, fraction))) => {
            let may_be_thousands =
                fraction.len() == 3 && integer.len() <= 3 && !integer.starts_with('0');
            let with_point = (!may_be_thousands).then(|| format!("{integer}.{fraction}"));
            with_point?.parse().ok()
        }
    }
}

/// The value of a visible field; `None` if it is empty.
fn typed(ask: BuyerField, text: &str, missing: FormProblem) -> Result<Option<String>, FormProblem> {
    match (ask, text.trim()) {
        (BuyerField::Required, "") => Err(missing),
        (_, "") => Ok(None),
        (_, text) => Ok(Some(text.to_owned())),
    }
}

/// Only a rough check for typing errors; a strict check would reject valid addresses.
fn is_address(email: &str) -> bool {
    match email.rsplit_once('@') {
        Some((user, host)) => {
            !user.is_empty() && !host.is_empty() && !email.contains(char::is_whitespace)
        }
        None => false,
    }
}
