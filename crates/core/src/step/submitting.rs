//! From the wish to pay to an answer.

use super::{load, tell_error};
use crate::effect::Effect;
use crate::event::Event;
use crate::failure::{Failure, FailureCode};
use crate::state::{Attempt, Begun, Choosing, Draft, State};

/// Cancels the payment that is open, if one is; else creates the new one.
pub(super) fn submit(choosing: Choosing, attempt: Attempt) -> (State, Vec<Effect>) {
    let request = match choosing.open_payment() {
        Some(open) => Effect::cancel(open),
        None => Effect::Create(Box::new(attempt.clone())),
    };
    (State::Submitting(choosing, attempt), vec![request])
}

/// What there is no answer to has made no payment that this page could show.
pub(super) fn step(choosing: Choosing, attempt: Attempt, event: Event) -> (State, Vec<Effect>) {
    match event {
        Event::CreateAnswered(key, Err(unanswered)) if key == attempt.key => {
            fail(choosing, attempt, unanswered.into())
        }
        _ => (State::Submitting(choosing, attempt), Vec::new()),
    }
}

pub(super) fn fail(choosing: Choosing, attempt: Attempt, failure: Failure) -> (State, Vec<Effect>) {
    let told = tell_error(&failure);
    (State::Failed(choosing, attempt, failure), vec![told])
}

pub(super) fn failed(
    choosing: Choosing,
    attempt: Attempt,
    failure: Failure,
    event: &Event,
) -> (State, Vec<Effect>) {
    let form = match event {
        Event::Retried => return submit(choosing, attempt),
        Event::WentBack => {
            let begun = begun(choosing.begun, attempt, &failure);
            return (State::Choosing(Choosing { begun, ..choosing }), Vec::new());
        }
        Event::Reset => Some(choosing.form),
        Event::Reconfigured => None,
        _ => return (State::Failed(choosing, attempt, failure), Vec::new()),
    };
    let begun = begun(choosing.begun, attempt, &failure);
    load(Draft { form, begun })
}

/// What there is after a failure: the earlier payment, if that could not be cancelled, as then
/// the attempt was never sent; else the attempt, for as long as it may come to something.
fn begun(earlier: Option<Begun>, attempt: Attempt, failure: &Failure) -> Option<Begun> {
    let is_over = failure.code == FailureCode::AttemptEnded;
    earlier.or_else(|| (!is_over).then(|| Begun::Attempt(Box::new(attempt))))
}
