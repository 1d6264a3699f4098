//! The status of a payment is polled for as long as the page is open.

use tender_checkout_core::{Effect, Event, FetchResult, HostEvent, StatusEvent, TransportError};
use tender_protocol::Status;

use crate::support::{Checkout, answer, lost, ok, payment_record, read_status, with_status};

/// One poll of the status. Returns the seconds until the next.
fn looked(checkout: &mut Checkout, answered: FetchResult) -> Option<u32> {
    assert_eq!(checkout.on(StatusEvent::PollDue), [read_status()]);
    match checkout.fetch(answered)[..] {
        [] => None,
        [Effect::SchedulePoll(seconds)] => Some(seconds),
        ref others => panic!("a look is followed by another: {others:?}"),
    }
}

fn unchanged() -> FetchResult {
    ok(payment_record(&[]))
}

#[test]
fn a_change_is_emitted_once_with_the_previous_status() {
    let mut checkout = Checkout::awaiting();
    let count = checkout.host_events.len();
    assert_eq!(looked(&mut checkout, ok(with_status("Seen"))), Some(5));
    let seen = Status::new("7", "Seen").unwrap();
    let HostEvent::Status { payment, previous } = checkout.last_event() else {
        panic!("a change of the status is dispatched");
    };
    assert_eq!((&payment.status, previous), (&seen, Status::Created));
    assert_eq!(checkout.payment().record, payment);

    looked(&mut checkout, ok(with_status("Seen")));
    assert_eq!(
        checkout.host_events.len(),
        count,
        "the status did not change"
    );
    looked(&mut checkout, ok(with_status("Paid")));
    assert!(
        matches!(checkout.last_event(), HostEvent::Status { previous, .. } if previous == seen)
    );
    assert_eq!(checkout.host_events.len(), count);
}

#[test]
fn polls_back_off_to_a_minute_until_the_status_changes() {
    let mut checkout = Checkout::awaiting();
    for wait in [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 60, 60] {
        assert_eq!(looked(&mut checkout, unchanged()), Some(wait));
    }
    assert_eq!(looked(&mut checkout, ok(with_status("Seen"))), Some(5));
    assert_eq!(looked(&mut checkout, ok(with_status("Seen"))), Some(10));
}

#[test]
fn one_poll_is_under_way_at_a_time() {
    let mut checkout = Checkout::awaiting();
    assert_eq!(checkout.on(Event::Refreshed), [read_status()]);
    checkout.ignores(StatusEvent::PollDue);
    checkout.ignores(Event::Refreshed);
    assert_eq!(checkout.fetch(lost()), [Effect::SchedulePoll(10)]);
    assert_eq!(checkout.on(Event::Refreshed), [read_status()]);
}

#[test]
fn only_the_response_to_this_poll_counts() {
    let mut checkout = Checkout::awaiting();
    let paid = || ok(with_status("Paid"));
    checkout.ignores(StatusEvent::Fetched("p-1".to_owned(), paid()));
    checkout.on(StatusEvent::PollDue);
    checkout.ignores(StatusEvent::Fetched("p-2".to_owned(), paid()));
    checkout.fetch(paid());
    checkout.ignores(StatusEvent::Fetched(
        "p-1".to_owned(),
        ok(with_status("Late")),
    ));
}

#[test]
fn after_failures_the_status_may_be_out_of_date_until_a_record_arrives() {
    let other = payment_record(&[("transactionId", r#""p-2""#)]);
    let timed_out = || Err(TransportError::TimedOut);
    for (failures, are_enough) in [
        (vec![lost(), lost()], false),
        (vec![lost(), answer(503, ""), lost()], true),
        (vec![timed_out()], false),
        (vec![timed_out(), timed_out()], true),
        (vec![ok(other), timed_out()], true),
    ] {
        let mut checkout = Checkout::awaiting();
        for failure in failures {
            assert!(!checkout.payment().following.reads.are_failing());
            looked(&mut checkout, failure);
        }
        assert_eq!(checkout.payment().following.reads.are_failing(), are_enough);
        looked(&mut checkout, unchanged());
        assert!(!checkout.payment().following.reads.are_failing());
    }
}
