//! Following the status of a payment: by the proxy's event stream and by polling.
//!
//! Polls back off while nothing changes. While the stream delivers events, a poll a minute is
//! enough. Both need a receipt.
//!
//! A proxy without a route responds with 404, 405 or 501, but so may a proxy that is restarting. So
//! no feature is disabled permanently: polling continues, and the stream and the cancellation are
//! retried later.

use tender_protocol::PaymentState;

use super::{emit, emit_error, emit_state};
use crate::effect::{Effect, HostEvent};
use crate::event::StatusEvent;
use crate::record_check::check_later;
use crate::response::{self, FetchResult};
use crate::state::{
    Awaiting, Cancelling, HashSource, LatestRecord, PaymentProgress, Polling, Stream,
};
use crate::status_record::{StatusRecord, has_arrived};

/// Seconds until the first poll. Each further wait is longer by the same number.
const FIRST_WAIT: u32 = 5;

/// The longest wait between two polls, in seconds.
pub(super) const LONGEST_WAIT: u32 = 60;

/// The number of polls after which a refused stream is requested again.
const STREAM_RETRY_POLLS: u32 = 10;

/// Opens the stream of a new payment and schedules the first poll.
pub(super) fn begin(awaiting: &mut Awaiting) -> Vec<Effect> {
    if awaiting.is_paid() {
        return Vec::new();
    }
    let stream = subscribe(awaiting);
    let wait = stream.is_some().then_some(Effect::SchedulePoll(FIRST_WAIT));
    stream.into_iter().chain(wait).collect()
}

/// Stops following the payment. Responses to open requests are ignored.
pub(super) fn end(awaiting: &mut Awaiting) -> Vec<Effect> {
    if awaiting.polling != Polling::Off {
        awaiting.polling = Polling::Waiting(0);
    }
    unsubscribe(awaiting)
}

pub(super) fn step(awaiting: &mut Awaiting, event: StatusEvent) -> Vec<Effect> {
    let is_of = |id: &str| id == awaiting.payment.transaction_id;
    match event {
        StatusEvent::PollDue => {
            let retries_stream = matches!(awaiting.polling, Polling::Waiting(polls)
                if polls > 0 && polls % STREAM_RETRY_POLLS == 0);
            retry_missing_routes(awaiting, retries_stream);
            poll(awaiting)
        }
        StatusEvent::PageSeen => refresh(awaiting),
        StatusEvent::PageHidden => unsubscribe(awaiting),
        StatusEvent::Fetched(id, result) if is_of(&id) => polled(awaiting, result),
        StatusEvent::Received(id, json) if is_of(&id) => received(awaiting, &json),
        StatusEvent::StreamLost(id) if is_of(&id) => stream_ended(awaiting, Stream::Closed),
        StatusEvent::StreamRefused(id) if is_of(&id) => stream_ended(awaiting, Stream::Refused),
        StatusEvent::Fetched(..)
        | StatusEvent::Received(..)
        | StatusEvent::StreamLost(_)
        | StatusEvent::StreamRefused(_) => Vec::new(),
    }
}

/// Requests the status now, and what the proxy had no route for.
pub(super) fn refresh(awaiting: &mut Awaiting) -> Vec<Effect> {
    retry_missing_routes(awaiting, true);
    poll(awaiting)
}

/// Offers to cancel again, and lets the next poll open a stream that was refused.
fn retry_missing_routes(awaiting: &mut Awaiting, retries_stream: bool) {
    if let Cancelling::Unavailable(failure) = &awaiting.cancelling {
        awaiting.cancelling = Cancelling::Failed(failure.clone());
    }
    if retries_stream && awaiting.stream == Stream::Refused {
        awaiting.stream = Stream::Closed;
    }
}

/// Requests the status now, and opens the stream if it is closed. Nothing is left to follow once the
/// payment is paid.
pub(super) fn poll(awaiting: &mut Awaiting) -> Vec<Effect> {
    if awaiting.is_paid() {
        return Vec::new();
    }
    let stream = subscribe(awaiting);
    let read = match (awaiting.polling, &awaiting.receipt) {
        (Polling::Waiting(polls), Some(receipt)) => {
            awaiting.polling = Polling::Requesting(polls);
            Some(Effect::ReadStatus {
                transaction_id: awaiting.payment.transaction_id.clone(),
                receipt: receipt.clone(),
            })
        }
        (Polling::Off | Polling::Requesting(_), _) | (Polling::Waiting(_), None) => None,
    };
    stream.into_iter().chain(read).collect()
}

fn polled(awaiting: &mut Awaiting, result: FetchResult) -> Vec<Effect> {
    let Polling::Requesting(polls) = awaiting.polling else {
        return Vec::new();
    };
    // A failed poll is ignored; the next one retries.
    let record = response::status(result).ok();
    let mut effects = record.map_or_else(Vec::new, |record| update(awaiting, record));
    let polls = if effects.is_empty() {
        polls.saturating_add(1)
    } else {
        0
    };
    effects.extend(schedule(awaiting, polls));
    effects
}

