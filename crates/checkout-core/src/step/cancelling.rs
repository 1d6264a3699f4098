//! Cancelling a payment: request, confirmation, response.

use super::{emit, emit_error, emit_state, ended, polling};
use crate::effect::{Effect, HostEvent};
use crate::failure::{Failure, FailureCode};
use crate::response::{self, FetchResult};
use crate::state::{Awaiting, Cancelling, PaymentProgress, Polling, State};

/// Asks the buyer to confirm.
pub(super) fn ask(awaiting: &mut Awaiting) {
    let is_offered = matches!(
        awaiting.cancelling,
        Cancelling::Idle | Cancelling::Failed(_)
    );
    if is_offered && awaiting.may_cancel() {
        awaiting.cancelling = Cancelling::Confirming;
    }
}

/// The buyer does not confirm.
pub(super) fn dismiss(awaiting: &mut Awaiting) {
    if awaiting.cancelling == Cancelling::Confirming {
        awaiting.cancelling = Cancelling::Idle;
    }
}

/// The buyer confirms.
pub(super) fn confirm(awaiting: &mut Awaiting) -> Vec<Effect> {
    if awaiting.cancelling == Cancelling::Confirming && awaiting.may_cancel() {
        request(awaiting)
    } else {
        Vec::new()
    }
}

pub(super) fn request(awaiting: &mut Awaiting) -> Vec<Effect> {
    awaiting.cancelling = Cancelling::Requested;
    vec![Effect::cancel(awaiting)]
}

/// Handles the cancel response. The service's document does not give the status after cancelling, so
/// a success means only that the request to cancel was accepted.
///
/// If the buyer's transaction became known in the meantime, or the record says that money has arrived or that the
/// outcome is unknown, the payment stays on the page: a buyer who has sent the money must not be asked to pay again.
///
/// If the proxy has closed the payment in the meantime, and the response does not say that it was
/// cancelled, it is shown as closed.
pub(super) fn finish(mut awaiting: Awaiting, result: FetchResult) -> (State, Vec<Effect>) {
    if awaiting.cancelling != Cancelling::Requested {
        return (ended::show(awaiting), Vec::new());
    }
    awaiting.cancelling = Cancelling::Idle;
    let closed = emit_state(&awaiting);
    let is_route_missing = response::is_route_missing(&result);
    match response::cancelled(result, &awaiting.payment.transaction_id) {
        Ok(Some(record)) if !record.is_cancelled() => {
            let effects = polling::update(&mut awaiting, record);
            (ended::show(awaiting), effects)
        }
        Ok(record) if awaiting.transaction().is_some() => {
            let mut effects: Vec<_> = closed.into_iter().collect();
            if let Some(record) = record {
                effects.extend(polling::update(&mut awaiting, record));
            }
            (ended::show(awaiting), effects)
        }
        Ok(record) => {
            let mut effects = polling::end(&mut awaiting);
            if let Some(status) = record.and_then(|record| record.status) {
                awaiting.payment.status = status;
            }
            effects.push(emit(HostEvent::Cancelled(awaiting.payment.clone())));
            (State::Cancelled(Box::new(awaiting)), effects)
        }
        Err(_) if closed.is_some() => (ended::show(awaiting), closed.into_iter().collect()),
        Err(_) if is_route_missing => {
            let effects = switch_off(&mut awaiting).into_iter().collect();
            (ended::show(awaiting), effects)
        }
        Err(failure) => {
            let mut effects = vec![emit_error(&failure)];
            awaiting.set_cancel_failed(&failure);
            awaiting.cancelling = Cancelling::Failed(failure);
            if awaiting.progress == PaymentProgress::Marked {
                // The status may have changed.
                effects.extend(polling::poll(&mut awaiting));
            }
            (ended::show(awaiting), effects)
        }
    }
}

/// Stops offering to cancel until the next poll. Without a receipt there are no polls, so one is
/// scheduled for this.
fn switch_off(awaiting: &mut Awaiting) -> Option<Effect> {
    let message = "the proxy has no route to cancel payments";
    awaiting.cancelling =
        Cancelling::Unavailable(Failure::new(FailureCode::ServiceFailed, message));
    let has_polls = awaiting.polling != Polling::Off;
    (!has_polls).then_some(Effect::SchedulePoll(polling::LONGEST_WAIT))
}
