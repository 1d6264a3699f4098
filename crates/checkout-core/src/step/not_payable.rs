//! A payment to which no money should be sent any more.

use tender_protocol::PaymentState;

use super::{Next, cancelling, load, marking, polling, show};
use crate::event::{Event, PaymentEvent};
use crate::state::{Cancelling, CheckoutPayment, Context, LookUp, Phase, PriorAttempt, Reason};

pub(super) fn step(
    context: &mut Context,
    reason: Reason,
    payment: CheckoutPayment,
    event: Event,
) -> Next {
    match reason {
        Reason::Pending | Reason::Underpaid | Reason::OrderPaid | Reason::OrderSeen => {
            followed(payment, event)
        }
        Reason::Unknown => unknown(payment, event),
        Reason::Closed => closed(context, payment, event),
        // A paid payment stays paid, and is no longer followed.
        Reason::Paid => (Phase::NotPayable(reason, Box::new(payment)), Vec::new()),
        Reason::Cancelled => cancelled(context, payment, &event),
    }
}

/// A pending or underpaid payment, or one whose order is paid or seems to be paid by another payment. Nothing is left to do for the buyer, and
/// only its status is followed.
fn followed(mut payment: CheckoutPayment, event: Event) -> Next {
    let mut effects = match event {
        Event::Status(event) => polling::step(&mut payment, event),
        Event::Refreshed => polling::refresh(&mut payment),
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Retried
        | Event::Reset
        | Event::Reconfigured(_)
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_) => Vec::new(),
    };
    effects.extend(marking::release(&mut payment));
    (show(payment), effects)
}

/// A payment that may have ended. It is followed, and the buyer may cancel it again, by which the proxy finds out.
fn unknown(mut payment: CheckoutPayment, event: Event) -> Next {
    match event {
        Event::Payment(PaymentEvent::CancelConfirmed)
            if payment.may_cancel() && payment.cancelling != Cancelling::Requested =>
        {
            let effect = cancelling::request(&mut payment);
            (show(payment), vec![effect])
        }
        Event::Payment(PaymentEvent::CancelFinished(id, result))
            if id == payment.record.transaction_id =>
        {
            cancelling::finish(payment, result)
        }
        event => followed(payment, event),
    }
}

/// A closed payment is still followed, because money that was sent before may arrive.
fn closed(context: &mut Context, payment: CheckoutPayment, event: Event) -> Next {
    match event {
        Event::Reset if payment.may_start_again() => start_again(context, payment),
        event => followed(payment, event),
    }
}

/// A cancelled payment is no longer followed.
fn cancelled(context: &mut Context, payment: CheckoutPayment, event: &Event) -> Next {
    match event {
        Event::Reset => start_again(context, payment),
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Retried
        | Event::Refreshed
        | Event::Reconfigured(_)
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_)
        | Event::Status(_) => (
            Phase::NotPayable(Reason::Cancelled, Box::new(payment)),
            Vec::new(),
        ),
    }
}

/// Shows an ended payment as closed, and follows it: its transaction has become known, so the buyer has
/// sent money to it and must not be asked to pay again.
pub(super) fn reopen_as_closed(mut payment: CheckoutPayment) -> Next {
    payment.record.state = Some(PaymentState::Closed);
    let effects = polling::poll(&mut payment);
    (show(payment), effects)
}

/// Goes back to the form. The payment is kept only for a wallet that may still report its transaction. The order's payment
/// is not looked up: it may be this one, and the proxy creates no other one beside an open one.
fn start_again(context: &mut Context, mut payment: CheckoutPayment) -> Next {
    let mut effects = polling::end(&mut payment);
    let is_unclear = payment.wallet.is_unclear();
    context.prior = is_unclear.then(|| PriorAttempt::Ended(Box::new(payment)));
    context.look_up = LookUp::Done;
    let (phase, load) = load(context);
    effects.extend(load);
    (phase, effects)
}
