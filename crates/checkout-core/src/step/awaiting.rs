//! A payment that exists.

use super::{cancelling, emit, emit_state, ended, finding, load, marking, paying, polling};
use crate::effect::{Effect, HostEvent};
use crate::event::{Event, PaymentEvent, StatusEvent};
use crate::form::Form;
use crate::order::Request;
use crate::response::Created;
use crate::state::{
    Attempt, Awaiting, Cancelling, Draft, LookUp, PaymentProgress, PriorAttempt, State,
};

/// Shows a payment that was just created, or that a repeated request returned and that may have ended.
pub(super) fn begin(form: Form, attempt: Attempt, created: Created) -> (State, Vec<Effect>) {
    let mut effects = vec![emit(HostEvent::Created(created.payment.clone()))];
    let mut awaiting = Awaiting::new(created, attempt.request, attempt.choice, form);
    effects.extend(emit_state(&awaiting));
    effects.extend(polling::begin(&mut awaiting));
    (ended::show(awaiting), effects)
}

/// Shows a payment that was found by its order. It was created elsewhere, so only its state is dispatched.
pub(super) fn found(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    let mut effects: Vec<_> = emit_state(&awaiting).into_iter().collect();
    effects.extend(polling::begin(&mut awaiting));
    (ended::show(awaiting), effects)
}

pub(super) fn step(mut awaiting: Awaiting, event: Event) -> (State, Vec<Effect>) {
    let mut effects = match event {
        Event::Payment(PaymentEvent::CancelFinished(id, result))
            if id == awaiting.payment.transaction_id =>
        {
            return cancelling::finish(awaiting, result);
        }
        Event::Payment(PaymentEvent::ChangeRequested) if awaiting.may_change() => {
            return put_aside(awaiting);
        }
        // A buyer who may have paid is offered no choice.
        Event::Reset
            if awaiting.progress == PaymentProgress::Open
                && awaiting.cancelling != Cancelling::Requested
                && !awaiting.is_wallet_asked() =>
        {
            return put_aside(awaiting);
        }
        Event::Payment(event) => pay_or_cancel(&mut awaiting, event),
        Event::Status(event) => {
            if matches!(event, StatusEvent::PollDue | StatusEvent::PageSeen) {
                marking::retry(&mut awaiting);
            }
            polling::step(&mut awaiting, event)
        }
        Event::Refreshed => {
            marking::retry(&mut awaiting);
            polling::refresh(&mut awaiting)
        }
        Event::FindFinished(result) => {
            finding::compare_marks(&mut awaiting, result);
            Vec::new()
        }
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::Retried
        | Event::Reset
        | Event::Reconfigured
        | Event::Edited(_)
        | Event::Form(_)
        | Event::Sent(_) => Vec::new(),
    };
    effects.extend(marking::settle(&mut awaiting));
    (ended::show(awaiting), effects)
}

fn pay_or_cancel(awaiting: &mut Awaiting, event: PaymentEvent) -> Vec<Effect> {
    match event {
        PaymentEvent::HashEntered(text) => {
            let event = paying::enter_hash(awaiting, &text);
            return event.into_iter().collect();
        }
        PaymentEvent::HashRemoved => paying::remove_hash(awaiting),
        PaymentEvent::WalletChosen(wallet) => paying::request(awaiting, wallet),
        PaymentEvent::WalletAbandoned => paying::abandon(awaiting),
        PaymentEvent::ReceiptRead(id, hash, receipt) if id == awaiting.payment.transaction_id => {
            let next = paying::receipt_read(awaiting, &hash, receipt);
            return next.into_iter().collect();
        }
        PaymentEvent::CancelRequested => cancelling::ask(awaiting),
        PaymentEvent::CancelDismissed => cancelling::dismiss(awaiting),
        PaymentEvent::CancelConfirmed => return cancelling::confirm(awaiting),
        PaymentEvent::ChangeRequested
        | PaymentEvent::ReceiptRead(..)
        | PaymentEvent::CancelFinished(..) => {}
    }
    Vec::new()
}

/// Goes back to the form and keeps the payment. Responses to open requests are ignored.
fn put_aside(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    awaiting.cancelling = Cancelling::Idle;
    let mut effects = polling::end(&mut awaiting);
    let (state, load) = load(Draft {
        form: Some(awaiting.form.clone()),
        prior: Some(PriorAttempt::Payment(Box::new(awaiting))),
        look_up: LookUp::Done,
    });
    effects.extend(load);
    (state, effects)
}

/// Shows a payment again. Its record may be old, so its status is requested at once, and whether another page's mark still
/// stands.
pub(super) fn resume(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    let mut effects = polling::poll(&mut awaiting);
    if awaiting.progress == PaymentProgress::Marked {
        effects.push(Effect::FindPayment);
    }
    (ended::show(awaiting), effects)
}

/// Shows the payment that the tab has saved. Another page may have marked it meanwhile.
pub(super) fn restore(awaiting: Awaiting) -> (State, Vec<Effect>) {
    let may_be_marked = awaiting.progress == PaymentProgress::Open
        && matches!(awaiting.request, Request::Signed(_));
    let (state, mut effects) = resume(awaiting);
    effects.extend(may_be_marked.then_some(Effect::FindPayment));
    (state, effects)
}

/// Shows a payment for which the buyer says that they have sent money, and marks it.
pub(super) fn resume_sent(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    if awaiting.transaction().is_none() {
        awaiting.progress = PaymentProgress::SaidSent;
    }
    let mark = marking::settle(&mut awaiting);
    let (state, effects) = resume(awaiting);
    (state, mark.into_iter().chain(effects).collect())
}
