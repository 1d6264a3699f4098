//! Status updates through the event stream, and how they affect polling.

use tender_checkout_core::{
    Effect, Event, FormEvent, HostEvent, PaymentEvent, Polling, State, StatusEvent, Stream,
};

use crate::support::{Checkout, answer, key, offered, ok, payment_record, text, with_status};

fn poll() -> Effect {
    Effect::ReadStatus {
        transaction_id: "p-1".to_owned(),
        receipt: "r.e.ceipt".to_owned(),
    }
}

fn is_listening(checkout: &Checkout) -> bool {
    checkout.stream == Some(("p-1".to_owned(), "r.e.ceipt".to_owned()))
}

/// A checkout whose stream has delivered a record.
fn with_stream() -> Checkout {
    let mut checkout = Checkout::awaiting();
    assert_eq!(
        checkout.receive(payment_record(&[])),
        [Effect::SchedulePoll(60)]
    );
    assert_eq!(checkout.payment().stream, Stream::Open);
    checkout
}

#[test]
fn a_new_payment_is_subscribed_to_with_its_receipt() {
    let checkout = Checkout::awaiting();
    assert!(is_listening(&checkout));
    assert_eq!(checkout.payment().stream, Stream::Opening);

    let mut checkout = Checkout::submitting();
    checkout.on(FormEvent::CreateFinished(
        key("first"),
        ok(payment_record(&[])),
    ));
    assert_eq!(checkout.stream, None, "nothing lets this page in");
    checkout.ignores(StatusEvent::PageSeen);
}

#[test]
fn a_received_change_is_emitted_once_with_the_previous_status() {
    let mut checkout = with_stream();
    let count = checkout.host_events.len();
    for _ in 0..2 {
        assert_eq!(
            checkout.receive(with_status("Seen")),
            [Effect::SchedulePoll(60)]
        );
        assert_eq!(checkout.host_events.len(), count + 1);
    }
    assert_eq!(checkout.payment().record.status.text(), "Seen");
    assert!(matches!(
        checkout.last_event(),
        HostEvent::Status { payment, previous } if payment.status.text() == "Seen" && previous.text() == "Created"
    ));
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
    checkout.on(StatusEvent::PollDue);
    checkout.fetch(ok(other));
    assert_eq!(checkout.payment().record.status.text(), "Created");
}

/// An intermediary may delay events for any time.
#[test]
fn a_stream_that_has_brought_nothing_slows_no_poll() {
    let mut checkout = Checkout::awaiting();
    for wait in [10, 15, 20] {
        assert_eq!(checkout.on(StatusEvent::PollDue), [poll()]);
        assert_eq!(
            checkout.fetch(ok(payment_record(&[]))),
            [Effect::SchedulePoll(wait)]
        );
    }
}

#[test]
fn an_open_stream_slows_the_polling_and_does_not_end_it() {
    let mut checkout = with_stream();
    for _ in 0..3 {
        assert_eq!(checkout.on(StatusEvent::PollDue), [poll()]);
        assert_eq!(
            checkout.fetch(ok(payment_record(&[]))),
            [Effect::SchedulePoll(60)]
        );
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
    assert_eq!(checkout.on(StatusEvent::PollDue), [poll()]);
    assert_eq!(checkout.fetch(ok(payment_record(&[]))).len(), 1);
}

#[test]
fn a_proxy_without_a_stream_is_polled() {
    let mut checkout = Checkout::awaiting();
    let count = checkout.host_events.len();
    assert_eq!(checkout.end_stream(StatusEvent::StreamRefused), []);
    assert_eq!(checkout.payment().stream, Stream::Refused);
    for _ in 0..10 {
        polled(&mut checkout);
        assert_eq!(checkout.stream, None);
    }
    checkout.ignores(StatusEvent::StreamRefused("p-1".to_owned()));
    assert_eq!(checkout.host_events.len(), count);
}

/// The proxy may have been restarting.
#[test]
fn a_stream_that_was_refused_is_opened_again_later() {
    let mut checkout = Checkout::awaiting();
    checkout.end_stream(StatusEvent::StreamRefused);
    for _ in 0..11 {
        polled(&mut checkout);
    }
    assert!(is_listening(&checkout), "every tenth poll");

    for later in [Event::from(StatusEvent::PageSeen), Event::Refreshed] {
        let mut checkout = Checkout::awaiting();
        checkout.end_stream(StatusEvent::StreamRefused);
        assert_eq!(checkout.on(later), [poll()]);
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
    assert_eq!(checkout.on(StatusEvent::PollDue), [poll()]);
    assert!(is_listening(&checkout));
}

#[test]
fn a_stream_that_never_opened_does_not_change_the_polling() {
    let mut checkout = Checkout::awaiting();
    assert_eq!(checkout.end_stream(StatusEvent::StreamLost), []);
    assert_eq!(checkout.payment().polling, Polling::Waiting(0));
}

#[test]
fn a_stream_works_without_the_status_route() {
    let mut checkout = with_stream();
    checkout.on(StatusEvent::PollDue);
    assert_eq!(checkout.fetch(answer(404, "")), [Effect::SchedulePoll(60)]);
    assert_eq!(
        checkout.receive(with_status("Seen")),
        [Effect::SchedulePoll(60)]
    );
    assert_eq!(checkout.payment().record.status.text(), "Seen");
}

#[test]
fn a_hidden_page_closes_the_stream_and_polls_when_it_is_visible() {
    let mut checkout = with_stream();
    assert_eq!(checkout.on(StatusEvent::PageHidden), []);
    assert_eq!(checkout.stream, None);
    checkout.ignores(StatusEvent::PageHidden);
    assert_eq!(checkout.on(StatusEvent::PageSeen), [poll()]);
    assert!(is_listening(&checkout));
    // Browsers report this in several ways.
    checkout.ignores(StatusEvent::PageSeen);
}

#[test]
fn visibility_is_ignored_without_a_payment() {
    for mut checkout in [
        Checkout::choosing(crate::support::config(&[])),
        Checkout::submitting(),
    ] {
        checkout.ignores(StatusEvent::PageHidden);
        checkout.ignores(StatusEvent::PageSeen);
    }
}

#[test]
fn the_stream_ends_with_the_payment() {
    let mut checkout = Checkout::awaiting();
    checkout.cancel();
    checkout.on(PaymentEvent::CancelFinished("p-1".to_owned(), ok("[]")));
    assert!(matches!(checkout.state, State::Cancelled(..)));
    assert_eq!(checkout.stream, None);

    let mut checkout = with_stream();
    assert_eq!(checkout.on(Event::Reset), [Effect::FetchTokens]);
    assert_eq!(checkout.stream, None);
    checkout.on(Event::TokensFetched(ok(offered())));
    assert_eq!(checkout.on(FormEvent::Submitted(key("second"))), [poll()]);
    assert!(is_listening(&checkout), "it is the same payment again");
}
