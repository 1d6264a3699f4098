//! The transition function of a checkout.

mod awaiting;
mod choosing;
mod paying;
mod polling;
mod replacing;
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
    let Next { state, effects, .. } = if is_choice(&state, &event) {
        choose(config, state, event)
    } else {
        pay(config, state, event)
    };
    (state, effects)
}

/// What an event makes of a state, for who need not do anything where it stays as it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Next {
    /// The next state.
    pub state: State,
    /// Whether it may be another one than before.
    pub is_new: bool,
    /// What is to be done.
    pub effects: Vec<Effect>,
}

impl Next {
    /// The event has no meaning in this state.
    fn same(state: State) -> Self {
        Self {
            state,
            is_new: false,
            effects: Vec::new(),
        }
    }
}

impl From<(State, Vec<Effect>)> for Next {
    fn from((state, effects): (State, Vec<Effect>)) -> Self {
        Self {
            state,
            is_new: true,
            effects,
        }
    }
}

/// Whether [`choose`] knows what the event makes of the state; else [`pay`] does. Until then nothing has been
/// begun, and what [`pay`] stands on need not be there yet.
#[must_use]
pub fn is_choice(state: &State, event: &Event) -> bool {
    match (state, event) {
        // What a tab remembers was begun, and who submits begins.
        (_, Event::Started(Some(_)) | Event::Submitted(_)) => false,
        (State::Loading(_) | State::Unavailable(..), _) => true,
        (State::Choosing(choosing), _) => choosing.prior.is_none(),
        _ => false,
    }
}

/// The part of [`step`] before anything has been begun: see [`is_choice`].
#[must_use]
pub fn choose(config: &Config, state: State, event: Event) -> Next {
    match (state, event) {
        (State::Loading(_), Event::Started(_)) => load(Draft::default()).into(),
        (
            State::Unavailable(draft, _),
            Event::Retried | Event::Refreshed | Event::Reset | Event::Reconfigured,
        ) => load(draft).into(),
        (State::Loading(draft), Event::TokensFetched(answered)) => {
            choosing::offered(config, draft, answered).into()
        }
        (State::Loading(draft), Event::PartLost) => choosing::without_part(draft).into(),
        (State::Choosing(choosing), event) => choosing::step(choosing, event),
        (state, _) => Next::same(state),
    }
}

/// The part of [`step`] from when something is begun: see [`is_choice`].
#[must_use]
pub fn pay(config: &Config, state: State, event: Event) -> Next {
    let before = state.clone();
    let (state, effects) = prior(config, state, event);
    Next {
        is_new: state != before,
        state,
        effects,
    }
}

fn prior(config: &Config, state: State, event: Event) -> (State, Vec<Effect>) {
    match (state, event) {
        (State::Loading(_) | State::Unavailable(..), Event::Started(memory)) => {
            replacing::started(memory.and_then(|json| recall(config, &json)))
        }
        (State::Choosing(choosing), Event::Submitted(key)) => {
            submitting::submit(config, choosing, key)
        }
        (State::Choosing(choosing), Event::Resumed) => replacing::resumed(choosing),
        (State::Choosing(choosing), event) => {
            let Next { state, effects, .. } = choosing::step(choosing, event);
            (state, effects)
        }
        (State::Submitting(choosing, attempt), event) => {
            replacing::submitting(choosing, attempt, event)
        }
        (State::Failed(choosing, attempt, failure), event) => {
            replacing::failed(choosing, attempt, failure, &event)
        }
        (State::Awaiting(awaiting), event) => awaiting::step(*awaiting, event),
        (State::Cancelled(form, _), Event::Reset) => load(Draft {
            form: Some(form),
            prior: None,
        }),
        (state, _) => (state, Vec::new()),
    }
}

/// Asks for the tokens that are enabled now.
fn load(draft: Draft) -> (State, Vec<Effect>) {
    (State::Loading(draft), vec![Effect::FetchTokens])
}

fn tell(event: HostEvent) -> Effect {
    Effect::Emit(Box::new(event))
}

fn tell_error(failure: &Failure) -> Effect {
    tell(HostEvent::Error(failure.clone()))
}
