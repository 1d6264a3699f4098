//! Submitting the form: the look-up of the order's payment if it is still needed, then the create request.

use tender_protocol::TokenCode;

use super::finding::{self, LookUpResult};
use super::{awaiting, choosing, emit, emit_error, replacing};
use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::{Event, FormEvent, PaymentEvent};
use crate::failure::{Failure, FailureCode};
use crate::form::FormProblem;
use crate::order::{Order, Request};
use crate::record_check::check_created;
use crate::response::{self, FetchResult};
use crate::state::{
    Attempt, AttemptKey, CheckoutPayment, Choosing, LookUp, PriorAttempt, State, SubmitStep,
};

pub(super) fn submit(
    config: &Config,
    mut choosing: Choosing,
    look_up: LookUp,
    key: AttemptKey,
) -> (State, Vec<Effect>) {
    choosing.submits = choosing.submits.saturating_add(1);
    let attempt = match attempt(config, &choosing, key) {
        Ok(attempt) => attempt,
        Err(problem) => {
            choosing.problem = Some(problem);
            return (State::Choosing(choosing, look_up), Vec::new());
        }
    };
    choosing.problem = None;
    let find = match look_up {
        LookUp::Done => return proceed(choosing, attempt),
        LookUp::Requested => Vec::new(),
        LookUp::Due => vec![Effect::FindPayment],
    };
    (
        State::Submitting(choosing, attempt, SubmitStep::Finding(None)),
        find,
    )
}

/// Notes whether a payment that is now shown is in another token than the buyer has chosen.
pub(super) fn compare_token(
    chosen: Option<&TokenCode>,
    (mut state, effects): (State, Vec<Effect>),
) -> (State, Vec<Effect>) {
    if let State::Awaiting(payment) = &mut state {
        payment.is_other_token = chosen.is_some_and(|chosen| *chosen != payment.choice.code);
    }
    (state, effects)
}

fn attempt(config: &Config, choosing: &Choosing, key: AttemptKey) -> Result<Attempt, FormProblem> {
    Ok(Attempt {
        key,
        request: choosing.form.request(config)?,
        choice: choosing.chosen().cloned().ok_or(FormProblem::NoToken)?,
    })
}

/// Goes on with a submitted form whose order has no payment that this tab doesn't know.
fn proceed(mut choosing: Choosing, attempt: Attempt) -> (State, Vec<Effect>) {
    match choosing.prior.take() {
        // A buyer who may have paid is not asked to pay again, in any token.
        Some(PriorAttempt::Payment(open))
            if open.is_same_purchase(&attempt.request) || !open.may_be_replaced() =>
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
            if choosing.open_question().is_some() {
                return ask(choosing);
            }
            send(choosing, attempt)
        }
    }
}

/// Asks the buyer first whether they have sent money for the order's payment.
fn ask(mut choosing: Choosing) -> (State, Vec<Effect>) {
    choosing.problem = Some(FormProblem::OpenPayment);
    (State::Choosing(choosing, LookUp::Done), Vec::new())
}

/// Creates the payment. If there is an open one, the proxy replaces it, or the page cancels it first.
pub(super) fn send(choosing: Choosing, attempt: Attempt) -> (State, Vec<Effect>) {
    let open = choosing.open_payment();
    let replaced = match attempt.request {
        Request::Signed(_) => open.and_then(CheckoutPayment::with_receipt),
        Request::Plain(_) => None,
    };
    let (step, request) = match open {
        Some(open) if replaced.is_none() => (SubmitStep::Cancelling, Effect::cancel(open)),
        _ => (
            SubmitStep::Creating,
            Effect::Create(Box::new(attempt.clone()), replaced),
        ),
    };
    (State::Submitting(choosing, attempt, step), vec![request])
}

pub(super) fn step(
    config: &Config,
    choosing: Choosing,
    attempt: Attempt,
    step: SubmitStep,
    event: Event,
) -> (State, Vec<Effect>) {
    match (step, event) {
        (SubmitStep::Finding(cause), Event::FindFinished(result)) => {
            looked_up(config, choosing, attempt, cause, result)
        }
        (SubmitStep::Cancelling, Event::Payment(PaymentEvent::CancelFinished(id, result)))
            if is_open(&choosing, &id) =>
        {
            replacing::cancelled(config, choosing, attempt, &id, result)
        }
        (SubmitStep::Creating, Event::Form(FormEvent::CreateFinished(key, result)))
            if key == attempt.key =>
        {
            created(config, choosing, attempt, result)
        }
        (step, Event::Reconfigured(before)) => {
            let offered = choosing::reconfigured(config, choosing.clone(), &before);
            // Without a token to choose there would be no form after a failure.
            let choosing = if offered.choices.is_empty() {
                choosing
            } else {
                offered
            };
            (State::Submitting(choosing, attempt, step), Vec::new())
        }
        (
            step,
            Event::Started(_)
            | Event::TokensFetched(_)
            | Event::FindFinished(_)
            | Event::Retried
            | Event::Refreshed
            | Event::Reset
            | Event::Form(_)
            | Event::Payment(_)
            | Event::Sent(_)
            | Event::Status(_),
        ) => (State::Submitting(choosing, attempt, step), Vec::new()),
    }
}

