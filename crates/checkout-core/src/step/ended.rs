//! A payment that has ended: paid, closed or cancelled. The page asks for no more money.

use tender_protocol::PaymentState;

use super::{load, polling};
use crate::effect::Effect;
use crate::event::Event;
use crate::state::{Awaiting, Cancelling, Draft, PriorAttempt, State};

/// The state that shows a payment, by what the proxy says about it. While this page cancels the payment,
/// the response decides whether it is shown as cancelled or as closed.
pub(super) fn show(awaiting: Awaiting) -> State {
    let awaiting = Box::new(awaiting);
    match awaiting.payment.state {
        Some(PaymentState::Closed | PaymentState::Unknown)
            if awaiting.cancelling == Cancelling::Requested =>
        {
            State::Awaiting(awaiting)
        }
        Some(PaymentState::Paid) => State::Paid(awaiting),
        // No money should be sent to either.
        Some(PaymentState::Closed | PaymentState::Unknown) => State::Closed(awaiting),
        Some(PaymentState::Open | PaymentState::Pending | PaymentState::Underpaid) | None => {
            State::Awaiting(awaiting)
        }
    }
}

/// A closed payment is still followed, because money that was sent before may arrive.
pub(super) fn closed(mut awaiting: Awaiting, event: Event) -> (State, Vec<Effect>) {
    let effects = match event {
        Event::Reset if awaiting.may_start_again() => return start_again(awaiting),
        event => polling::step(&mut awaiting, event),
    };
    (show(awaiting), effects)
}

/// A cancelled payment is no longer followed.
pub(super) fn cancelled(awaiting: Awaiting, event: &Event) -> (State, Vec<Effect>) {
    match event {
        Event::Reset => start_again(awaiting),
        _ => (State::Cancelled(Box::new(awaiting)), Vec::new()),
    }
}

/// Shows an ended payment as closed, and follows it: its transaction has become known, so the buyer has
/// sent money to it and must not be asked to pay again.
pub(super) fn sent_after_end(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    awaiting.payment.state = Some(PaymentState::Closed);
    let effects = polling::poll(&mut awaiting);
    (show(awaiting), effects)
}

/// Goes back to the form. The payment is kept only for a wallet that may still report its transaction.
fn start_again(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    let mut effects = polling::end(&mut awaiting);
    let form = Some(awaiting.form.clone());
    let is_unclear = awaiting.is_wallet_unclear();
    let prior = is_unclear.then(|| PriorAttempt::Ended(Box::new(awaiting)));
    let (state, load) = load(Draft { form, prior });
    effects.extend(load);
    (state, effects)
}
