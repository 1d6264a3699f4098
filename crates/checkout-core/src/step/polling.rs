//! Following the status of a payment: by the proxy's event stream and by polling.
//!
//! Polls back off while nothing changes. While the stream delivers events, a poll a minute is
//! enough. Both need a receipt.
//!
//! A proxy without a route responds with 404, 405 or 501, but so may a proxy that is restarting. So
//! no feature is disabled permanently: polling continues, and the stream and the cancellation are
//! retried later.

use tender_protocol::PaymentState;

use super::{emit, emit_error, emit_state, marking};
use crate::effect::{Effect, HostEvent};
use crate::event::StatusEvent;
use crate::record_check::check_later;
use crate::response::{self, FetchResult, TransportError};
use crate::state::{Cancelling, CheckoutPayment, LatestRecord, Polling, Stream};
use crate::status_record::{StatusRecord, has_arrived};

/// Seconds until the first poll. Each further wait is longer by the same number.
const FIRST_WAIT: u32 = 5;

/// The longest wait between two polls, in seconds.
pub(super) const LONGEST_WAIT: u32 = 60;

/// The number of polls after which a refused stream is requested again.
const STREAM_RETRY_POLLS: u32 = 10;

/// Opens the stream of a new payment and schedules the first poll.
pub(super) fn begin(payment: &mut CheckoutPayment) -> Vec<Effect> {
    if payment.is_paid() {
        return Vec::new();
    }
    let stream = subscribe(payment);
    let wait = stream.is_some().then_some(Effect::SchedulePoll(FIRST_WAIT));
    stream.into_iter().chain(wait).collect()
}

/// Stops following the payment. Responses to open requests are ignored.
pub(super) fn end(payment: &mut CheckoutPayment) -> Vec<Effect> {
    payment.following.polling = Polling::Waiting(0);
    unsubscribe(payment)
}

pub(super) fn step(payment: &mut CheckoutPayment, event: StatusEvent) -> Vec<Effect> {
    let is_of = |id: &str| id == payment.record.transaction_id;
    match event {
        StatusEvent::PollDue => {
            let retries_stream = matches!(payment.following.polling, Polling::Waiting(polls)
                if polls > 0 && polls % STREAM_RETRY_POLLS == 0);
            repeat_failed(payment, retries_stream)
        }
        StatusEvent::PageSeen => refresh(payment),
        StatusEvent::PageHidden => unsubscribe(payment),
        StatusEvent::Fetched(id, result) if is_of(&id) => polled(payment, result),
        StatusEvent::Received(id, json) if is_of(&id) => received(payment, &json),
        StatusEvent::StreamLost(id) if is_of(&id) => stream_ended(payment, Stream::Closed),
        StatusEvent::StreamRefused(id) if is_of(&id) => stream_ended(payment, Stream::Refused),
        StatusEvent::Fetched(..)
        | StatusEvent::Received(..)
        | StatusEvent::StreamLost(_)
        | StatusEvent::StreamRefused(_) => Vec::new(),
    }
}

/// Requests the status now, and what has failed or what the proxy had no route for.
pub(super) fn refresh(payment: &mut CheckoutPayment) -> Vec<Effect> {
    repeat_failed(payment, true)
}

fn repeat_failed(payment: &mut CheckoutPayment, retries_stream: bool) -> Vec<Effect> {
    let mark = marking::retry(payment);
    retry_missing_routes(payment, retries_stream);
    mark.into_iter().chain(poll(payment)).collect()
}

/// Offers to cancel again, and lets the next poll open a stream that was refused.
fn retry_missing_routes(payment: &mut CheckoutPayment, retries_stream: bool) {
    if let Cancelling::Unavailable(failure) = &payment.cancelling {
        payment.cancelling = Cancelling::Failed(failure.clone());
    }
    if retries_stream && payment.following.stream == Stream::Refused {
        payment.following.stream = Stream::Closed;
    }
}

/// Requests the status now, and opens the stream if it is closed. Nothing is left to follow once the
/// payment is paid.
pub(super) fn poll(payment: &mut CheckoutPayment) -> Vec<Effect> {
    if payment.is_paid() {
        return Vec::new();
    }
    let stream = subscribe(payment);
    let read = match (payment.following.polling, payment.with_receipt()) {
        (Polling::Waiting(polls), Some(receipt)) => {
            payment.following.polling = Polling::Requesting(polls);
            Some(Effect::ReadStatus(receipt))
        }
        (Polling::Requesting(_), _) | (Polling::Waiting(_), None) => None,
    };
    stream.into_iter().chain(read).collect()
}

fn polled(payment: &mut CheckoutPayment, result: FetchResult) -> Vec<Effect> {
    let Polling::Requesting(polls) = payment.following.polling else {
        return Vec::new();
    };
    let has_timed_out = result == Err(TransportError::TimedOut);
    let mut effects = match response::status(result) {
        Ok(record) if record.transaction_id == payment.record.transaction_id => {
            update(payment, record)
        }
        // The next one retries.
        Ok(_) | Err(_) => {
            payment.following.reads.fail(has_timed_out);
            Vec::new()
        }
    };
    let polls = if effects.is_empty() {
        polls.saturating_add(1)
    } else {
        0
    };
    effects.extend(schedule(payment, polls));
    effects
}

