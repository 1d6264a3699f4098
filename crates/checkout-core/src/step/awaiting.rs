//! A payment that exists.

use super::{cancelling, emit, emit_state, ended, finding, load, marking, paying, polling};
use crate::effect::{Effect, HostEvent};
use crate::event::{Event, form_events};
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
        Event::HashEntered(text) => {
            let event = paying::enter_hash(&mut awaiting, &text);
            event.into_iter().collect()
        }
        Event::HashRemoved => {
            paying::remove_hash(&mut awaiting);
            Vec::new()
        }
        Event::WalletChosen(wallet) => {
            paying::request(&mut awaiting, wallet);
            Vec::new()
        }
        Event::ReceiptRead(id, hash, receipt) if id == awaiting.payment.transaction_id => {
            let next = paying::receipt_read(&mut awaiting, &hash, receipt);
            next.into_iter().collect()
        }
        Event::WalletAbandoned => {
            paying::abandon(&mut awaiting);
            Vec::new()
        }
        Event::CancelFinished(id, result) if id == awaiting.payment.transaction_id => {
            return cancelling::finish(awaiting, result);
        }
        Event::CancelRequested | Event::CancelDismissed | Event::CancelConfirmed => {
            cancelling::step(&mut awaiting, &event)
        }
        // A buyer who may have paid is offered no choice.
        Event::Reset
            if awaiting.progress == PaymentProgress::Open
                && awaiting.cancelling != Cancelling::Requested
                && !awaiting.is_wallet_asked() =>
        {
            return put_aside(awaiting);
        }
        Event::ChangeRequested if awaiting.may_change() => return put_aside(awaiting),
        Event::PollDue | Event::PageSeen | Event::Refreshed => {
            marking::retry(&mut awaiting);
            polling::step(&mut awaiting, event)
        }
        Event::StatusFetched(..)
        | Event::StatusReceived(..)
        | Event::StreamLost(_)
        | Event::StreamRefused(_)
        | Event::PageHidden => polling::step(&mut awaiting, event),
        Event::FindFinished(result) => {
            finding::compare_marks(&mut awaiting, result);
            Vec::new()
        }
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::WalletFinished(..)
        | Event::MarkFinished(..)
        | Event::UnmarkFinished(..)
        | Event::ReceiptRead(..)
        | Event::ChangeRequested
        | Event::CancelFinished(..)
        | Event::Retried
        | Event::Reset
        | Event::Reconfigured
        | form_events!() => Vec::new(),
    };
    effects.extend(marking::settle(&mut awaiting));
    (ended::show(awaiting), effects)
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
