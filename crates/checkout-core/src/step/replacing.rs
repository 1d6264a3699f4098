//! Replacing an open payment by one in another token. The open payment is cancelled first, so
//! that there are never two payments to pay.

use super::{awaiting, emit, ended, load, polling, submitting};
use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::{Failure, FailureCode};
use crate::memory::Recalled;
use crate::response::{self, FetchResult};
use crate::state::{Attempt, Awaiting, Choosing, Draft, PriorAttempt, State};
use crate::status_record::StatusRecord;

/// Continues the saved attempt if there is one; otherwise starts with the form.
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

/// Goes back to the open payment.
pub(super) fn resume(mut choosing: Choosing) -> (State, Vec<Effect>) {
    match take_payment(&mut choosing) {
        Some(payment) => awaiting::resume(*payment),
        None => (State::Choosing(choosing), Vec::new()),
    }
}

/// Takes the payment that the buyer may go back to: neither one at an outdated price nor one whose
/// record contradicts its request.
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
    config: &Config,
    choosing: Choosing,
    attempt: Attempt,
    event: Event,
) -> (State, Vec<Effect>) {
    match (choosing.open_payment(), event) {
        (Some(open), Event::CancelFinished(id, result)) if id == open.payment.transaction_id => {
            cancelled(choosing, attempt, &id, result)
        }
        (None, Event::CreateFinished(key, result)) if key == attempt.key => {
            submitting::created(config, choosing, attempt, result)
        }
        _ => (State::Submitting(choosing, attempt), Vec::new()),
    }
}

/// Creates the new payment once the open one is cancelled. After any other response, no payment is
/// created, even if the proxy has no route to cancel: the open payment could still be paid. If it is paid,
/// this is shown.
fn cancelled(
    mut choosing: Choosing,
    attempt: Attempt,
    id: &str,
    result: FetchResult,
) -> (State, Vec<Effect>) {
    let is_route_missing = response::is_route_missing(&result);
    let record = match response::cancelled(result, id) {
        Ok(record) => record,
        Err(failure) => {
            if let Some(PriorAttempt::Payment(open)) = &mut choosing.prior
                && !is_route_missing
            {
                open.set_cancel_failed(&failure);
            }
            return submitting::fail(choosing, attempt, failure);
        }
    };
    let record = match record {
        Some(record) if record.is_paid() => return already_paid(choosing, attempt, record),
        record => record,
    };
    let event = choosing.open_payment().map(|open| {
        let status = record.and_then(|record| record.status);
        let mut payment = open.payment.clone();
        payment.status = status.unwrap_or(payment.status);
        emit(HostEvent::Cancelled(payment))
    });
    choosing.prior = None;
    let (state, effects) = submitting::send(choosing, attempt);
    (state, event.into_iter().chain(effects).collect())
}

/// Shows the payment that was to be replaced, because it is paid. One that contradicts its request is not
/// shown, and no other is created.
fn already_paid(
    mut choosing: Choosing,
    attempt: Attempt,
    record: StatusRecord,
) -> (State, Vec<Effect>) {
    match choosing.prior.take() {
        Some(PriorAttempt::Payment(mut open) | PriorAttempt::Outdated(mut open)) => {
            let effects = polling::update(&mut open, record);
            (ended::show(*open), effects)
        }
        prior => {
            choosing.prior = prior;
            let message = "the earlier payment is paid, but its record contradicts its request";
            let failure = Failure::new(FailureCode::RecordMismatch, message);
            submitting::fail(choosing, attempt, failure)
        }
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
