//! Status updates through the event stream, and how they affect polling.

use tender_checkout_core::{Effect, Event, StatusEvent, Stream};

use crate::support::{
    Checkout, answer, lost, ok, payment_record, read_status, receipt, text, with_status,
};

fn is_listening(checkout: &Checkout) -> bool {
    checkout.stream == Some(receipt())
}

/// A checkout whose stream has delivered a record.
fn with_stream() -> Checkout {
    let mut checkout = Checkout::awaiting();
    assert_eq!(
        checkout.receive(payment_record(&[])),
        [Effect::SchedulePoll(60)]
    );
    assert_eq!(checkout.payment().following.stream, Stream::Open);
    checkout
}

#[test]
fn unreadable_records_and_those_of_other_payments_are_ignored() {
    let mut checkout = Checkout::awaiting();
    for json in ["", "<html>", "{}", "[]", "null"] {
        checkout.ignores(StatusEvent::Received("p-1".to_owned(), json.to_owned()));
    }
    checkout.ignores(StatusEvent::Received("p-2".to_owned(), with_status("Paid")));
    let status = text("Paid");
    let other = payment_record(&[("transactionId", r#""p-2""#), ("statusText", &status)]);
    checkout.receive(other.clone());
    assert_eq!(checkout.payment().record.status.text(), "Created");
    checkout.poll(ok(other));
    assert_eq!(checkout.payment().record.status.text(), "Created");
}

#[test]
fn an_open_stream_slows_the_polling_and_does_not_end_it() {
    let mut checkout = with_stream();
    // The proxy may have the stream without the status route.
    for result in [ok(payment_record(&[])), answer(404, ""), lost()] {
        assert_eq!(checkout.on(StatusEvent::PollDue), [read_status()]);
        assert_eq!(checkout.fetch(result), [Effect::SchedulePoll(60)]);
    }
    // A poll in progress schedules the next one itself.
    checkout.on(Event::Refreshed);
    assert_eq!(checkout.receive(with_status("Seen")), []);
    assert_eq!(
        checkout.fetch(ok(with_status("Seen"))),
        [Effect::SchedulePoll(60)]
    );
}

/// One poll without a change.
fn polled(checkout: &mut Checkout) {
    assert_eq!(checkout.on(StatusEvent::PollDue), [read_status()]);
    assert_eq!(checkout.fetch(ok(payment_record(&[]))).len(), 1);
}

/// The proxy may have been restarting.
#[test]
fn a_refused_stream_is_polled_and_opened_again_later() {
    let mut checkout = Checkout::awaiting();
    let count = checkout.host_events.len();
    assert_eq!(checkout.end_stream(StatusEvent::StreamRefused), []);
    assert_eq!(checkout.payment().following.stream, Stream::Refused);
    checkout.ignores(StatusEvent::StreamRefused("p-1".to_owned()));
    for _ in 0..10 {
        polled(&mut checkout);
        assert_eq!(checkout.stream, None);
    }
    polled(&mut checkout);
    assert!(is_listening(&checkout), "every tenth poll");
    assert_eq!(checkout.host_events.len(), count);

    for later in [Event::from(StatusEvent::PageSeen), Event::Refreshed] {
        let mut checkout = Checkout::awaiting();
        checkout.end_stream(StatusEvent::StreamRefused);
        assert_eq!(checkout.on(later), [read_status()]);
        assert!(is_listening(&checkout));
    }
}

#[test]
fn a_lost_stream_is_polled_soon_and_opened_again() {
    let mut checkout = with_stream();
    assert_eq!(
        checkout.end_stream(StatusEvent::StreamLost),
        [Effect::SchedulePoll(5)]
    );
    checkout.ignores(StatusEvent::Received("p-1".to_owned(), with_status("Late")));
    checkout.ignores(StatusEvent::StreamLost("p-1".to_owned()));
    checkout.ignores(StatusEvent::StreamRefused("p-1".to_owned()));
    assert_eq!(checkout.on(StatusEvent::PollDue), [read_status()]);
    assert!(is_listening(&checkout));
}

#[test]
fn a_hidden_page_closes_the_stream_and_polls_when_it_is_visible() {
    let mut checkout = with_stream();
    assert_eq!(checkout.on(StatusEvent::PageHidden), []);
    assert_eq!(checkout.stream, None);
    checkout.ignores(StatusEvent::PageHidden);
    assert_eq!(checkout.on(StatusEvent::PageSeen), [read_status()]);
    assert!(is_listening(&checkout));
    // Browsers report this in several ways.
    checkout.ignores(StatusEvent::PageSeen);
}