fn received(payment: &mut CheckoutPayment, json: &str) -> Vec<Effect> {
    let record = StatusRecord::parse(json).ok();
    let Some(record) = record.filter(|_| payment.following.stream.is_used()) else {
        return Vec::new();
    };
    payment.following.stream = Stream::Open;
    let mut effects = update(payment, record);
    // A poll under way schedules the next one itself.
    if matches!(payment.following.polling, Polling::Waiting(_)) {
        effects.extend(schedule(payment, 0));
    }
    effects
}

fn stream_ended(payment: &mut CheckoutPayment, next: Stream) -> Vec<Effect> {
    if !payment.following.stream.is_used() {
        return Vec::new();
    }
    let was_open = payment.following.stream == Stream::Open;
    payment.following.stream = next;
    match payment.following.polling {
        // Polls were rare while the stream was open.
        Polling::Waiting(_) if was_open => schedule(payment, 0).into_iter().collect(),
        Polling::Waiting(_) | Polling::Requesting(_) => Vec::new(),
    }
}

/// Schedules the next poll, after this many without a change. A paid payment is not polled.
fn schedule(payment: &mut CheckoutPayment, polls: u32) -> Option<Effect> {
    payment.following.polling = Polling::Waiting(polls);
    if payment.is_paid() {
        return None;
    }
    let seconds = match payment.following.stream {
        Stream::Open => LONGEST_WAIT,
        Stream::Refused | Stream::Closed | Stream::Opening => {
            FIRST_WAIT.saturating_mul(polls.saturating_add(1))
        }
    };
    Some(Effect::SchedulePoll(seconds.min(LONGEST_WAIT)))
}

fn subscribe(payment: &mut CheckoutPayment) -> Option<Effect> {
    let receipt = payment.with_receipt()?;
    if payment.following.stream != Stream::Closed {
        return None;
    }
    payment.following.stream = Stream::Opening;
    Some(Effect::Subscribe(receipt))
}

fn unsubscribe(payment: &mut CheckoutPayment) -> Vec<Effect> {
    if !payment.following.stream.is_used() {
        return Vec::new();
    }
    payment.following.stream = Stream::Closed;
    vec![Effect::Unsubscribe]
}

/// Applies the status of a later record. The displayed amount and wallet don't change. A record that
/// contradicts the payment is not taken for it; the page says so once.
pub(super) fn update(payment: &mut CheckoutPayment, record: StatusRecord) -> Vec<Effect> {
    if record.transaction_id != payment.record.transaction_id {
        return Vec::new();
    }
    payment.following.reads.succeed();
    let known = std::mem::take(&mut payment.facts.latest);
    if let Err(mismatch) = check_later(&payment.record, &payment.choice, &record) {
        payment.facts.latest = LatestRecord::Contradictory;
        let is_new = known == LatestRecord::Consistent;
        return is_new.then(|| emit_error(&mismatch)).into_iter().collect();
    }
    let is_new_state = set_state(payment, record.state);
    // The merchant may release the order, but a payment of it that is paid stays paid.
    payment.facts.is_order_paid |= record.is_order_paid;
    payment.facts.is_order_seen = record.is_order_seen;
    let new = record
        .status
        .filter(|status| *status != payment.record.status);
    let mut effects = Vec::new();
    if let Some(status) = new {
        let previous = std::mem::replace(&mut payment.record.status, status);
        payment.facts.has_status_changed = true;
        payment.facts.may_edit_hash = false;
        payment.wallet.end_watch();
        effects.push(emit(HostEvent::Status {
            payment: payment.record.clone(),
            previous,
        }));
    }
    payment.hear_mark(record.is_sent);
    let facts = &payment.facts;
    let is_order_seen = facts.is_order_paid || facts.is_order_seen;
    if is_order_seen || payment.record.state.is_some_and(has_arrived) {
        payment.cancelling = Cancelling::Idle;
    }
    if payment.is_paid() {
        effects.extend(end(payment));
    }
    // The response to a cancellation decides what a closed payment is shown as.
    if is_new_state && payment.cancelling != Cancelling::Requested {
        payment.cancelling = Cancelling::Idle;
        effects.extend(emit_state(payment));
    }
    effects
}

/// Applies what the proxy says about the status, and returns whether that changes the state. A payment
/// that was closed, pending or underpaid is never open again, because the checkout has asked the buyer not to pay it.
fn set_state(payment: &mut CheckoutPayment, new: Option<PaymentState>) -> bool {
    let old = payment.record.state;
    let state = match (old, new) {
        (_, None)
        | (
            Some(PaymentState::Closed | PaymentState::Pending | PaymentState::Underpaid),
            Some(PaymentState::Open),
        )
        | (Some(PaymentState::Closed), Some(PaymentState::Unknown)) => return false,
        (_, Some(state)) => state,
    };
    payment.facts.has_status_changed |= has_arrived(state);
    payment.facts.is_late |= old == Some(PaymentState::Closed) && state == PaymentState::Paid;
    payment.record.state = Some(state);
    old != Some(state)
}
