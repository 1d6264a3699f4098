//! What is known to have happened to a payment.

use serde_json::json;
use tender_payments_core::{DeliveryRequest, EntryKind, Event, TimelineEntry, timeline};
use tender_protocol::{Deliveries, KnownPayment};

use crate::simulation::Simulation;

fn known(attempts: Option<u32>, notified_at: Option<&str>) -> KnownPayment {
    KnownPayment {
        transaction_id: "t-1".to_owned(),
        attempts,
        first_attempt_at: attempts.map(|_| "2026-11-21T09:00:00Z".to_owned()),
        notified_at: notified_at.map(str::to_owned),
        sent: 0,
        notifications: 1,
    }
}

#[test]
fn the_newest_entry_comes_first() {
    let delivery = |id: &str, time: &str| {
        json!({
            "id": id, "type": "payment.updated", "transactionId": "t-1", "state": "delivered",
            "tries": 1, "writtenAt": format!("2026-11-21T{time}Z"),
        })
    };
    // Two changes in the same moment; RFC 3339 allows a fraction of any length, and none.
    let list = json!({ "more": false, "deliveries": [
        delivery("d-4", "12:00:00"),
        delivery("d-3", "12:00:00"),
        delivery("d-2", "09:00:05.25"),
        delivery("d-1", "09:00:02"),
    ]});
    let deliveries = Deliveries::parse(&list.to_string()).unwrap();
    let known = known(Some(2), Some("2026-11-21T09:00:05Z"));
    let entries = timeline(Some(&known), Some(&deliveries));
    let entry = |time: &str, kind| TimelineEntry {
        time: format!("2026-11-21T{time}Z"),
        kind,
    };
    let change = |id: &str| EntryKind::Change(id.to_owned());
    assert_eq!(
        entries,
        [
            entry("12:00:00", change("d-4")),
            entry("12:00:00", change("d-3")),
            entry("09:00:05.25", change("d-2")),
            entry("09:00:05", EntryKind::ServiceNotified),
            entry("09:00:02", change("d-1")),
            entry("09:00:00", EntryKind::FirstAttempt),
        ]
    );
}

#[test]
fn what_the_proxy_does_not_know_is_left_out() {
    assert_eq!(timeline(None, None), []);
    assert_eq!(timeline(Some(&known(None, None)), None), []);
}

/// The record and what the ledger knows are shown.
#[test]
fn details_without_notifications_are_no_failure() {
    let mut simulation = Simulation::open(3);
    simulation.run(Event::DetailsRequested("t-1".to_owned()));
    let details = simulation.dashboard().details.as_ref().unwrap();
    assert_eq!(details.request, DeliveryRequest::Idle);
    assert_eq!(details.list, None);
    simulation.run(Event::DetailsClosed);
    assert_eq!(simulation.dashboard().details, None);
}
