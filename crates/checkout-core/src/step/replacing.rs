//! Replacing the open payment of an unsigned order by one in another token. The page cancels the open payment first, so
//! that there are never two payments to pay. Of a signed order, the proxy does that itself.

use super::{emit, polling, show, submitting};
use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::failure::{Failure, FailureCode};
use crate::response::{self, FetchResult};
use crate::state::{Attempt, Choosing, PriorAttempt, State};
use crate::status_record::StatusRecord;

/// Creates the new payment once the open one is cancelled. After any other response, no payment is
/// created, even if the proxy has no route to cancel: the open payment could still be paid. If it is paid,
/// this is shown.
pub(super) fn cancelled(
    config: &Config,
    mut choosing: Choosing,
    attempt: Attempt,
    id: &str,
    result: FetchResult,
) -> (State, Vec<Effect>) {
    let is_undone = response::is_route_missing(&result) || response::is_turned_away(&result);
    let record = match response::cancelled(result, id) {
        Ok(Some(record)) if !record.is_cancelled() => {
            return still_there(choosing, attempt, record);
        }
        Ok(record) => record,
        Err(failure) => {
            if let Some(PriorAttempt::Payment(open)) = &mut choosing.prior
                && !is_undone
            {
                open.set_cancel_failed(&failure);
            }
            return submitting::refused(config, choosing, attempt, failure);
        }
    };
    let event = choosing.open_payment().map(|open| {
        let status = record.and_then(|record| record.status);
        let mut payment = open.record.clone();
        payment.status = status.unwrap_or(payment.status);
        emit(HostEvent::Cancelled(payment))
    });
    choosing.prior = None;
    let (state, effects) = submitting::send(choosing, attempt);
    (state, event.into_iter().chain(effects).collect())
}

/// Shows the payment that was to be replaced, because money has arrived for it, or its cancellation has no known outcome. One that
/// contradicts its request is not shown, and no other is created.
fn still_there(
    mut choosing: Choosing,
    attempt: Attempt,
    record: StatusRecord,
) -> (State, Vec<Effect>) {
    match choosing.prior.take() {
        Some(PriorAttempt::Payment(mut open) | PriorAttempt::Outdated(mut open)) => {
            let effects = polling::update(&mut open, record);
            (show(*open), effects)
        }
        prior => {
            choosing.prior = prior;
            let message = "the earlier payment is paid, but its record contradicts its request";
            let failure = Failure::new(FailureCode::RecordMismatch, message);
            submitting::give_up(choosing, attempt, failure)
        }
    }
}
