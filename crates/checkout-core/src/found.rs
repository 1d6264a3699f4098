//! The payment of a signed order, as the proxy finds it: the response to `GET /api/v1/payment` with the order.
//!
//! Another tab or another device may have created it. So the buyer sees it at once, and is never asked twice.

use tender_protocol::{CreatePayment, FoundFields, PaymentState, Record, TokenCode};

use crate::choice::Choice;
use crate::config::Config;
use crate::failure::Failure;
use crate::order::{Buyer, Request};
use crate::record_check::check_created;
use crate::response::Created;
use crate::state::{Access, CheckoutPayment, PriorAttempt};

/// The payment of a signed order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundPayment {
    pub(crate) created: Created,
    fields: FoundFields,
}

impl FoundPayment {
    pub(crate) fn is_payment(&self, id: &str) -> bool {
        self.created.payment.transaction_id == id
    }

    /// The payment: as one to show, or as one that the next payment replaces; `None` if it has ended and is of an
    /// earlier price. `choices` name its token.
    ///
    /// # Errors
    /// [`Failure`] if the record contradicts the order.
    pub(crate) fn into_prior(
        self,
        config: &Config,
        choices: &[Choice],
    ) -> Result<Option<PriorAttempt>, Failure> {
        let Self { created, fields } = self;
        let is_sent = created.facts.is_marked;
        let (payment, token) = (&created.payment, &fields.payment_token_code);
        let listed = choices.iter().find(|choice| choice.code == *token);
        let choice = match listed {
            Some(choice) => choice.clone(),
            None => Choice::unlisted(token, payment.test_mode),
        };
        let of_record = CreatePayment {
            token: TokenCode::from(&*payment.token),
            quantity: payment.quantity.clone(),
            payment_token: token.clone(),
            invoice_number: config.order.claims().invoice_number.clone(),
            purchase_email: None,
            purchase_name: None,
            item_number: config.order.claims().item_number.clone(),
        };
        let request = if fields.outdated {
            Request::Plain(of_record)
        } else {
            (config.order).request(Buyer::default(), token.clone(), of_record.quantity)
        };
        check_created(&config.order.documented(&request)?, &choice, payment)?;
        let is_closed = payment.state == Some(PaymentState::Closed);
        let mut payment = CheckoutPayment::new(created, request, choice);
        if fields.read_only {
            payment.facts.access = Access::ReadOnly;
        }
        let payment = Box::new(payment);
        Ok(match fields.outdated && !fields.read_only {
            true if payment.asks_for_money() => Some(PriorAttempt::Outdated(payment)),
            true if is_closed && !is_sent => None,
            _ => Some(PriorAttempt::Payment(payment)),
        })
    }
}

impl TryFrom<&Record> for FoundPayment {
    type Error = Failure;

    fn try_from(record: &Record) -> Result<Self, Failure> {
        Ok(Self {
            created: Created::read(record, true)?,
            fields: record.read("payment")?,
        })
    }
}
