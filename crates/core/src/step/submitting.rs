//! From the wish to pay to a payment. An earlier payment of the same order is cancelled first, so
//! that at no time there are two to pay.

use super::{awaiting, load, tell, tell_error};
use crate::answer::{self, Answered};
use crate::effect::{Effect, HostEvent};
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

pub(super) fn step(choosing: Choosing, attempt: Attempt, event: Event) -> (State, Vec<Effect>) {
    match (choosing.open_payment(), event) {
        (Some(open), Event::CancelAnswered(id, answered)) if id == open.payment.transaction_id => {
            cancelled(choosing, attempt, &id, answered)
        }
        (None, Event::CreateAnswered(key, answered)) if key == attempt.key => {
            created(choosing, attempt, answered)
        }
        _ => (State::Submitting(choosing, attempt), Vec::new()),
    }
}

/// Goes on to the new payment once the earlier one is cancelled. A proxy that does not offer to
/// cancel does not keep the buyer from it: nobody pays what is no longer shown.
fn cancelled(
    mut choosing: Choosing,
    attempt: Attempt,
    id: &str,
    answered: Answered,
) -> (State, Vec<Effect>) {
    let is_absent = answer::is_absent(&answered);
    let cancelled = match answer::cancelled(answered, id) {
        Ok(record) => {
            let known = choosing.open_payment().map(|open| &open.payment);
            record.or_else(|| known.cloned())
        }
        Err(_) if is_absent => None,
        Err(failure) => return fail(choosing, attempt, failure),
    };
    let told = cancelled.map(|payment| tell(HostEvent::Cancelled(payment)));
    choosing.begun = None;
    let (state, effects) = submit(choosing, attempt);
    (state, told.into_iter().chain(effects).collect())
}

fn created(choosing: Choosing, attempt: Attempt, answered: Answered) -> (State, Vec<Effect>) {
    match answer::created(answered) {
        Ok(created) => awaiting::begin(choosing.form, attempt, created),
        Err(failure) => fail(choosing, attempt, failure),
    }
}

fn fail(choosing: Choosing, attempt: Attempt, failure: Failure) -> (State, Vec<Effect>) {
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
        Event::Resumed => {
            return match choosing.begun {
                Some(Begun::Payment(begun)) => awaiting::resume(*begun),
                begun => {
                    let choosing = Choosing { begun, ..choosing };
                    (State::Failed(choosing, attempt, failure), Vec::new())
                }
            };
        }
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
