//! A payment that exists.

use super::{cancelling, emit, emit_state, ended, finding, load, marking, paying, polling};
use crate::effect::{Effect, HostEvent};
use crate::event::{Event, PaymentEvent, StatusEvent};
use crate::form::Form;
use crate::order::Request;
use crate::response::Created;
use crate::state::{
    Attempt, Cancelling, CheckoutPayment, Draft, LookUp, PaymentProgress, PriorAttempt, State,
};

/// Shows a payment that was just created, or that a repeated request returned and that may have ended.
pub(super) fn begin(form: Form, attempt: Attempt, created: Created) -> (State, Vec<Effect>) {
    let mut effects = vec![emit(HostEvent::Created(created.payment.clone()))];
    let mut payment = CheckoutPayment::new(created, attempt.request, attempt.choice, form);
    effects.extend(emit_state(&payment));
    effects.extend(polling::begin(&mut payment));
    (ended::show(payment), effects)
}

/// Shows a payment that was found by its order. It was created elsewhere, so only its state is dispatched.
pub(super) fn found(mut payment: CheckoutPayment) -> (State, Vec<Effect>) {
    let mut effects: Vec<_> = emit_state(&payment).into_iter().collect();
    effects.extend(polling::begin(&mut payment));
    (ended::show(payment), effects)
}

pub(super) fn step(mut payment: CheckoutPayment, event: Event) -> (State, Vec<Effect>) {
    let mut effects = match event {
        Event::Payment(PaymentEvent::CancelFinished(id, result))
            if id == payment.record.transaction_id =>
        {
            return cancelling::finish(payment, result);
        }
        Event::Payment(PaymentEvent::ChangeRequested) if payment.may_change() => {
            return return_to_form(payment);
        }
        // A buyer who may have paid is offered no choice.
        Event::Reset
            if payment.progress == PaymentProgress::Open
                && payment.cancelling != Cancelling::Requested
                && !payment.is_wallet_asked() =>
        {
            return return_to_form(payment);
        }
        Event::Payment(event) => pay_or_cancel(&mut payment, event).into_iter().collect(),
        Event::Status(event) => {
            if matches!(event, StatusEvent::PollDue | StatusEvent::PageSeen) {
                marking::retry(&mut payment);
            }
            polling::step(&mut payment, event)
        }
        Event::Refreshed => {
            marking::retry(&mut payment);
            polling::refresh(&mut payment)
        }
        Event::FindFinished(result) => {
            finding::compare_marks(&mut payment, result);
            Vec::new()
        }
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::Retried
        | Event::Reset
        | Event::Reconfigured
        | Event::Form(_)
        | Event::Sent(_) => Vec::new(),
    };
    effects.extend(marking::settle(&mut payment));
    (ended::show(payment), effects)
}

fn pay_or_cancel(payment: &mut CheckoutPayment, event: PaymentEvent) -> Option<Effect> {
    match event {
        PaymentEvent::HashEntered(text) => return paying::enter_hash(payment, &text),
        PaymentEvent::HashRemoved => paying::remove_hash(payment),
        PaymentEvent::WalletChosen(wallet) => paying::request(payment, wallet),
        PaymentEvent::WalletAbandoned => paying::abandon(payment),
        PaymentEvent::ReceiptRead(id, hash, receipt) if id == payment.record.transaction_id => {
            return paying::receipt_read(payment, &hash, receipt);
        }
        PaymentEvent::CancelRequested => cancelling::ask(payment),
        PaymentEvent::CancelDismissed => cancelling::dismiss(payment),
        PaymentEvent::CancelConfirmed => return cancelling::confirm(payment),
        PaymentEvent::ChangeRequested
        | PaymentEvent::ReceiptRead(..)
        | PaymentEvent::CancelFinished(..) => {}
    }
    None
}

/// Goes back to the form and keeps the payment. Responses to open requests are ignored.
fn return_to_form(mut payment: CheckoutPayment) -> (State, Vec<Effect>) {
    payment.cancelling = Cancelling::Idle;
    let mut effects = polling::end(&mut payment);
    let (state, load) = load(Draft {
        form: Some(payment.form.clone()),
        prior: Some(PriorAttempt::Payment(Box::new(payment))),
        look_up: LookUp::Done,
    });
    effects.extend(load);
    (state, effects)
}

/// Shows a payment again. Its record may be old, so its status is requested at once, and whether another page's mark still
/// stands.
pub(super) fn resume(mut payment: CheckoutPayment) -> (State, Vec<Effect>) {
    let mut effects = polling::poll(&mut payment);
    if payment.progress == PaymentProgress::Marked {
        effects.push(Effect::FindPayment);
    }
    (ended::show(payment), effects)
}

/// Shows the payment that the tab has saved. Another page may have marked it meanwhile.
pub(super) fn resume_restored(payment: CheckoutPayment) -> (State, Vec<Effect>) {
    let may_be_marked =
        payment.progress == PaymentProgress::Open && matches!(payment.request, Request::Signed(_));
    let (state, mut effects) = resume(payment);
    effects.extend(may_be_marked.then_some(Effect::FindPayment));
    (state, effects)
}

/// Shows a payment for which the buyer says that they have sent money, and marks it.
pub(super) fn resume_sent(mut payment: CheckoutPayment) -> (State, Vec<Effect>) {
    if payment.transaction().is_none() {
        payment.progress = PaymentProgress::SaidSent;
    }
    let mark = marking::settle(&mut payment);
    let (state, effects) = resume(payment);
    (state, mark.into_iter().chain(effects).collect())
}
