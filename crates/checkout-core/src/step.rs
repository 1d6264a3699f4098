//! The transition function of a checkout.

mod awaiting;
mod cancelling;
mod choosing;
mod failed;
mod finding;
mod loading;
mod marking;
mod not_payable;
mod paying;
mod polling;
mod preparing;
mod receipts;
mod replacing;
mod submitting;

use tender_protocol::PaymentState;

use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::{Event, SentEvent};
use crate::failure::Failure;
use crate::state::{Cancelling, CheckoutPayment, Draft, LookUp, Reason, State};
use crate::status_record::OrderMoney;

/// Returns the next state and the effects to execute.
///
/// Each state says which events have a meaning in it. Any other event (a response that arrives after a reset, a second
/// click) changes nothing.
///
/// While a payment is being created or cancelled, only the response to that request changes the
/// state: until then it is unknown whether the payment exists.
#[must_use]
pub fn step(config: &Config, state: State, event: Event) -> (State, Vec<Effect>) {
    // A wallet may answer at any time, also when its payment is no longer shown, and so may the proxy about a mark.
    if let Event::Sent(event) = event {
        return sent(state, event);
    }
    match state {
        State::Loading(draft, found) => loading::loading(config, draft, found, event),
        State::Unavailable(draft, failure) => loading::unavailable(config, draft, failure, event),
        State::Choosing(choosing, look_up) => choosing::step(config, choosing, look_up, event),
        State::Submitting(choosing, attempt, step) => {
            let chosen = attempt.choice.code.clone();
            let next = submitting::step(config, choosing, attempt, step, event);
            submitting::compare_token(Some(&chosen), next)
        }
        State::Failed(choosing, attempt, failure) => {
            failed::step(config, choosing, attempt, failure, event)
        }
        State::Awaiting(payment) => awaiting::step(*payment, event),
        State::NotPayable(reason, payment) => not_payable::step(reason, *payment, event),
    }
}

fn sent(state: State, event: SentEvent) -> (State, Vec<Effect>) {
    match event {
        SentEvent::WalletFinished(id, request, result) => {
            paying::finished(state, &id, request, result)
        }
        SentEvent::SecretChosen(id, secret) => marking::chosen(state, &id, secret),
        SentEvent::MarkFinished(id, result) => {
            marking::finished(state, &id, |payment| marking::marked(payment, result))
        }
        SentEvent::UnmarkFinished(id, secret, result) => marking::finished(state, &id, |payment| {
            marking::removed(payment, &secret, result)
        }),
    }
}

/// Fetches the token listing, and sends a look-up that is due.
fn load(mut draft: Draft) -> (State, Vec<Effect>) {
    let mut effects = vec![Effect::FetchTokens];
    if draft.look_up == LookUp::Due {
        draft.look_up = LookUp::Requested;
        effects.push(Effect::FindPayment);
    }
    (State::Loading(draft, None), effects)
}

/// The state that shows a payment, by what the proxy says about it. While this page cancels the payment,
/// the response decides whether it is shown as cancelled or as closed.
fn show(payment: CheckoutPayment) -> State {
    let payment = Box::new(payment);
    let reason = match payment.record.state {
        Some(PaymentState::Paid) => Reason::Paid,
        _ if payment.order_money == Some(OrderMoney::Paid) => Reason::OrderPaid,
        Some(PaymentState::Pending) => Reason::Pending,
        Some(PaymentState::Underpaid) => Reason::Underpaid,
        _ if payment.order_money == Some(OrderMoney::Seen) => Reason::OrderSeen,
        Some(PaymentState::Unknown) => Reason::Unknown,
        Some(PaymentState::Closed) if payment.cancelling != Cancelling::Requested => Reason::Closed,
        Some(PaymentState::Open | PaymentState::Closed) | None => return State::Awaiting(payment),
    };
    State::NotPayable(reason, payment)
}

fn emit(event: HostEvent) -> Effect {
    Effect::Emit(Box::new(event))
}

fn emit_error(failure: &Failure) -> Effect {
    emit(HostEvent::Error(failure.clone()))
}

/// Dispatches the event of a payment's state.
fn emit_state(payment: &CheckoutPayment) -> Option<Effect> {
    let record = payment.record.clone();
    Some(emit(match record.state? {
        PaymentState::Pending => HostEvent::Pending(record),
        PaymentState::Underpaid => HostEvent::Underpaid(record),
        PaymentState::Paid => HostEvent::Paid(record),
        PaymentState::Closed => HostEvent::Closed(record),
        PaymentState::Open | PaymentState::Unknown => return None,
    }))
}
