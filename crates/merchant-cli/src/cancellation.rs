//! The cancellation of one payment.

use std::collections::HashMap;

use serde::Serialize;
use tender_protocol::{Payment, PaymentState, Record, Status, sanitize};

/// The result of a cancellation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Outcome {
    /// The list shows another status than before, or the proxy has confirmed the cancellation.
    Changed,
    /// The request was sent, and the list shows the same status as before.
    Unchanged,
    /// The status was not "Created", so no request was sent.
    LeftAlone,
    /// The payment was not found in the pages that were read, so no request was sent.
    NotFound,
    /// The request was sent, but the new status can't be read.
    NotKnown,
}

/// One payment to cancel, and its result.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Cancellation {
    pub(crate) transaction_id: String,
    pub(crate) outcome: Outcome,
    /// The status before, in the service's words.
    before: Option<String>,
    /// The status that the list shows afterwards.
    after: Option<String>,
    /// Why the request to cancel failed.
    pub(crate) problem: Option<String>,
    #[serde(skip)]
    payment: Option<Payment>,
}

impl Cancellation {
    pub(crate) fn new(id: String, found: &HashMap<String, Record>, any_status: bool) -> Self {
        let record = found.get(&id);
        let payment = record.and_then(|record| Payment::try_from(record).ok());
        let is_open = payment
            .as_ref()
            .is_none_or(|payment| payment.status == Status::Created);
        let outcome = match record {
            None => Outcome::NotFound,
            Some(_) if is_open || any_status => Outcome::NotKnown,
            Some(_) => Outcome::LeftAlone,
        };
        Self {
            transaction_id: id,
            outcome,
            before: payment
                .as_ref()
                .map(|payment| payment.status.text().to_owned()),
            after: None,
            problem: None,
            payment,
        }
    }

    /// Whether a cancel request is sent.
    pub(crate) fn is_requested(&self) -> bool {
        !matches!(self.outcome, Outcome::LeftAlone | Outcome::NotFound)
    }

    pub(crate) fn update(&mut self, found: &HashMap<String, Record>) {
        let record = found.get(&self.transaction_id);
        let payment = record.and_then(|record| Payment::try_from(record).ok());
        if let Some(payment) = payment {
            self.after = Some(payment.status.text().to_owned());
            // The service may show a cancelled payment as "Created". The proxy also says "closed" while a
            // cancellation is not confirmed, but then the request has failed.
            let is_closed = payment.state == Some(PaymentState::Closed);
            let is_cancelled = is_closed && self.problem.is_none();
            self.outcome = if is_cancelled || self.after != self.before {
                Outcome::Changed
            } else {
                Outcome::Unchanged
            };
        }
    }

    /// Describes the payment for the confirmation prompt.
    pub(crate) fn description(&self) -> String {
        let id = sanitize(&self.transaction_id);
        let Some(payment) = &self.payment else {
            return format!("{id} (its record can't be read)");
        };
        let invoice = sanitize(payment.invoice_number.as_deref().unwrap_or("none"));
        let token = sanitize(&payment.token);
        let payment_token = sanitize(&payment.payment_token);
        let (quantity, quantity_pay) = (&payment.quantity, &payment.quantity_pay);
        let status = sanitize(payment.status.text());
        format!(
            "invoice {invoice}: {quantity_pay} {payment_token} for {quantity} {token}, {status}, {id}"
        )
    }

    /// Describes the result in one line.
    pub(crate) fn report(&self, extent: &str) -> String {
        let id = sanitize(&self.transaction_id);
        let [before, after] = [&self.before, &self.after]
            .map(|status| sanitize(status.as_deref().unwrap_or("not known")));
        let mut line = match self.outcome {
            Outcome::Changed if self.after == self.before => {
                format!("{id}: is closed; the list still shows {after}")
            }
            Outcome::Changed => format!("{id}: was {before}, is now {after}"),
            Outcome::Unchanged => format!("{id}: the list still shows {after}"),
            Outcome::LeftAlone => {
                format!(
                    "{id}: is {before}, so it was not cancelled; --any-status asks the proxy all the same"
                )
            }
            Outcome::NotFound => format!("{id}: is not in {extent}"),
            Outcome::NotKnown => format!("{id}: was {before}; its new status is not known"),
        };
        if let Some(problem) = &self.problem {
            line.push_str(". The request to cancel it failed: ");
            line.push_str(problem);
        }
        line
    }
}
