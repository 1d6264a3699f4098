//! Cancelling a payment: request, confirmation, response.

use super::{emit, emit_error, polling};
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::{Failure, FailureCode};
use crate::response::{self, FetchResult};
use crate::state::{Awaiting, Cancelling, Polling, State};

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
/// If the buyer's transaction became known in the meantime, the payment stays on the page with the
/// status of the record: a buyer who has sent the money must not be asked to pay again.
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
        Ok(record) if awaiting.transaction().is_some() => {
            awaiting.cancelling = Cancelling::Idle;
            effects.extend(record.and_then(|payment| polling::update(&mut awaiting, payment)));
            (State::Awaiting(Box::new(awaiting)), effects)
        }
        Ok(record) => {
            effects.extend(polling::end(&mut awaiting));
            let payment = record.unwrap_or(awaiting.payment);
            effects.push(emit(HostEvent::Cancelled(payment.clone())));
            (State::Cancelled(awaiting.form, payment), effects)
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
