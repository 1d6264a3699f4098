//! Pages forwards and backwards, past the end, and while the list changes.

use proptest::prelude::*;
use serde_json::json;
use tender_payments_core::{Event, HostEvent, OlderPages};

use crate::simulation::{Simulation, record};

#[test]
fn forty_five_payments_are_three_pages() {
    let mut simulation = Simulation::open(45);
    assert_eq!(simulation.emitted, [HostEvent::Ready(20)]);
    assert_eq!(simulation.shown(), simulation.all()[..20]);
    simulation.run(Event::OlderPageRequested);
    assert_eq!(simulation.shown(), simulation.all()[20..40]);
    assert!(
        simulation.dashboard().has_older(),
        "the end is not known yet"
    );
    simulation.run(Event::OlderPageRequested);
    assert_eq!(simulation.shown(), simulation.all()[40..]);
    assert_eq!(simulation.dashboard().older, OlderPages::AllLoaded);
    assert!(!simulation.dashboard().has_older());
    let cursors = [None, Some("t-26"), Some("t-6"), Some("t-1")];
    assert_eq!(simulation.cursors, cursors.map(|id| id.map(str::to_owned)));
    for page in [20..40, 0..20, 0..20] {
        simulation.run(Event::NewerPageRequested);
        assert_eq!(simulation.shown(), simulation.all()[page]);
    }
    assert_eq!(
        simulation.cursors.len(),
        4,
        "loaded pages are not loaded again"
    );
}

#[test]
fn a_last_page_that_is_full_is_followed_by_nothing() {
    let mut simulation = Simulation::open(40);
    for _ in 0..2 {
        simulation.run(Event::OlderPageRequested);
        assert_eq!(simulation.shown(), simulation.all()[20..], "the page stays");
    }
    assert_eq!(simulation.dashboard().older, OlderPages::AllLoaded);
}

/// A proxy without `after` returns the newest payments each time.
#[test]
fn the_same_page_again_is_the_end() {
    let mut simulation = Simulation::open(45);
    simulation.send(Event::OlderPageRequested);
    let newest = json!(simulation.list[..20]).to_string();
    simulation.fail_list(200, &newest);
    assert_eq!(simulation.dashboard().older, OlderPages::AllLoaded);
    assert_eq!(simulation.loaded(), simulation.all()[..20]);
}

proptest! {
    /// A merchant who only goes to older pages sees every payment that existed at the start.
    #[test]
    fn going_to_older_pages_skips_no_payment(
        payments in 0_usize..90,
        news in prop::collection::vec((0_usize..45, any::<bool>()), 0..8),
    ) {
        let mut simulation = Simulation::open(payments);
        let before = simulation.all();
        let mut seen = simulation.shown();
        let mut news = news.into_iter();
        while simulation.dashboard().has_older() {
            let (created, is_polled) = news.next().unwrap_or_default();
            simulation.create(created);
            if is_polled {
                simulation.run(Event::PollDue);
            }
            simulation.run(Event::OlderPageRequested);
            seen.extend(simulation.shown());
        }
        for payment in before {
            prop_assert!(seen.contains(&payment), "{} of {:?}", payment, seen);
        }
    }
}

#[test]
fn a_page_that_fails_leaves_the_list_and_can_be_retried() {
    let mut simulation = Simulation::open(25);
    simulation.send(Event::OlderPageRequested);
    simulation.fail_list(503, "");
    assert!(matches!(
        simulation.dashboard().older,
        OlderPages::Failed(_)
    ));
    assert_eq!(simulation.shown(), simulation.all()[..20]);
    simulation.run(Event::OlderPageRequested);
    assert_eq!(simulation.shown(), simulation.all()[20..]);
}

#[test]
fn an_unreadable_record_does_not_hide_the_others() {
    let mut simulation = Simulation::with(30);
    simulation.list[3] = json!({ "transactionId": "odd" });
    simulation.run(Event::Started(None));
    assert_eq!(simulation.shown().len(), 19);
    assert_eq!(simulation.dashboard().list.unreadable(), 1);
    simulation.run(Event::OlderPageRequested);
    assert_eq!(simulation.loaded().len(), 29);
    assert_eq!(simulation.dashboard().list.unreadable(), 1);
}

