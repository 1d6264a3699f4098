//! From a payment to its end, as far as this page can see it.

use tender_protocol::Payment;

use super::{load, tell, tell_error};
use crate::answer::{self, Answered, Created};
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::form::Form;
use crate::rail::TransactionHash;
use crate::send::AmountToSend;
use crate::state::{Attempt, Awaiting, Begun, Cancelling, Draft, Following, State};

/// The wait before the first look at a payment, in seconds; each look in vain adds as much.
const FIRST_LOOK: u32 = 5;

/// The longest wait between two looks, in seconds.
const LAST_LOOK: u32 = 60;

pub(super) fn begin(form: Form, attempt: Attempt, created: Created) -> (State, Vec<Effect>) {
    let Created { payment, receipt } = created;
    let mut effects = vec![tell(HostEvent::Created(payment.clone()))];
    let following = match receipt {
        Some(_) => {
            effects.push(Effect::LookIn(FIRST_LOOK));
            Following::Waiting(0)
        }
        None => Following::Off,
    };
    let awaiting = Awaiting {
        send: AmountToSend::new(payment.quantity_pay.clone(), attempt.choice.decimals),
        payment,
        request: attempt.request,
        choice: attempt.choice,
        receipt,
        transaction: None,
        cancelling: Cancelling::No,
        following,
        form,
    };
    (State::Awaiting(Box::new(awaiting)), effects)
}

pub(super) fn step(mut awaiting: Awaiting, event: Event) -> (State, Vec<Effect>) {
    let effects = match event {
        Event::HashPasted(text) => pasted(&mut awaiting, &text),
        Event::CancelAsked if may_cancel(&awaiting) => {
            awaiting.cancelling = Cancelling::Asked;
            Vec::new()
        }
        Event::CancelDropped if awaiting.cancelling == Cancelling::Asked => {
            awaiting.cancelling = Cancelling::No;
            Vec::new()
        }
        Event::CancelConfirmed if awaiting.cancelling == Cancelling::Asked => {
            awaiting.cancelling = Cancelling::Sent;
            let transaction_id = awaiting.payment.transaction_id.clone();
            vec![Effect::Cancel {
                transaction_id,
                receipt: awaiting.receipt.clone(),
            }]
        }
        Event::CancelAnswered(id, answered)
            if id == awaiting.payment.transaction_id && awaiting.cancelling == Cancelling::Sent =>
        {
            return cancelled(awaiting, answered);
        }
        Event::Reset if awaiting.cancelling != Cancelling::Sent => {
            return load(put_aside(awaiting));
        }
        Event::LookDue | Event::Refreshed => look(&mut awaiting),
        Event::StatusAnswered(id, answered) if id == awaiting.payment.transaction_id => {
            looked(&mut awaiting, answered)
        }
        _ => Vec::new(),
    };
    (State::Awaiting(Box::new(awaiting)), effects)
}

/// Keeps the payment behind a new choice, without what was under way: its answer will find
/// another state.
fn put_aside(mut awaiting: Awaiting) -> Draft {
    if awaiting.cancelling != Cancelling::Off {
        awaiting.cancelling = Cancelling::No;
    }
    if awaiting.following != Following::Off {
        awaiting.following = Following::Waiting(0);
    }
    Draft {
        form: Some(awaiting.form.clone()),
        begun: Some(Begun::Payment(Box::new(awaiting))),
    }
}

/// Shows a payment again that was put aside. Its record may be old by now, so the first look is due.
pub(super) fn resume(mut awaiting: Awaiting) -> (State, Vec<Effect>) {
    let effects = look(&mut awaiting);
    (State::Awaiting(Box::new(awaiting)), effects)
}

fn pasted(awaiting: &mut Awaiting, text: &str) -> Vec<Effect> {
    let hash = awaiting
        .hash_format()
        .and_then(|format| TransactionHash::parse(text, format));
    let Some(hash) = hash else { return Vec::new() };
    if awaiting.transaction.as_ref() == Some(&hash) {
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
    awaiting.transaction = Some(hash);
    vec![tell(event)]
}

fn may_cancel(awaiting: &Awaiting) -> bool {
    matches!(awaiting.cancelling, Cancelling::No | Cancelling::Failed(_))
}

/// The service's answer does not state the status after cancelling, so a success is taken for
/// what it is: the request to cancel was accepted.
fn cancelled(mut awaiting: Awaiting, answered: Answered) -> (State, Vec<Effect>) {
    if answer::is_absent(&answered) {
        awaiting.cancelling = Cancelling::Off;
        return (State::Awaiting(Box::new(awaiting)), Vec::new());
    }
    match answer::cancelled(answered, &awaiting.payment.transaction_id) {
        Ok(record) => {
            let payment = record.unwrap_or(awaiting.payment);
            let told = tell(HostEvent::Cancelled(payment.clone()));
            (State::Cancelled(awaiting.form, payment), vec![told])
        }
        Err(failure) => {
            let told = tell_error(&failure);
            awaiting.cancelling = Cancelling::Failed(failure);
            (State::Awaiting(Box::new(awaiting)), vec![told])
        }
    }
}

fn look(awaiting: &mut Awaiting) -> Vec<Effect> {
    match (awaiting.following, &awaiting.receipt) {
        (Following::Waiting(looks), Some(receipt)) => {
            let receipt = receipt.clone();
            awaiting.following = Following::Looking(looks);
            let transaction_id = awaiting.payment.transaction_id.clone();
            vec![Effect::ReadStatus {
                transaction_id,
                receipt,
            }]
        }
        _ => Vec::new(),
    }
}

fn looked(awaiting: &mut Awaiting, answered: Answered) -> Vec<Effect> {
    let Following::Looking(looks) = awaiting.following else {
        return Vec::new();
    };
    if answer::is_absent(&answered) {
        awaiting.following = Following::Off;
        return Vec::new();
    }
    // A look that failed is no news about the payment: the next one will tell.
    let change = answer::status(answered)
        .ok()
        .and_then(|payment| update(awaiting, payment));
    let looks = if change.is_some() {
        0
    } else {
        looks.saturating_add(1)
    };
    awaiting.following = Following::Waiting(looks);
    let wait = FIRST_LOOK
        .saturating_mul(looks.saturating_add(1))
        .min(LAST_LOOK);
    change.into_iter().chain([Effect::LookIn(wait)]).collect()
}

/// Takes over the status of a later record. What the buyer has to pay stays as it was shown.
fn update(awaiting: &mut Awaiting, payment: Payment) -> Option<Effect> {
    if payment.status == awaiting.payment.status {
        return None;
    }
    let previous = std::mem::replace(&mut awaiting.payment.status, payment.status);
    Some(tell(HostEvent::Status {
        payment: awaiting.payment.clone(),
        previous,
    }))
}
