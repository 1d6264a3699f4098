//! From the wish to pay to an answer.

use super::{awaiting, load, tell_error};
use crate::config::Config;
use crate::effect::Effect;
use crate::event::Event;
use crate::failure::{Failure, FailureCode};
use crate::form::FormProblem;
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
        // Who may have paid is not asked to pay again, with whatever token.
        Some(PriorAttempt::Payment(open))
            if open.request == attempt.request || open.may_be_paid() =>
        {
            awaiting::resume(*open)
        }
        Some(PriorAttempt::Attempt(prior)) if prior.request == attempt.request => {
            send(choosing, *prior)
        }
        // What may be a payment but has no record can't be cancelled by this page.
        None | Some(PriorAttempt::Attempt(_)) => send(choosing, attempt),
        open @ Some(PriorAttempt::Payment(_) | PriorAttempt::Outdated(_)) => {
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

/// Cancels the payment that is open, if one is; else creates the new one.
pub(super) fn send(choosing: Choosing, attempt: Attempt) -> (State, Vec<Effect>) {
    let request = match choosing.open_payment() {
        Some(open) => Effect::cancel(open),
        None => Effect::Create(Box::new(attempt.clone())),
    };
    (State::Submitting(choosing, attempt), vec![request])
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
        Event::Retried => return send(choosing, attempt),
        Event::FailureDismissed => {
            let prior = prior(choosing.prior, attempt, &failure);
            return (State::Choosing(Choosing { prior, ..choosing }), Vec::new());
        }
        Event::Reset => Some(choosing.form),
        Event::Reconfigured => None,
        _ => return (State::Failed(choosing, attempt, failure), Vec::new()),
    };
    let prior = prior(choosing.prior, attempt, &failure);
    load(Draft { form, prior })
}

/// What there is after a failure: the earlier payment, if that could not be cancelled, as then
/// the attempt was never sent; else the attempt, for as long as it may come to something.
fn prior(
    earlier: Option<PriorAttempt>,
    attempt: Attempt,
    failure: &Failure,
) -> Option<PriorAttempt> {
    let is_over = failure.code == FailureCode::AttemptEnded;
    earlier.or_else(|| (!is_over).then(|| PriorAttempt::Attempt(Box::new(attempt))))
}
