//! Submitting the form: the look-up of the order's payment if it is still needed, then the create request.

use super::{Next, awaiting, choosing, emit, emit_error, finding, replacing};
use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::{Event, FormEvent, PaymentEvent};
use crate::failure::{Failure, FailureCode};
use crate::form::{Form, FormProblem};
use crate::order::{Order, Request};
use crate::record_check::check_created;
use crate::response::{self, FetchResult};
use crate::state::{
    Attempt, AttemptKey, CheckoutPayment, Choosing, Context, LookUp, Phase, PriorAttempt,
    SubmitStep,
};

pub(super) fn submit(
    config: &Config,
    context: &mut Context,
    mut choosing: Choosing,
    key: AttemptKey,
) -> Next {
    choosing.submits = choosing.submits.saturating_add(1);
    let attempt = match attempt(config, &context.form, &choosing, key) {
        Ok(attempt) => attempt,
        Err(problem) => {
            choosing.problem = Some(problem);
            return (Phase::Choosing(choosing), Vec::new());
        }
    };
    choosing.problem = None;
    let find = match context.look_up {
        LookUp::Done => return proceed(context, choosing, attempt),
        LookUp::Requested => Vec::new(),
        LookUp::Due => vec![Effect::FindPayment],
    };
    context.look_up = LookUp::Requested;
    (
        Phase::Submitting(choosing, attempt, SubmitStep::Finding(None)),
        find,
    )
}

fn attempt(
    config: &Config,
    form: &Form,
    choosing: &Choosing,
    key: AttemptKey,
) -> Result<Attempt, FormProblem> {
    Ok(Attempt {
        key,
        request: form.request(config)?,
        choice: choosing.chosen(form).cloned().ok_or(FormProblem::NoToken)?,
    })
}

/// Goes on with a submitted form whose order has no payment that this tab doesn't know.
pub(super) fn proceed(context: &mut Context, choosing: Choosing, attempt: Attempt) -> Next {
    match context.prior.take() {
        // A buyer who may have paid is not asked to pay again, in any token.
        Some(PriorAttempt::Payment(open))
            if open.is_same_purchase(&attempt.request) || !open.may_be_replaced() =>
        {
            awaiting::resume(*open)
        }
        Some(PriorAttempt::Attempt(prior)) if prior.request == attempt.request => {
            send(context, choosing, *prior)
        }
        // A payment without a record can't be cancelled by this page, and an ended one need not be.
        None | Some(PriorAttempt::Attempt(_) | PriorAttempt::Ended(_)) => {
            send(context, choosing, attempt)
        }
        open => {
            context.prior = open;
            if context.open_question().is_some() {
                return ask(choosing);
            }
            send(context, choosing, attempt)
        }
    }
}

/// Asks the buyer first whether they have sent money for the order's payment.
pub(super) fn ask(mut choosing: Choosing) -> Next {
    choosing.problem = Some(FormProblem::OpenPayment);
    (Phase::Choosing(choosing), Vec::new())
}

/// Creates the payment. If there is an open one, the proxy replaces it, or the page cancels it first.
pub(super) fn send(context: &Context, choosing: Choosing, attempt: Attempt) -> Next {
    let open = context.open_payment();
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
    (Phase::Submitting(choosing, attempt, step), vec![request])
}

pub(super) fn step(
    config: &Config,
    context: &mut Context,
    choosing: Choosing,
    attempt: Attempt,
    step: SubmitStep,
    event: Event,
) -> Next {
    match (step, event) {
        (SubmitStep::Cancelling, Event::Payment(PaymentEvent::CancelFinished(id, result)))
            if is_open(context, &id) =>
        {
            replacing::cancelled(config, context, choosing, attempt, &id, result)
        }
        (SubmitStep::Creating, Event::Form(FormEvent::CreateFinished(key, result)))
            if key == attempt.key =>
        {
            created(config, context, choosing, attempt, result)
        }
        (step, Event::Reconfigured(before)) => {
            let form = context.form.clone();
            let mut offered = choosing::reconfigured(config, context, choosing.clone(), &before);
            // Without a token to choose there would be no form after a failure.
            if offered.choices.is_empty() {
                context.form = form;
                offered = choosing;
            }
            (Phase::Submitting(offered, attempt, step), Vec::new())
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
        ) => (Phase::Submitting(choosing, attempt, step), Vec::new()),
    }
}

/// Whether this is the payment that is replaced.
fn is_open(context: &Context, id: &str) -> bool {
    let open = context.open_payment();
    open.is_some_and(|open| open.record.transaction_id == id)
}

/// Handles the response to the create request. A record that contradicts the request is not shown, nor is a payment in place of one
/// that was sent.
fn created(
    config: &Config,
    context: &mut Context,
    choosing: Choosing,
    attempt: Attempt,
    result: FetchResult,
) -> Next {
    let is_turned_away = response::is_turned_away(&result);
    let checked = response::created(result).and_then(|created| {
        let request = config.order.documented(&attempt.request)?;
        check_created(&request, &attempt.choice, &created.payment)?;
        Ok(created)
    });
    match checked {
        Ok(created) => {
            let id = &created.payment.transaction_id;
            let replaced = context
                .open_payment()
                .filter(|open| open.record.transaction_id != *id)
                .map(|open| emit(HostEvent::Cancelled(open.record.clone())));
            let (phase, effects) = match replacing::take_sent(context) {
                Some(sent) => awaiting::resume(sent),
                None => awaiting::begin(attempt, created),
            };
            context.prior = None;
            (phase, replaced.into_iter().chain(effects).collect())
        }
        Err(failure) => {
            if let Some(PriorAttempt::Payment(open)) = &mut context.prior
                && !is_turned_away
            {
                open.set_cancel_failed(&failure);
            }
            refused(config, context, choosing, attempt, failure)
        }
    }
}

/// Handles a failure. If another payment of a signed order is the cause, that one is looked up and shown.
pub(super) fn refused(
    config: &Config,
    context: &mut Context,
    choosing: Choosing,
    attempt: Attempt,
    failure: Failure,
) -> Next {
    match (&config.order, failure.code) {
        (
            Order::Signed { .. },
            FailureCode::MayBePaid | FailureCode::PaymentOpen | FailureCode::EarlierPaymentOpen,
        ) => {
            context.look_up = LookUp::Requested;
            (
                Phase::Submitting(choosing, attempt, SubmitStep::Finding(Some(failure))),
                vec![Effect::FindPayment],
            )
        }
        _ => give_up(context, choosing, attempt, failure),
    }
}

/// Shows a failure. If the order may be paid, there is no form any more.
pub(super) fn give_up(
    context: &mut Context,
    choosing: Choosing,
    attempt: Attempt,
    failure: Failure,
) -> Next {
    if failure.code == FailureCode::MayBePaid {
        keep(context, attempt, &failure);
        return finding::refuse(context, failure);
    }
    let event = emit_error(&failure);
    (Phase::Failed(choosing, attempt, failure), vec![event])
}

/// Keeps what may be a payment after a failure: the open one if it may not be cancelled; otherwise the attempt, unless the proxy
/// has ended it.
pub(super) fn keep(context: &mut Context, attempt: Attempt, failure: &Failure) {
    if context.prior.is_none() && failure.code != FailureCode::AttemptEnded {
        context.prior = Some(PriorAttempt::Attempt(Box::new(attempt)));
    }
}