/// Whether this is the payment that is replaced.
fn is_open(choosing: &Choosing, id: &str) -> bool {
    choosing
        .open_payment()
        .is_some_and(|open| open.record.transaction_id == id)
}

/// Handles the look-up for a submitted form. `cause` is the failure of its create request, if it was sent already.
fn looked_up(
    config: &Config,
    mut choosing: Choosing,
    attempt: Attempt,
    cause: Option<Failure>,
    result: FetchResult,
) -> (State, Vec<Effect>) {
    match (finding::read(result), cause) {
        (LookUpResult::Found(found), cause) => {
            let form = choosing.form.clone();
            let placed = finding::place(
                config,
                &choosing.listed(),
                form,
                &mut choosing.prior,
                *found,
            );
            match (placed, cause) {
                (Ok(Some(shown)), _) => shown,
                (Ok(None), None) => proceed(choosing, attempt),
                (Ok(None), Some(_)) if choosing.open_question().is_some() => ask(choosing),
                (Ok(None), Some(cause)) => give_up(choosing, attempt, cause),
                (Err(mismatch), _) => finding::refuse(choosing::draft(choosing), mismatch),
            }
        }
        (
            LookUpResult::Nothing | LookUpResult::Failed(_) | LookUpResult::Refused(_),
            Some(cause),
        ) => give_up(choosing, attempt, cause),
        (LookUpResult::Nothing, None) => proceed(choosing, attempt),
        (LookUpResult::Failed(failure), None) => {
            choosing.problem = Some(FormProblem::LookUpFailed);
            let event = emit_error(&failure);
            (State::Choosing(choosing, LookUp::Due), vec![event])
        }
        (LookUpResult::Refused(failure), None) => {
            finding::refuse(choosing::draft(choosing), failure)
        }
    }
}

/// Handles the response to the create request. A record that contradicts the request is not shown.
fn created(
    config: &Config,
    mut choosing: Choosing,
    attempt: Attempt,
    result: FetchResult,
) -> (State, Vec<Effect>) {
    let is_turned_away = response::is_turned_away(&result);
    let checked = response::created(result).and_then(|created| {
        let request = config.order.documented(&attempt.request)?;
        check_created(&request, &attempt.choice, &created.payment)?;
        Ok(created)
    });
    match checked {
        Ok(created) => {
            let id = &created.payment.transaction_id;
            let replaced = choosing
                .open_payment()
                .filter(|open| open.record.transaction_id != *id)
                .map(|open| emit(HostEvent::Cancelled(open.record.clone())));
            let (state, effects) = awaiting::begin(choosing.form, attempt, created);
            (state, replaced.into_iter().chain(effects).collect())
        }
        Err(failure) => {
            if let Some(PriorAttempt::Payment(open)) = &mut choosing.prior
                && !is_turned_away
            {
                open.set_cancel_failed(&failure);
            }
            refused(config, choosing, attempt, failure)
        }
    }
}

/// Handles a failure. If another payment of a signed order is the cause, that one is looked up and shown.
pub(super) fn refused(
    config: &Config,
    choosing: Choosing,
    attempt: Attempt,
    failure: Failure,
) -> (State, Vec<Effect>) {
    match (&config.order, failure.code) {
        (
            Order::Signed { .. },
            FailureCode::MayBePaid | FailureCode::PaymentOpen | FailureCode::EarlierPaymentOpen,
        ) => (
            State::Submitting(choosing, attempt, SubmitStep::Finding(Some(failure))),
            vec![Effect::FindPayment],
        ),
        _ => give_up(choosing, attempt, failure),
    }
}

/// Shows a failure. If the order may be paid, there is no form any more.
pub(super) fn give_up(
    choosing: Choosing,
    attempt: Attempt,
    failure: Failure,
) -> (State, Vec<Effect>) {
    if failure.code == FailureCode::MayBePaid {
        let prior = prior(choosing.prior.clone(), attempt, &failure);
        return finding::refuse(choosing::draft(Choosing { prior, ..choosing }), failure);
    }
    let event = emit_error(&failure);
    (State::Failed(choosing, attempt, failure), vec![event])
}

/// The prior attempt to keep after a failure: the open payment if it may not be cancelled; otherwise the attempt, unless the
/// proxy has ended it.
pub(super) fn prior(
    open: Option<PriorAttempt>,
    attempt: Attempt,
    failure: &Failure,
) -> Option<PriorAttempt> {
    let has_ended = failure.code == FailureCode::AttemptEnded;
    open.or_else(|| (!has_ended).then(|| PriorAttempt::Attempt(Box::new(attempt))))
}
