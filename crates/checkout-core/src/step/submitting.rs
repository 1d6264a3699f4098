//! Submitting the form, and the response to the create request.

use super::{awaiting, emit_error, load};
use crate::config::Config;
use crate::effect::Effect;
use crate::event::Event;
use crate::failure::{Failure, FailureCode};
use crate::form::FormProblem;
use crate::record_check::check_created;
use crate::response::{self, FetchResult};
use crate::state::{Attempt, AttemptKey, Choosing, Draft, PriorAttempt, State};

pub(super) fn submit(
    config: &Config,
    mut choosing: Choosing,
    key: AttemptKey,
) -> (State, Vec<Effect>) {
    let attempt = match attempt(config, &choosing, key) {
        Ok(attempt) => attempt,
        Err(problem) => {
            choosing.problem = Some(problem);
            return (State::Choosing(choosing), Vec::new());
        }
    };
    match choosing.prior.take() {
        // A buyer who may have paid is not asked to pay again, in any token.
        Some(PriorAttempt::Payment(open))
            if open.request == attempt.request || !open.may_be_replaced() =>
        {
            awaiting::resume(*open)
        }
        Some(PriorAttempt::Attempt(prior)) if prior.request == attempt.request => {
            send(choosing, *prior)
        }
        // A payment without a record can't be cancelled by this page, and an ended one need not be.
        None | Some(PriorAttempt::Attempt(_) | PriorAttempt::Ended(_)) => send(choosing, attempt),
        open => {
            choosing.prior = open;
            send(choosing, attempt)
        }
    }
}

fn attempt(config: &Config, choosing: &Choosing, key: AttemptKey) -> Result<Attempt, FormProblem> {
    Ok(Attempt {
        key,
        request: choosing.form.request(config)?,
        choice: choosing.chosen().cloned().ok_or(FormProblem::NoToken)?,
    })
}

/// Cancels the open payment if there is one; otherwise creates the new one.
pub(super) fn send(choosing: Choosing, attempt: Attempt) -> (State, Vec<Effect>) {
    let request = match choosing.open_payment() {
        Some(open) => Effect::cancel(open),
        None => Effect::Create(Box::new(attempt.clone())),
    };
    (State::Submitting(choosing, attempt), vec![request])
}

/// Handles the response to the create request. A record that contradicts the request is not shown.
pub(super) fn created(
    config: &Config,
    choosing: Choosing,
    attempt: Attempt,
    result: FetchResult,
) -> (State, Vec<Effect>) {
    let checked = response::created(result).and_then(|created| {
        let request = config.order.documented(&attempt.request)?;
        check_created(&request, &attempt.choice, &created.payment)?;
        Ok(created)
    });
    match checked {
        Ok(created) => awaiting::begin(choosing.form, attempt, created),
        Err(failure) => fail(choosing, attempt, failure),
    }
}

pub(super) fn fail(choosing: Choosing, attempt: Attempt, failure: Failure) -> (State, Vec<Effect>) {
    let event = emit_error(&failure);
    (State::Failed(choosing, attempt, failure), vec![event])
}

pub(super) fn failed(
    choosing: Choosing,
    attempt: Attempt,
    failure: Failure,
    event: &Event,
) -> (State, Vec<Effect>) {
    let form = match event {
        Event::Retried => return send(choosing, attempt),
        Event::FailureDismissed => {
            let prior = prior(choosing.prior, attempt, &failure);
            return (State::Choosing(Choosing { prior, ..choosing }), Vec::new());
        }
        // A buyer who changes the form no longer wants to repeat what failed.
        Event::TokenChosen(_)
        | Event::EmailTyped(_)
        | Event::NameTyped(_)
        | Event::AmountTyped(_) => {
            let prior = prior(choosing.prior, attempt, &failure);
            return super::choosing::step(Choosing { prior, ..choosing }, event.clone());
        }
        Event::Reset => Some(choosing.form),
        Event::Reconfigured => None,
        _ => return (State::Failed(choosing, attempt, failure), Vec::new()),
    };
    let prior = prior(choosing.prior, attempt, &failure);
    load(Draft { form, prior })
}

/// The prior attempt to keep after a failure: the open payment if it could not be cancelled, because
/// the attempt was not sent then; otherwise the attempt, unless the proxy has ended it.
fn prior(open: Option<PriorAttempt>, attempt: Attempt, failure: &Failure) -> Option<PriorAttempt> {
    let has_ended = failure.code == FailureCode::AttemptEnded;
    open.or_else(|| (!has_ended).then(|| PriorAttempt::Attempt(Box::new(attempt))))
}
