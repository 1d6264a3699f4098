//! The transition function of a checkout.

mod awaiting;
mod choosing;
mod following;
mod paying;
mod submitting;

use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::Failure;
use crate::memory::recall;
use crate::state::{Draft, State};

/// What an event makes of a state: the next state, and what is to be done.
///
/// An event that has no meaning in the state (an answer that comes after a reset, a second click)
/// leaves it as it is.
///
/// While a payment is being created or cancelled nothing else moves: only the answer says whether
/// there is a payment.
#[must_use]
pub fn step(config: &Config, state: State, event: Event) -> (State, Vec<Effect>) {
    match (state, event) {
        (State::Loading(_), Event::Started(memory)) => {
            choosing::started(memory.and_then(|json| recall(config, &json)))
        }
        (
            State::Unavailable(draft, _),
            Event::Retried | Event::Refreshed | Event::Reset | Event::Reconfigured,
        ) => load(draft),
        (State::Loading(draft), Event::TokensAnswered(answered)) => {
            choosing::offered(config, draft, answered)
        }
        (State::Choosing(choosing), event) => choosing::step(config, choosing, event),
        (State::Submitting(choosing, attempt), event) => submitting::step(choosing, attempt, event),
        (State::Failed(choosing, attempt, failure), event) => {
            submitting::failed(choosing, attempt, failure, &event)
        }
        (State::Awaiting(awaiting), event) => awaiting::step(*awaiting, event),
        (State::Cancelled(form, _), Event::Reset) => load(Draft {
            form: Some(form),
            begun: None,
        }),
        (state, _) => (state, Vec::new()),
    }
}

/// Asks for the tokens that are enabled now.
fn load(draft: Draft) -> (State, Vec<Effect>) {
    (State::Loading(draft), vec![Effect::FetchTokens])
}

fn tell(event: HostEvent) -> Effect {
    Effect::Tell(Box::new(event))
}

fn tell_error(failure: &Failure) -> Effect {
    tell(HostEvent::Error(failure.clone()))
}
