//! The choice beside a payment: one that was begun on an earlier page, or that is still open while
//! the buyer takes another token. It is cancelled first, so that at no time there are two to pay.

use super::{awaiting, load, submitting, tell};
use crate::answer::{self, FetchResult};
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::Failure;
use crate::memory::Recalled;
use crate::state::{Attempt, Awaiting, Choosing, Draft, PriorAttempt, State};

/// Goes on with what was begun on an earlier page, else begins with a choice.
pub(super) fn started(recalled: Option<Recalled>) -> (State, Vec<Effect>) {
    match recalled {
        Some(Recalled {
            prior: PriorAttempt::Payment(awaiting),
            ..
        }) => awaiting::resume(*awaiting),
        Some(Recalled { form, prior }) => load(Draft {
            form: Some(form),
            prior: Some(prior),
        }),
        None => load(Draft::default()),
    }
}

/// Goes back to the payment that is still open.
pub(super) fn resumed(mut choosing: Choosing) -> (State, Vec<Effect>) {
    match take_payment(&mut choosing) {
        Some(payment) => awaiting::resume(*payment),
        None => (State::Choosing(choosing), Vec::new()),
    }
}

/// The payment that the buyer may go back to, which one at another price is not.
fn take_payment(choosing: &mut Choosing) -> Option<Box<Awaiting>> {
    match choosing.prior.take() {
        Some(PriorAttempt::Payment(payment)) => Some(payment),
        prior => {
            choosing.prior = prior;
            None
        }
    }
}

pub(super) fn submitting(
    choosing: Choosing,
    attempt: Attempt,
    event: Event,
) -> (State, Vec<Effect>) {
    match (choosing.open_payment(), event) {
        (Some(open), Event::CancelFinished(id, answered)) if id == open.payment.transaction_id => {
            cancelled(choosing, attempt, &id, answered)
        }
        (None, Event::CreateFinished(key, answered)) if key == attempt.key => {
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
    answered: FetchResult,
) -> (State, Vec<Effect>) {
    let is_absent = answer::is_absent(&answered);
    let cancelled = match answer::cancelled(answered, id) {
        Ok(record) => {
            let known = choosing.open_payment().map(|open| &open.payment);
            record.or_else(|| known.cloned())
        }
        Err(_) if is_absent => None,
        Err(failure) => return submitting::fail(choosing, attempt, failure),
    };
    let told = cancelled.map(|payment| tell(HostEvent::Cancelled(payment)));
    choosing.prior = None;
    let (state, effects) = submitting::send(choosing, attempt);
    (state, told.into_iter().chain(effects).collect())
}

fn created(choosing: Choosing, attempt: Attempt, answered: FetchResult) -> (State, Vec<Effect>) {
    match answer::created(answered) {
        Ok(created) => awaiting::begin(choosing.form, attempt, created),
        Err(failure) => submitting::fail(choosing, attempt, failure),
    }
}

pub(super) fn failed(
    mut choosing: Choosing,
    attempt: Attempt,
    failure: Failure,
    event: &Event,
) -> (State, Vec<Effect>) {
    if matches!(event, Event::Resumed)
        && let Some(payment) = take_payment(&mut choosing)
    {
        return awaiting::resume(*payment);
    }
    submitting::failed(choosing, attempt, failure, event)
}
