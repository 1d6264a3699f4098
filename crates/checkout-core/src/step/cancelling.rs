//! Cancelling a payment: request, confirmation, response.

use super::{Next, emit, emit_error, emit_state, polling, show};
use crate::effect::{Effect, HostEvent};
use crate::failure::{Failure, FailureCode};
use crate::response::{self, FetchResult};
use crate::state::{Cancelling, CheckoutPayment, PaymentProgress, Phase, Reason};

/// Asks the buyer to confirm.
pub(super) fn ask(payment: &mut CheckoutPayment) {
    if payment.cancelling.is_offered() && payment.may_cancel() {
        payment.cancelling = Cancelling::Confirming;
    }
}

/// The buyer confirms.
pub(super) fn confirm(payment: &mut CheckoutPayment) -> Option<Effect> {
    let is_confirmed = payment.cancelling == Cancelling::Confirming && payment.may_cancel();
    is_confirmed.then(|| request(payment))
}

pub(super) fn request(payment: &mut CheckoutPayment) -> Effect {
    payment.cancelling = Cancelling::Requested;
    Effect::cancel(payment)
}

/// Handles the cancel response. The service's document does not give the status after cancelling, so
/// a success means only that the request to cancel was accepted.
///
/// If the buyer's transaction became known in the meantime, or the record says that money has arrived or that the
/// outcome is unknown, the payment stays on the page: a buyer who has sent the money must not be asked to pay again.
///
/// If the proxy has closed the payment in the meantime, and the response does not say that it was
/// cancelled, it is shown as closed.
pub(super) fn finish(mut payment: CheckoutPayment, result: FetchResult) -> Next {
    if payment.cancelling != Cancelling::Requested {
        return (show(payment), Vec::new());
    }
    payment.cancelling = Cancelling::Idle;
    let closed = emit_state(&payment);
    let is_route_missing = response::is_route_missing(&result);
    let is_turned_away = response::is_turned_away(&result);
    let effects = match response::cancelled(result, &payment.record.transaction_id) {
        Ok(Some(record)) if !record.is_cancelled() => polling::update(&mut payment, record),
        Ok(record) if payment.transaction().is_some() => {
            let mut effects: Vec<_> = closed.into_iter().collect();
            if let Some(record) = record {
                effects.extend(polling::update(&mut payment, record));
            }
            effects
        }
        Ok(record) => {
            let mut effects = polling::end(&mut payment);
            if let Some(status) = record.and_then(|record| record.status) {
                payment.record.status = status;
            }
            effects.push(emit(HostEvent::Cancelled(payment.record.clone())));
            return (
                Phase::NotPayable(Reason::Cancelled, Box::new(payment)),
                effects,
            );
        }
        Err(_) if closed.is_some() => closed.into_iter().collect(),
        Err(_) if is_route_missing => switch_off(&mut payment).into_iter().collect(),
        Err(failure) => {
            let mut effects = vec![emit_error(&failure)];
            if !is_turned_away {
                payment.set_cancel_failed(&failure);
            }
            payment.cancelling = Cancelling::Failed(failure);
            if payment.facts.progress() == PaymentProgress::Marked {
                // The status may have changed.
                effects.extend(polling::poll(&mut payment));
            }
            effects
        }
    };
    (show(payment), effects)
}

/// Stops offering to cancel until the next poll. Without a receipt there are no polls, so one is
/// scheduled for this.
fn switch_off(payment: &mut CheckoutPayment) -> Option<Effect> {
    let message = "the proxy has no route to cancel payments";
    payment.cancelling = Cancelling::Unavailable(Failure::new(FailureCode::ServiceFailed, message));
    let is_polled = payment.receipt.is_some();
    (!is_polled).then_some(Effect::SchedulePoll(polling::LONGEST_WAIT))
}
