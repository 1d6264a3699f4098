//! Replacing the open payment of an unsigned order by one in another token. The page cancels the open payment first, so
//! that there are never two payments to pay. Of a signed order, the proxy does that itself.

use super::{Next, awaiting, emit, polling, show, submitting};
use crate::config::Config;
use crate::effect::HostEvent;
use crate::failure::{Failure, FailureCode};
use crate::response::{self, FetchResult};
use crate::state::{Attempt, CheckoutPayment, Choosing, Context, PriorAttempt};
use crate::status_record::StatusRecord;

/// Creates the new payment once the open one is cancelled. After any other response, no payment is
/// created, even if the proxy has no route to cancel: the open payment could still be paid. If it is paid,
/// this is shown.
pub(super) fn cancelled(
    config: &Config,
    context: &mut Context,
    choosing: Choosing,
    attempt: Attempt,
    id: &str,
    result: FetchResult,
) -> Next {
    let is_undone = response::is_route_missing(&result) || response::is_turned_away(&result);
    let record = match response::cancelled(result, id) {
        Ok(Some(record)) if !record.is_cancelled() => {
            return still_there(context, choosing, attempt, record);
        }
        Ok(record) => match take_sent(context) {
            Some(sent) => return awaiting::resume(sent),
            None => record,
        },
        Err(failure) => {
            if let Some(PriorAttempt::Payment(open)) = &mut context.prior
                && !is_undone
            {
                open.set_cancel_failed(&failure);
            }
            return submitting::refused(config, context, choosing, attempt, failure);
        }
    };
    let event = context.open_payment().map(|open| {
        let status = record.and_then(|record| record.status);
        let mut payment = open.record.clone();
        payment.status = status.unwrap_or(payment.status);
        emit(HostEvent::Cancelled(payment))
    });
    context.prior = None;
    let (phase, effects) = submitting::send(context, choosing, attempt);
    (phase, event.into_iter().chain(effects).collect())
}

/// Takes the payment that is being replaced, if its transaction has become known meanwhile. It is shown, so that the buyer does not
/// pay twice.
pub(super) fn take_sent(context: &mut Context) -> Option<CheckoutPayment> {
    match context.prior.take() {
        Some(PriorAttempt::Payment(open) | PriorAttempt::Outdated(open))
            if open.transaction().is_some() =>
        {
            Some(*open)
        }
        prior => {
            context.prior = prior;
            None
        }
    }
}

/// Shows the payment that was to be replaced, because money has arrived for it, or its cancellation has no known outcome. One that
/// contradicts its request is not shown, and no other is created.
fn still_there(
    context: &mut Context,
    choosing: Choosing,
    attempt: Attempt,
    record: StatusRecord,
) -> Next {
    match context.prior.take() {
        Some(PriorAttempt::Payment(mut open) | PriorAttempt::Outdated(mut open)) => {
            let effects = polling::update(&mut open, record);
            (show(*open), effects)
        }
        prior => {
            context.prior = prior;
            let message = "the earlier payment is paid, but its record contradicts its request";
            let failure = Failure::new(FailureCode::RecordMismatch, message);
            submitting::give_up(context, choosing, attempt, failure)
        }
    }
}
