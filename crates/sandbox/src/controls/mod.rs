//! The controls, with which tests and demos change the sandbox beyond the service's own routes.
//!
//! | route, on the payments address | body | method of [`Controls`] |
//! |---|---|---|
//! | `GET /sandbox/page` | | an HTML page that sets statuses and faults, and resets |
//! | `GET /sandbox/state` | | [`state`](Controls::state) |
//! | `PUT /sandbox/payments/{transactionId}/status` | `{"statusId": "2", "statusText": "Paid"}` | [`set_status`](Controls::set_status) |
//! | `POST /sandbox/payments/{transactionId}/send` | `{"amount": 0.5}` | [`send`](Controls::send) |
//! | `PUT /sandbox/tokens` | anything | [`replace_tokens`](Controls::replace_tokens) |
//! | `DELETE /sandbox/tokens` | | [`restore_tokens`](Controls::restore_tokens) |
//!
//! A control that changes something responds 204, or with the payment that it changed.

mod page;
mod routes;

use std::sync::Arc;

use axum::body::Bytes;
use reqwest::Url;
use tender_protocol::amount::SHOWN_DECIMALS;
use tender_protocol::request::payer_chooses;
use tender_protocol::{Amount, AmountError, Payment, Status, TokenCode};

use crate::catalogue::Listed;
use crate::fault::Fault;
use crate::price;
use crate::refusal::Refusal;
use crate::service::Service;
use crate::state::{Entry, Notification, State};

pub(crate) use routes::routes;

/// The controls of a running sandbox.
#[derive(Clone)]
pub struct Controls(Arc<Service>);

impl Controls {
    pub(crate) fn new(service: Arc<Service>) -> Self {
        Self(service)
    }

    /// A snapshot of the sandbox's state.
    pub fn state(&self) -> State {
        self.0.state().clone()
    }

    /// A snapshot of one payment.
    ///
    /// # Errors
    /// [`Refusal::UnknownPayment`].
    pub fn payment(&self, transaction_id: &str) -> Result<Entry, Refusal> {
        self.0.state().entry(transaction_id).cloned()
    }

    /// Waits for a payment's notification and returns its result.
    ///
    /// # Errors
    /// [`Refusal::UnknownPayment`], also if a reset removes the payment meanwhile.
    pub async fn notification(&self, transaction_id: &str) -> Result<Notification, Refusal> {
        loop {
            let settled = self.0.settled.notified();
            match self.payment(transaction_id)?.notification {
                Notification::Pending => settled.await,
                outcome => return Ok(outcome),
            }
        }
    }

    /// Removes all payments, counters, faults and replacements.
    pub fn reset(&self) {
        self.0.reset();
    }

    /// Sets the status of a payment, as the service would when it receives the money. Other
    /// statuses than "Created" are not documented, so any status is allowed.
    ///
    /// # Errors
    /// [`Refusal::UnknownPayment`].
    pub fn set_status(&self, transaction_id: &str, status: Status) -> Result<Payment, Refusal> {
        let mut state = self.0.state();
        let payment = &mut state.entry(transaction_id)?.payment;
        payment.status = status;
        Ok(payment.clone())
    }

    /// Sends an amount of the payment's `paymentToken` to its wallet, as the payer would.
    ///
    /// The status does not change, because the service does not document how it reports money. If
    /// the payment was created with `itemNumber` "0", "the invoice value is taken from the amount
    /// sent by the user (the payer)": its `quantityPay` becomes the sum of all amounts sent, and
    /// `quantity` and `priceUsd` are converted from it.
    ///
    /// # Errors
    /// [`Refusal::UnknownPayment`]; [`Refusal::InvalidField`] if the amount is zero, has more than
    /// 8 fractional digits, or is too large.
    pub fn send(&self, transaction_id: &str, amount: &Amount) -> Result<Payment, Refusal> {
        let (_, too_fine) = amount.round_up(SHOWN_DECIMALS);
        if amount.is_zero() || too_fine {
            let reason = "it must be more than zero, with up to 8 fractional digits";
            return Err(Refusal::field_is("amount", reason));
        }
        let mut state = self.0.state();
        let entry = state.entry(transaction_id)?;
        let sent = match &entry.sent {
            None => amount.clone(),
            Some(before) => before.plus(amount),
        };
        if payer_chooses(entry.payment.item_number.as_deref()) {
            take_value(&mut entry.payment, &sent)?;
        }
        entry.sent = Some(sent);
        Ok(entry.payment.clone())
    }

    /// Adds a fault after those that were added before.
    pub fn inject(&self, fault: Fault) {
        self.0.state().faults.push(fault);
    }

    /// Removes all faults.
    pub fn clear_faults(&self) {
        self.0.state().faults.clear();
    }

    /// Makes the token listing respond with exactly these bytes.
    pub fn replace_tokens(&self, listing: impl Into<Bytes>) {
        self.0.state().listing = Some(listing.into());
    }

    /// Makes the token listing respond with the demo project's tokens again.
    pub fn restore_tokens(&self) {
        self.0.state().listing = None;
    }

    /// Sets or removes the webhook.
    pub fn set_webhook(&self, webhook: Option<Url>) {
        self.0.state().webhook = webhook;
    }
}

/// Sets the value of an invoice to the amount sent.
fn take_value(payment: &mut Payment, sent: &Amount) -> Result<(), Refusal> {
    let listed = |code: &str| Listed::find(&TokenCode::from(code)).ok_or(Refusal::Internal);
    let token = listed(&payment.token)?;
    let payment_token = listed(&payment.payment_token)?;
    let too_large = |error: AmountError| Refusal::field_is("amount", error.to_string());
    let quantity = price::convert(sent, payment_token, token).map_err(too_large)?;
    let price_usd = price::in_usd(sent, payment_token).map_err(too_large)?;
    payment.quantity = quantity;
    payment.price_usd = Some(price_usd);
    payment.quantity_pay = sent.clone();
    Ok(())
}
