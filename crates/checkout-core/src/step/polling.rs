//! Following the status of a payment: by the proxy's stream where it has one, else by looks, and by
//! a look now and then all the same.
//!
//! Either is optional: a proxy that does not have it switches it off, quietly.

use tender_protocol::Payment;

use super::tell;
use crate::answer::{self, FetchResult};
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::state::{Awaiting, PaymentProgress, Polling, Stream};

/// The first look at a new payment comes after so many seconds.
const FIRST_LOOK: u32 = 5;

/// The longest wait between two looks, in seconds.
const LAST_LOOK: u32 = 60;

/// Begins to follow a payment whose record is new.
pub(super) fn begin(awaiting: &mut Awaiting) -> Vec<Effect> {
    let stream = listen(awaiting);
    let wait = stream.is_some().then_some(Effect::SchedulePoll(FIRST_LOOK));
    stream.into_iter().chain(wait).collect()
}

/// Ends it for now: what is under way will find another state.
pub(super) fn end(awaiting: &mut Awaiting) -> Vec<Effect> {
    if awaiting.polling != Polling::Off {
        awaiting.polling = Polling::Waiting(0);
    }
    stop_listening(awaiting)
}

pub(super) fn step(awaiting: &mut Awaiting, event: Event) -> Vec<Effect> {
    let is_of = |id: &str| id == awaiting.payment.transaction_id;
    match event {
        Event::PollDue | Event::Refreshed | Event::PageSeen => look(awaiting),
        Event::PageHidden => stop_listening(awaiting),
        Event::StatusFetched(id, answered) if is_of(&id) => looked(awaiting, answered),
        Event::StatusReceived(id, json) if is_of(&id) => heard(awaiting, &json),
        Event::StreamLost(id) if is_of(&id) => stream_ended(awaiting, Stream::Closed),
        Event::StreamRefused(id) if is_of(&id) => stream_ended(awaiting, Stream::Off),
        _ => Vec::new(),
    }
}

/// Looks after the status now, and opens the stream where it is closed.
pub(super) fn look(awaiting: &mut Awaiting) -> Vec<Effect> {
    let stream = listen(awaiting);
    let read = match (awaiting.polling, &awaiting.receipt) {
        (Polling::Waiting(looks), Some(receipt)) => {
            awaiting.polling = Polling::Requesting(looks);
            Some(Effect::ReadStatus {
                transaction_id: awaiting.payment.transaction_id.clone(),
                receipt: receipt.clone(),
            })
        }
        _ => None,
    };
    stream.into_iter().chain(read).collect()
}

fn looked(awaiting: &mut Awaiting, answered: FetchResult) -> Vec<Effect> {
    let Polling::Requesting(looks) = awaiting.polling else {
        return Vec::new();
    };
    if answer::is_absent(&answered) {
        awaiting.polling = Polling::Off;
        return Vec::new();
    }
    // A look that failed is no news about the payment: the next one will tell.
    let payment = answer::status(answered).ok();
    let change = payment.and_then(|payment| update(awaiting, payment));
    let looks = if change.is_some() {
        0
    } else {
        looks.saturating_add(1)
    };
    let next = wait(awaiting, looks);
    change.into_iter().chain([next]).collect()
}

fn heard(awaiting: &mut Awaiting, json: &str) -> Vec<Effect> {
    let Some(payment) = Payment::parse(json).ok().filter(|_| is_listening(awaiting)) else {
        return Vec::new();
    };
    awaiting.stream = Stream::Open;
    let change = update(awaiting, payment);
    // A look that is under way starts the next wait itself.
    let next = matches!(awaiting.polling, Polling::Waiting(_)).then(|| wait(awaiting, 0));
    change.into_iter().chain(next).collect()
}

fn stream_ended(awaiting: &mut Awaiting, left: Stream) -> Vec<Effect> {
    if !is_listening(awaiting) {
        return Vec::new();
    }
    let was_open = awaiting.stream == Stream::Open;
    awaiting.stream = left;
    match awaiting.polling {
        // Looks were rare while the stream spoke.
        Polling::Waiting(_) if was_open => vec![wait(awaiting, 0)],
        // With no look to come, this is when the stream is opened again.
        Polling::Off if left == Stream::Closed => vec![Effect::SchedulePoll(LAST_LOOK)],
        _ => Vec::new(),
    }
}

/// Waits for the next look, after so many in vain.
fn wait(awaiting: &mut Awaiting, looks: u32) -> Effect {
    awaiting.polling = Polling::Waiting(looks);
    let seconds = match awaiting.stream {
        Stream::Open => LAST_LOOK,
        _ => FIRST_LOOK.saturating_mul(looks.saturating_add(1)),
    };
    Effect::SchedulePoll(seconds.min(LAST_LOOK))
}

fn listen(awaiting: &mut Awaiting) -> Option<Effect> {
    let receipt = awaiting.receipt.clone()?;
    if awaiting.stream != Stream::Closed {
        return None;
    }
    awaiting.stream = Stream::Opening;
    let transaction_id = awaiting.payment.transaction_id.clone();
    Some(Effect::Subscribe {
        transaction_id,
        receipt,
    })
}

fn stop_listening(awaiting: &mut Awaiting) -> Vec<Effect> {
    if !is_listening(awaiting) {
        return Vec::new();
    }
    awaiting.stream = Stream::Closed;
    vec![Effect::Unsubscribe]
}

fn is_listening(awaiting: &Awaiting) -> bool {
    matches!(awaiting.stream, Stream::Opening | Stream::Open)
}

/// Takes over the status of a later record. What the buyer has to pay stays as it was shown.
fn update(awaiting: &mut Awaiting, payment: Payment) -> Option<Effect> {
    let is_news = payment.transaction_id == awaiting.payment.transaction_id
        && payment.status != awaiting.payment.status;
    if !is_news {
        return None;
    }
    let previous = std::mem::replace(&mut awaiting.payment.status, payment.status);
    if awaiting.progress == PaymentProgress::Open {
        awaiting.progress = PaymentProgress::StatusChanged;
    }
    Some(tell(HostEvent::Status {
        payment: awaiting.payment.clone(),
        previous,
    }))
}
