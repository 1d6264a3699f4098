//! Pages forwards and backwards, past the end, and while the list changes.

use proptest::prelude::*;
use serde_json::json;
use tender_payments_core::{Event, HostEvent, OlderPages};

use crate::simulation::{PastTheEnd, Simulation};

#[test]
fn forty_five_payments_are_three_pages_whatever_the_service_returns_past_the_end() {
    for past_the_end in [PastTheEnd::Empty, PastTheEnd::LastPage, PastTheEnd::Refusal] {
        let mut simulation = Simulation::with(45);
        simulation.past_the_end = past_the_end;
        simulation.run(Event::Started(None));
        assert_eq!(simulation.emitted, [HostEvent::Ready(20)]);
        assert_eq!(simulation.shown(), simulation.all()[..20]);
        simulation.run(Event::OlderPageRequested);
        assert_eq!(simulation.shown(), simulation.all()[20..40]);
        simulation.run(Event::OlderPageRequested);
        assert_eq!(simulation.shown(), simulation.all()[40..]);
        assert!(
            simulation.dashboard().has_older(),
            "the end is not known yet"
        );
        simulation.run(Event::OlderPageRequested);
        assert_eq!(
            simulation.dashboard().older,
            OlderPages::AllLoaded,
            "{past_the_end:?}"
        );
        assert_eq!(simulation.shown(), simulation.all()[40..], "the page stays");
        assert!(!simulation.dashboard().has_older());
        let asked = simulation.pages.len();
        for page in [20..40, 0..20, 0..20] {
            simulation.run(Event::NewerPageRequested);
            assert_eq!(simulation.shown(), simulation.all()[page]);
        }
        assert_eq!(
            simulation.pages.len(),
            asked,
            "loaded pages are not loaded again"
        );
    }
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
    simulation.run(Event::OlderPageRequested);
    assert_eq!(simulation.loaded().len(), 29);
    assert_eq!(
        simulation.pages[..3],
        [1, 2, 1],
        "it counts as part of its page"
    );
}

#[test]
fn a_payment_on_two_pages_is_shown_once() {
    let mut simulation = Simulation::open(40);
    let before = simulation.all();
    simulation.create(5);
    simulation.run(Event::OlderPageRequested);
    assert_eq!(simulation.loaded(), simulation.all());
    assert_eq!(
        simulation.shown(),
        before[20..],
        "new payments moved no row, and page two was filled from page three"
    );
    assert_eq!(simulation.dashboard().hidden.len(), 5);
    simulation.run(Event::ShowNewRequested);
    assert_eq!(simulation.shown(), simulation.all()[..20]);
}

proptest! {
    /// However many payments are created between requests (less than a page while a request is
    /// running): after loading everything and refreshing, each payment is in the list once, in the
    /// service's order.
    #[test]
    fn no_payment_is_lost_or_duplicated(
        start in 0_usize..70,
        turns in prop::collection::vec((0_usize..70, 0_usize..4, 0_usize..5, 0_usize..4), 1..12),
        past_the_end in prop::sample::select(vec![PastTheEnd::Empty, PastTheEnd::LastPage, PastTheEnd::Refusal]),
    ) {
        let mut simulation = Simulation::with(start);
        simulation.past_the_end = past_the_end;
        simulation.run(Event::Started(None));
        for (created, between, responses, event) in turns {
            if simulation.requests.is_empty() {
                simulation.create(created);
            }
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
                simulation.create(between);
            }
        }
        simulation.respond_all();
        // The last refresh may have started before the last payments were created.
        simulation.run(Event::PollDue);
        for _ in 0..40 {
            simulation.run(Event::OlderPageRequested);
        }
        prop_assert_eq!(simulation.loaded(), simulation.all());
    }

    /// However many payments are created while older pages are loaded.
    #[test]
    fn no_payment_is_lost_if_the_list_grows_by_pages(start in 21_usize..90, created in 0_usize..90, at in 0_usize..4) {
        let mut simulation = Simulation::open(start);
        simulation.send(Event::OlderPageRequested);
        for _ in 0..at {
            simulation.respond_one();
        }
        simulation.create(created);
        simulation.respond_all();
        simulation.run(Event::PollDue);
        for _ in 0..20 {
            simulation.run(Event::OlderPageRequested);
        }
        prop_assert_eq!(simulation.loaded(), simulation.all());
    }
}
