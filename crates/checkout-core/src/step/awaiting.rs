//! From a payment to its end, as far as this page can see it.

use super::{load, paying, polling, tell, tell_error};
use crate::answer::{self, Created, FetchResult};
use crate::asset::TransactionHash;
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::form::Form;
use crate::state::{Attempt, Awaiting, Cancelling, Draft, PaymentProgress, PriorAttempt, State};

pub(super) fn begin(form: Form, attempt: Attempt, created: Created) -> (State, Vec<Effect>) {
    let mut effects = vec![tell(HostEvent::Created(created.payment.clone()))];
    let mut awaiting = Awaiting::new(created, attempt.request, attempt.choice, form);
    effects.extend(polling::begin(&mut awaiting));
    (State::Awaiting(Box::new(awaiting)), effects)
}

pub(super) fn step(mut awaiting: Awaiting, event: Event) -> (State, Vec<Effect>) {
    let effects = match event {
        Event::HashEntered(text) => pasted(&mut awaiting, &text),
        Event::WalletChosen(wallet) => paying::chosen(&mut awaiting, wallet),
        Event::WalletFinished(id, answer) if id == awaiting.payment.transaction_id => {
            paying::answered(&mut awaiting, answer)
        }
        Event::CancelRequested if may_cancel(&awaiting) => {
            awaiting.cancelling = Cancelling::Confirming;
            Vec::new()
        }
        Event::CancelDismissed if awaiting.cancelling == Cancelling::Confirming => {
            awaiting.cancelling = Cancelling::Idle;
            Vec::new()
        }
        Event::CancelConfirmed if awaiting.cancelling == Cancelling::Confirming => {
            awaiting.cancelling = Cancelling::Requested;
            vec![Effect::cancel(&awaiting)]
        }
        Event::CancelFinished(id, answered)
            if id == awaiting.payment.transaction_id
                && awaiting.cancelling == Cancelling::Requested =>
        {
            return cancelled(awaiting, answered);
        }
        Event::Reset
            if awaiting.cancelling != Cancelling::Requested && !awaiting.is_wallet_asked() =>
        {
            return put_aside(awaiting);
        }
        Event::ChangeRequested if awaiting.may_change() => return put_aside(awaiting),
        event => polling::step(&mut awaiting, event),
    };
    (State::Awaiting(Box::new(awaiting)), effects)
}

/// Keeps the payment behind a new choice, without what was under way: its answer will find
/// another state.
fn put_aside(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    if awaiting.cancelling != Cancelling::Unavailable {
        awaiting.cancelling = Cancelling::Idle;
    }
    let mut effects = polling::end(&mut awaiting);
    let (state, load) = load(Draft {
        form: Some(awaiting.form.clone()),
        prior: Some(PriorAttempt::Payment(Box::new(awaiting))),
    });
    effects.extend(load);
    (state, effects)
}

/// Shows a payment again that was put aside. Its record may be old by now, so the first look is due.
pub(super) fn resume(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    let effects = polling::look(&mut awaiting);
    (State::Awaiting(Box::new(awaiting)), effects)
}

fn pasted(awaiting: &mut Awaiting, text: &str) -> Vec<Effect> {
    match awaiting.read_hash(text) {
        Some(hash) => take_hash(awaiting, hash),
        None => Vec::new(),
    }
}

/// Takes a hash for that of the buyer's transaction.
pub(super) fn take_hash(awaiting: &mut Awaiting, hash: TransactionHash) -> Vec<Effect> {
    if awaiting.transaction() == Some(&hash) {
        return Vec::new();
    }
    let url = awaiting
        .choice
        .explorer
        .as_ref()
        .map(|explorer| explorer.transaction(&hash));
    let event = HostEvent::Transaction {
        hash: hash.as_str().to_owned(),
        url,
    };
    awaiting.progress = PaymentProgress::Sent(hash);
    vec![tell(event)]
}

fn may_cancel(awaiting: &Awaiting) -> bool {
    !awaiting.is_wallet_asked()
        && matches!(
            awaiting.cancelling,
            Cancelling::Idle | Cancelling::Failed(_)
        )
}

/// The service's answer does not state the status after cancelling, so a success is taken for
/// what it is: the request to cancel was accepted.
fn cancelled(mut awaiting: Awaiting, answered: FetchResult) -> (State, Vec<Effect>) {
    if answer::is_absent(&answered) {
        awaiting.cancelling = Cancelling::Unavailable;
        return (State::Awaiting(Box::new(awaiting)), Vec::new());
    }
    match answer::cancelled(answered, &awaiting.payment.transaction_id) {
        Ok(record) => {
            let mut effects = polling::end(&mut awaiting);
            let payment = record.unwrap_or(awaiting.payment);
            effects.push(tell(HostEvent::Cancelled(payment.clone())));
            (State::Cancelled(awaiting.form, payment), effects)
        }
        Err(failure) => {
            let told = tell_error(&failure);
            awaiting.cancelling = Cancelling::Failed(failure);
            (State::Awaiting(Box::new(awaiting)), vec![told])
        }
    }
}
