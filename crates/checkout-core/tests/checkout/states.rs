//! Each state of a payment from each other state: a payment with money is never left, and asks for nothing again.

use tender_checkout_core::{Event, HostEvent, PaymentEvent};

use crate::support::{Checkout, name, payment_record, read_status, text};

const STATES: [&str; 8] = [
    "open",
    "pending",
    "underpaid",
    "unknown",
    "order-paid",
    "order-seen",
    "paid",
    "closed",
];

/// A record in this state. Its status stays that of its creation, as in the service's document.
fn record(state: &str) -> String {
    match state {
        "order-paid" => payment_record(&[("state", r#""open""#), ("orderPaid", "true")]),
        "order-seen" => payment_record(&[("state", r#""open""#), ("orderSeen", "true")]),
        state => payment_record(&[("state", &text(state))]),
    }
}

/// The state after both records.
fn expected(first: &'static str, second: &'static str) -> &'static str {
    match (first, second) {
        ("paid", _) | (_, "paid") => "paid",
        ("order-paid", _) => "order-paid",
        ("closed", "open" | "unknown") => "closed",
        ("pending" | "underpaid", "open" | "order-seen") => first,
        (_, second) => second,
    }
}

#[test]
fn each_state_from_each_other_state() {
    for first in STATES {
        for second in STATES {
            let mut checkout = Checkout::awaiting();
            checkout.receive(record(first));
            assert_eq!(name(&checkout.state), first);
            checkout.receive(record(second));
            let state = name(&checkout.state);
            assert_eq!(state, expected(first, second), "{first}, {second}");

            let (next, effects) = checkout.reload();
            assert_eq!(name(&next.state), state, "after a reload");
            assert_eq!(next.host_events, [], "{first}, {second}");
            let is_followed = state != "paid";
            assert_eq!(effects, [read_status()][..usize::from(is_followed)]);
            assert_eq!(next.stream.is_some(), is_followed, "{first}, {second}");

            let asks = |checkout: &Checkout| checkout.state.payment().unwrap().asks_for_money();
            assert_eq!(asks(&checkout), state == "open", "{first}, {second}");
            let with_money = ["pending", "underpaid", "order-paid", "paid"];
            if with_money.contains(&state) || state == "order-seen" {
                checkout.stays();
                checkout.ignores(PaymentEvent::CancelConfirmed);
            }
            if with_money.contains(&first) {
                checkout.receive(record("open"));
                assert!(!asks(&checkout), "{first}, {second}, open");
            }
        }
    }
}

/// The merchant has released the order.
#[test]
fn an_order_without_money_for_another_payment_is_asked_for_again() {
    let mut checkout = Checkout::awaiting();
    checkout.receive(record("order-seen"));
    checkout.receive(record("open"));
    assert!(checkout.state.payment().unwrap().asks_for_money());
}

#[test]
fn each_new_state_is_dispatched_once() {
    let mut checkout = Checkout::awaiting();
    for state in ["pending", "pending", "underpaid", "paid", "paid"] {
        checkout.receive(record(state));
    }
    let states = checkout.host_events.iter().filter_map(|event| match event {
        HostEvent::Pending(_) => Some("pending"),
        HostEvent::Underpaid(_) => Some("underpaid"),
        HostEvent::Paid(_) => Some("paid"),
        _ => None,
    });
    assert_eq!(states.collect::<Vec<_>>(), ["pending", "underpaid", "paid"]);
}

/// The cancellation was sent, and the service did not answer.
#[test]
fn an_unknown_outcome_is_not_closed_and_the_buyer_may_cancel_again() {
    let mut checkout = Checkout::awaiting();
    checkout.cancel();
    checkout.receive(record("unknown"));
    assert_eq!(name(&checkout.state), "unknown");
    let answered = crate::support::answer(502, r#"{"code":"service-failed"}"#);
    checkout.cancel_finished(answered);
    assert_eq!(name(&checkout.state), "unknown");
    assert!(
        !checkout
            .host_events
            .iter()
            .any(|event| matches!(event, HostEvent::Closed(_) | HostEvent::Cancelled(_)))
    );
    checkout.ignores(Event::Reset);
    assert_eq!(checkout.on(PaymentEvent::CancelConfirmed).len(), 1);
    checkout.ignores(PaymentEvent::CancelConfirmed);
    let unknown = format!("[{}]", record("unknown"));
    checkout.cancel_finished(crate::support::ok(unknown));
    assert_eq!(name(&checkout.state), "unknown", "the record says so");
    checkout.on(PaymentEvent::CancelConfirmed);
    checkout.cancel_finished(crate::support::ok("[]"));
    assert_eq!(name(&checkout.state), "cancelled");
}
