//! Cancelling a payment: request, confirmation, response.

use super::{emit, emit_error, ended, polling};
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::{Failure, FailureCode};
use crate::response::{self, FetchResult};
use crate::state::{Awaiting, Cancelling, Polling, State};
use crate::status_record::StatusRecord;

pub(super) fn step(awaiting: &mut Awaiting, event: &Event) -> Vec<Effect> {
    match (&awaiting.cancelling, event) {
        (Cancelling::Idle | Cancelling::Failed(_), Event::CancelRequested)
            if !awaiting.is_wallet_asked() =>
        {
            awaiting.cancelling = Cancelling::Confirming;
            Vec::new()
        }
        (Cancelling::Confirming, Event::CancelDismissed) => {
            awaiting.cancelling = Cancelling::Idle;
            Vec::new()
        }
        (Cancelling::Confirming, Event::CancelConfirmed) => {
            awaiting.cancelling = Cancelling::Requested;
            vec![Effect::cancel(awaiting)]
        }
        _ => Vec::new(),
    }
}

/// Handles the cancel response. The service's document does not give the status after cancelling, so
/// a success means only that the request to cancel was accepted.
///
/// If the buyer's transaction became known in the meantime, or the record says that the payment is paid,
/// it stays on the page: a buyer who has sent the money must not be asked to pay again.
pub(super) fn finish(mut awaiting: Awaiting, result: FetchResult) -> (State, Vec<Effect>) {
    let mut effects = Vec::new();
    if awaiting.cancelling != Cancelling::Requested {
        return (State::Awaiting(Box::new(awaiting)), effects);
    }
    if response::is_route_missing(&result) {
        effects.extend(switch_off(&mut awaiting));
        return (State::Awaiting(Box::new(awaiting)), effects);
    }
    match response::cancelled(result, &awaiting.payment.transaction_id) {
        Ok(record) => {
            awaiting.cancelling = Cancelling::Idle;
            let is_paid = record.as_ref().is_some_and(StatusRecord::is_paid);
            if is_paid || awaiting.transaction().is_some() {
                effects.extend(
                    record
                        .into_iter()
                        .flat_map(|record| polling::update(&mut awaiting, record)),
                );
                return (ended::show(awaiting), effects);
            }
            effects.extend(polling::end(&mut awaiting));
            if let Some(status) = record.and_then(|record| record.status) {
                awaiting.payment.status = status;
            }
            effects.push(emit(HostEvent::Cancelled(awaiting.payment.clone())));
            (State::Cancelled(Box::new(awaiting)), effects)
        }
        Err(failure) => {
            effects.push(emit_error(&failure));
            awaiting.cancelling = Cancelling::Failed(failure);
            (State::Awaiting(Box::new(awaiting)), effects)
        }
    }
}

/// Stops offering to cancel until the next poll. Without a receipt there are no polls, so one is
/// scheduled for this.
///
/// A missing route is no refusal: an earlier request to cancel may have been accepted.
fn switch_off(awaiting: &mut Awaiting) -> Option<Effect> {
    let message = "the proxy has no route to cancel payments";
    awaiting.cancelling =
        Cancelling::Unavailable(Failure::new(FailureCode::ServiceFailed, message));
    let has_polls = awaiting.polling != Polling::Off;
    (!has_polls).then_some(Effect::SchedulePoll(polling::LONGEST_WAIT))
}
