//! A payment that exists.

use super::{cancelling, emit, emit_ending, ended, load, marking, paying, polling};
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::form::Form;
use crate::response::Created;
use crate::state::{Attempt, Awaiting, Cancelling, Draft, PriorAttempt, State};

/// Shows a payment that was just created, or that a repeated request returned and that may have ended.
pub(super) fn begin(form: Form, attempt: Attempt, created: Created) -> (State, Vec<Effect>) {
    let mut effects = vec![emit(HostEvent::Created(created.payment.clone()))];
    let mut awaiting = Awaiting::new(created, attempt.request, attempt.choice, form);
    effects.extend(emit_ending(&awaiting));
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
        Event::Reset
            if awaiting.cancelling != Cancelling::Requested && !awaiting.is_wallet_asked() =>
        {
            return put_aside(awaiting);
        }
        Event::ChangeRequested if awaiting.may_change() => return put_aside(awaiting),
        event => {
            if matches!(event, Event::PollDue | Event::PageSeen | Event::Refreshed) {
                marking::retry(&mut awaiting);
            }
            polling::step(&mut awaiting, event)
        }
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
    });
    effects.extend(load);
    (state, effects)
}

/// Shows a payment again. Its record may be old, so its status is requested at once.
pub(super) fn resume(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    let effects = polling::poll(&mut awaiting);
    (ended::show(awaiting), effects)
}
