//! The transition function of a checkout.

mod awaiting;
mod choosing;

use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::Failure;
use crate::state::{Choosing, State};

/// What an event makes of a state: the next state, and what is to be done.
///
/// An event that has no meaning in the state (an answer that comes after a reset, a second click)
/// leaves it as it is.
#[must_use]
pub fn step(config: &Config, state: State, event: Event) -> (State, Vec<Effect>) {
    match (state, event) {
        (State::Loading, Event::Started)
        | (State::Unavailable(_), Event::Retried | Event::Refreshed | Event::Reset) => {
            (State::Loading, vec![Effect::FetchTokens])
        }
        (State::Loading, Event::TokensAnswered(answered)) => choosing::offered(config, answered),
        (State::Choosing(choosing), event) => choosing::step(config, choosing, event),
        (State::Submitting(choosing, attempt), Event::CreateAnswered(key, answered))
            if key == attempt.key =>
        {
            choosing::created(choosing, attempt, answered)
        }
        (State::Failed(choosing, attempt, _), Event::Retried) => {
            let create = Effect::Create(attempt.clone());
            (State::Submitting(choosing, attempt), vec![create])
        }
        (State::Failed(choosing, attempt, _), Event::WentBack | Event::Reset) => {
            let attempt = Some(attempt);
            (
                State::Choosing(Choosing {
                    attempt,
                    problem: None,
                    ..choosing
                }),
                Vec::new(),
            )
        }
        (State::Awaiting(awaiting), event) => awaiting::step(*awaiting, event),
        (State::Cancelled(choosing, _), Event::Reset) => (
            State::Choosing(Choosing {
                attempt: None,
                ..choosing
            }),
            Vec::new(),
        ),
        (state, _) => (state, Vec::new()),
    }
}

fn tell(event: HostEvent) -> Effect {
    Effect::Tell(Box::new(event))
}

fn tell_error(failure: &Failure) -> Effect {
    tell(HostEvent::Error(failure.clone()))
}