#[test]
fn a_payment_that_is_listed_twice_is_shown_once() {
    let rows: Vec<_> = [3, 2, 3, 1].map(record).into();
    let mut simulation = Simulation::of(rows.clone());
    assert_eq!(simulation.loaded().len(), 3);
    simulation.list = [3, 5, 4, 5].map(record).into();
    simulation.list.extend(rows);
    simulation.run(Event::PollDue);
    assert_eq!(simulation.loaded().len(), 5);
}

/// Not one of them becomes a payment, so only their identifiers lead on.
#[test]
fn a_page_without_a_readable_record_is_not_the_end() {
    let mut simulation = Simulation::with(65);
    for record in &mut simulation.list[20..40] {
        *record = json!({ "transactionId": record["transactionId"] });
    }
    simulation.run(Event::Started(None));
    simulation.run(Event::OlderPageRequested);
    let all = simulation.all();
    assert_eq!(simulation.loaded(), [&all[..20], &all[40..60]].concat());
    assert_eq!(simulation.dashboard().list.unreadable(), 20);
    assert_eq!(simulation.shown(), all[40..60]);
}

/// It may have been the last one that was loaded. What was between it and the newest payments is not known any more.
#[test]
fn the_list_starts_again_if_its_last_payment_is_no_longer_listed() {
    let mut simulation = Simulation::open(65);
    simulation.run(Event::OlderPageRequested);
    simulation.run(Event::SelectionChanged("t-30".to_owned(), true));
    let gone = simulation.list.remove(39);
    simulation.run(Event::OlderPageRequested);
    assert_eq!(simulation.loaded(), simulation.all()[..20]);
    assert_eq!(simulation.shown(), simulation.all()[..20]);
    assert!(simulation.dashboard().selected.is_empty());
    simulation.run(Event::OlderPageRequested);
    assert!(
        !simulation
            .loaded()
            .contains(&gone["transactionId"].to_string())
    );
    assert_eq!(simulation.loaded(), simulation.all()[..40]);

    // If it can't, the loaded ones stay.
    simulation.list.remove(39);
    simulation.send(Event::OlderPageRequested);
    simulation.respond_one();
    simulation.fail_list(503, "");
    assert!(matches!(
        simulation.dashboard().older,
        OlderPages::Failed(_)
    ));
    assert_eq!(simulation.loaded().len(), 40);
}

#[test]
fn a_list_that_grows_moves_no_row_of_an_older_page() {
    let mut simulation = Simulation::open(40);
    let before = simulation.all();
    simulation.create(5);
    simulation.run(Event::OlderPageRequested);
    assert_eq!(simulation.loaded(), before);
    simulation.run(Event::PollDue);
    assert_eq!(simulation.loaded(), simulation.all());
    assert_eq!(simulation.shown(), before[20..]);
    assert_eq!(simulation.dashboard().hidden.len(), 5);
    simulation.run(Event::ShowNewRequested);
    assert_eq!(simulation.shown(), simulation.all()[..20]);
}

proptest! {
    /// However many payments are created between requests, and while they are running: after loading everything and
    /// refreshing, each payment is in the list once, in the service's order.
    #[test]
    fn no_payment_is_lost_or_duplicated(
        start in 0_usize..70,
        turns in prop::collection::vec((0_usize..45, 0_usize..4, 0_usize..4), 1..8),
    ) {
        let mut simulation = Simulation::open(start);
        for (created, responses, event) in turns {
            if event == 3 {
                // The stream delivers the newest payment only.
                let newest = simulation.list.first().map(ToString::to_string).unwrap_or_default();
                simulation.send(Event::StreamMessage {
                    event: "created".to_owned(), data: newest, last_event_id: None,
                });
            } else {
                simulation.send([Event::OlderPageRequested, Event::PollDue, Event::NewerPageRequested][event].clone());
            }
            for _ in 0..responses {
                simulation.respond_one();
                simulation.create(created);
            }
        }
        simulation.respond_all();
        // The last refresh may have started before the last payments were created.
        simulation.run(Event::PollDue);
        while simulation.dashboard().has_older() {
            simulation.run(Event::OlderPageRequested);
        }
        prop_assert_eq!(simulation.loaded(), simulation.all());
    }
}
