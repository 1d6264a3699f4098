//! The transition function of a checkout.

mod awaiting;
mod cancelling;
mod choosing;
mod ended;
mod paying;
mod polling;
mod replacing;
mod submitting;

use tender_protocol::PaymentState;

use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::Failure;
use crate::memory::recall;
use crate::state::{Awaiting, Draft, State};

/// Returns the next state and the effects to execute.
///
/// An event that has no meaning in the state (a response that arrives after a reset, a second
/// click) changes nothing.
///
/// While a payment is being created or cancelled, only the response to that request changes the
/// state: until then it is unknown whether the payment exists.
#[must_use]
pub fn step(config: &Config, state: State, event: Event) -> (State, Vec<Effect>) {
    match (state, event) {
        (State::Loading(_) | State::Unavailable(..), Event::Started(saved)) => {
            replacing::started(saved.and_then(|json| recall(config, &json)))
        }
        (State::Loading(draft), Event::TokensFetched(result)) => {
            choosing::offer_tokens(config, draft, result)
        }
        (
            State::Unavailable(draft, _),
            Event::Retried | Event::Refreshed | Event::Reset | Event::Reconfigured,
        ) => load(draft),
        (state, Event::WalletFinished(id, request, result)) => {
            paying::finished(state, &id, request, result)
        }
        (State::Choosing(choosing), Event::Submitted(key)) => {
            submitting::submit(config, choosing, key)
        }
        (State::Choosing(choosing), Event::Resumed) => replacing::resume(choosing),
        (State::Choosing(choosing), event) => choosing::step(choosing, event),
        (State::Submitting(choosing, attempt), event) => {
            replacing::submitting(config, choosing, attempt, event)
        }
        (State::Failed(choosing, attempt, failure), event) => {
            replacing::failed(choosing, attempt, failure, &event)
        }
        (State::Awaiting(awaiting), event) => awaiting::step(*awaiting, event),
        (State::Closed(awaiting), event) => ended::closed(*awaiting, event),
        (State::Cancelled(awaiting), event) => ended::cancelled(*awaiting, &event),
        (state, _) => (state, Vec::new()),
    }
}

/// Fetches the token listing.
fn load(draft: Draft) -> (State, Vec<Effect>) {
    (State::Loading(draft), vec![Effect::FetchTokens])
}

fn emit(event: HostEvent) -> Effect {
    Effect::Emit(Box::new(event))
}

fn emit_error(failure: &Failure) -> Effect {
    emit(HostEvent::Error(failure.clone()))
}

/// Dispatches the event of a payment that is paid or closed.
fn emit_ending(awaiting: &Awaiting) -> Option<Effect> {
    let payment = awaiting.payment.clone();
    Some(emit(match payment.state? {
        PaymentState::Paid => HostEvent::Paid(payment),
        PaymentState::Closed => HostEvent::Closed(payment),
        PaymentState::Open
        | PaymentState::Pending
        | PaymentState::Underpaid
        | PaymentState::Unknown => return None,
    }))
}