fn received(awaiting: &mut Awaiting, json: &str) -> Vec<Effect> {
    let record = StatusRecord::parse(json).ok();
    let Some(record) = record.filter(|_| has_stream(awaiting)) else {
        return Vec::new();
    };
    awaiting.stream = Stream::Open;
    let mut effects = update(awaiting, record);
    // A poll under way schedules the next one itself.
    if matches!(awaiting.polling, Polling::Waiting(_)) {
        effects.extend(schedule(awaiting, 0));
    }
    effects
}

fn stream_ended(awaiting: &mut Awaiting, next: Stream) -> Vec<Effect> {
    if !has_stream(awaiting) {
        return Vec::new();
    }
    let was_open = awaiting.stream == Stream::Open;
    awaiting.stream = next;
    match awaiting.polling {
        // Polls were rare while the stream was open.
        Polling::Waiting(_) if was_open => schedule(awaiting, 0).into_iter().collect(),
        Polling::Off | Polling::Waiting(_) | Polling::Requesting(_) => Vec::new(),
    }
}

/// Schedules the next poll, after this many without a change. A paid payment is not polled.
fn schedule(awaiting: &mut Awaiting, polls: u32) -> Option<Effect> {
    awaiting.polling = Polling::Waiting(polls);
    if awaiting.is_paid() {
        return None;
    }
    let seconds = match awaiting.stream {
        Stream::Open => LONGEST_WAIT,
        Stream::Off | Stream::Refused | Stream::Closed | Stream::Opening => {
            FIRST_WAIT.saturating_mul(polls.saturating_add(1))
        }
    };
    Some(Effect::SchedulePoll(seconds.min(LONGEST_WAIT)))
}

fn subscribe(awaiting: &mut Awaiting) -> Option<Effect> {
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

fn unsubscribe(awaiting: &mut Awaiting) -> Vec<Effect> {
    if !has_stream(awaiting) {
        return Vec::new();
    }
    awaiting.stream = Stream::Closed;
    vec![Effect::Unsubscribe]
}

fn has_stream(awaiting: &Awaiting) -> bool {
    matches!(awaiting.stream, Stream::Opening | Stream::Open)
}

/// Applies the status of a later record. The displayed amount and wallet don't change. A record that
/// contradicts the payment is not taken for it; the page says so once.
pub(super) fn update(awaiting: &mut Awaiting, record: StatusRecord) -> Vec<Effect> {
    if record.transaction_id != awaiting.payment.transaction_id {
        return Vec::new();
    }
    let known = std::mem::take(&mut awaiting.latest);
    if let Err(mismatch) = check_later(&awaiting.payment, &awaiting.choice, &record) {
        awaiting.latest = LatestRecord::Contradictory;
        let is_new = known == LatestRecord::Consistent;
        return is_new
            .then(|| emit_error(&mismatch.into()))
            .into_iter()
            .collect();
    }
    let is_new_state = set_state(awaiting, record.state);
    awaiting.is_order_paid |= record.is_order_paid;
    let new = record
        .status
        .filter(|status| *status != awaiting.payment.status);
    let mut effects = Vec::new();
    if let Some(status) = new {
        let previous = std::mem::replace(&mut awaiting.payment.status, status);
        match &mut awaiting.progress {
            PaymentProgress::Open => awaiting.progress = PaymentProgress::StatusChanged,
            PaymentProgress::StatusChanged
            | PaymentProgress::Marked
            | PaymentProgress::SaidSent => {}
            PaymentProgress::Sent(_, source) => *source = HashSource::Fixed,
        }
        effects.push(emit(HostEvent::Status {
            payment: awaiting.payment.clone(),
            previous,
        }));
    }
    if awaiting.is_order_paid || awaiting.payment.state.is_some_and(has_arrived) {
        awaiting.cancelling = Cancelling::Idle;
    }
    if awaiting.is_paid() {
        effects.extend(end(awaiting));
    }
    // The response to a cancellation decides what a closed payment is shown as.
    if is_new_state && awaiting.cancelling != Cancelling::Requested {
        awaiting.cancelling = Cancelling::Idle;
        effects.extend(emit_state(awaiting));
    }
    effects
}

/// Applies what the proxy says about the status, and returns whether the state is another one by it. A payment
/// that was closed, pending or underpaid is never open again, because the checkout has asked the buyer not to pay it.
fn set_state(awaiting: &mut Awaiting, new: Option<PaymentState>) -> bool {
    let old = awaiting.payment.state;
    let state = match (old, new) {
        (_, None)
        | (
            Some(PaymentState::Closed | PaymentState::Pending | PaymentState::Underpaid),
            Some(PaymentState::Open),
        )
        | (Some(PaymentState::Closed), Some(PaymentState::Unknown)) => return false,
        (_, Some(state)) => state,
    };
    if has_arrived(state) && awaiting.progress == PaymentProgress::Open {
        awaiting.progress = PaymentProgress::StatusChanged;
    }
    awaiting.is_late |= old == Some(PaymentState::Closed) && state == PaymentState::Paid;
    awaiting.payment.state = Some(state);
    old != Some(state)
}
