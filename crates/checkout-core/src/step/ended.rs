//! A payment to which no money should be sent any more.

use tender_protocol::PaymentState;

use super::{cancelling, load, polling};
use crate::effect::Effect;
use crate::event::{Event, PaymentEvent, StatusEvent};
use crate::state::{Awaiting, Cancelling, Draft, LookUp, PriorAttempt, State};

/// The state that shows a payment, by what the proxy says about it. While this page cancels the payment,
/// the response decides whether it is shown as cancelled or as closed.
pub(super) fn show(awaiting: Awaiting) -> State {
    let awaiting = Box::new(awaiting);
    match awaiting.payment.state {
        Some(PaymentState::Paid) => State::Paid(awaiting),
        _ if awaiting.is_order_paid => State::OrderPaid(awaiting),
        Some(PaymentState::Pending) => State::Pending(awaiting),
        Some(PaymentState::Underpaid) => State::Underpaid(awaiting),
        Some(PaymentState::Unknown) => State::Unknown(awaiting),
        Some(PaymentState::Closed) if awaiting.cancelling != Cancelling::Requested => {
            State::Closed(awaiting)
        }
        Some(PaymentState::Open | PaymentState::Closed) | None => State::Awaiting(awaiting),
    }
}

/// A pending or underpaid payment, or one whose order is paid by another payment. Nothing is left to do for the buyer.
pub(super) fn followed(mut awaiting: Awaiting, event: Event) -> (State, Vec<Effect>) {
    let effects = match event {
        Event::Status(event) => polling::step(&mut awaiting, event),
        Event::Refreshed => polling::refresh(&mut awaiting),
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Retried
        | Event::Reset
        | Event::Reconfigured
        | Event::Edited(_)
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_) => Vec::new(),
    };
    (show(awaiting), effects)
}

/// A payment that may have ended. The buyer may cancel it again, by which the proxy finds out.
pub(super) fn unknown(mut awaiting: Awaiting, event: Event) -> (State, Vec<Effect>) {
    let effects = match event {
        Event::Status(event) => polling::step(&mut awaiting, event),
        Event::Refreshed => polling::refresh(&mut awaiting),
        Event::Payment(PaymentEvent::CancelConfirmed)
            if awaiting.may_cancel() && awaiting.cancelling != Cancelling::Requested =>
        {
            cancelling::request(&mut awaiting)
        }
        Event::Payment(PaymentEvent::CancelFinished(id, result))
            if id == awaiting.payment.transaction_id =>
        {
            return cancelling::finish(awaiting, result);
        }
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Retried
        | Event::Reset
        | Event::Reconfigured
        | Event::Edited(_)
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_) => Vec::new(),
    };
    (show(awaiting), effects)
}

/// A closed payment is still followed, because money that was sent before may arrive.
pub(super) fn closed(mut awaiting: Awaiting, event: Event) -> (State, Vec<Effect>) {
    let effects = match event {
        Event::Reset if awaiting.may_start_again() => return start_again(awaiting),
        Event::Status(event) => polling::step(&mut awaiting, event),
        Event::Refreshed => polling::refresh(&mut awaiting),
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Retried
        | Event::Reset
        | Event::Reconfigured
        | Event::Edited(_)
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_) => Vec::new(),
    };
    (show(awaiting), effects)
}

/// A paid payment stays paid, and is no longer followed.
pub(super) fn paid(awaiting: Box<Awaiting>, event: &Event) -> (State, Vec<Effect>) {
    match event {
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Retried
        | Event::Refreshed
        | Event::Reset
        | Event::Reconfigured
        | Event::Edited(_)
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_)
        | Event::Status(_) => (State::Paid(awaiting), Vec::new()),
    }
}

/// A cancelled payment is no longer followed.
pub(super) fn cancelled(awaiting: Awaiting, event: &Event) -> (State, Vec<Effect>) {
    match event {
        Event::Reset => start_again(awaiting),
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Retried
        | Event::Refreshed
        | Event::Reconfigured
        | Event::Edited(_)
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_)
        | Event::Status(_) => (State::Cancelled(Box::new(awaiting)), Vec::new()),
    }
}

/// Shows an ended payment as closed, and follows it: its transaction has become known, so the buyer has
/// sent money to it and must not be asked to pay again.
pub(super) fn sent_after_end(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    awaiting.payment.state = Some(PaymentState::Closed);
    let effects = polling::poll(&mut awaiting);
    (show(awaiting), effects)
}

/// Goes back to the form. The payment is kept only for a wallet that may still report its transaction. The order's payment
/// is not looked up: it may be this one, and the proxy creates no other one beside an open one.
fn start_again(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    let mut effects = polling::end(&mut awaiting);
    let form = Some(awaiting.form.clone());
    let is_unclear = awaiting.is_wallet_unclear();
    let prior = is_unclear.then(|| PriorAttempt::Ended(Box::new(awaiting)));
    let (state, load) = load(Draft {
        form,
        prior,
        look_up: LookUp::Done,
    });
    effects.extend(load);
    (state, effects)
}
