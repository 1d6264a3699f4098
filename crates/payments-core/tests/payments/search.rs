//! Searching the loaded payments, and older pages until one contains a match.

use tender_payments_core::{Event, Filter, OlderPages};
use tender_protocol::Status;

use crate::simulation::{Simulation, payment, record};

#[test]
fn the_search_finds_any_field_ignoring_case() {
    let mut row = record(7);
    row["purchaseName"] = "Zoë ÖZ".into();
    let payment = payment(&row);
    for text in [
        "", "inv-7", "BUYER-7@", "t-7", "twallet", "150.25", "öz", "created", "2026/11", " 48.5 ",
    ] {
        let filter = Filter {
            text: text.to_owned(),
            ..Filter::default()
        };
        assert!(filter.matches(&payment), "{text}");
    }
    for text in ["inv-8", "paid", "xyz"] {
        let filter = Filter {
            text: text.to_owned(),
            ..Filter::default()
        };
        assert!(!filter.matches(&payment), "{text}");
    }
    let other = Filter {
        status: Status::new("9", "Cancelled"),
        ..Filter::default()
    };
    assert!(!other.matches(&payment));
}

#[test]
fn older_pages_are_searched_until_one_contains_a_match() {
    let mut simulation = Simulation::open(130);
    simulation.search("INV-21");
    assert_eq!(simulation.shown(), [""; 0]);
    simulation.run(Event::SearchOlderRequested);
    assert_eq!(simulation.shown(), ["t-21"]);
    assert_eq!(simulation.cursors.len(), 6, "and no more pages");
    assert_eq!(simulation.dashboard().older, OlderPages::MaybeMore);
}

#[test]
fn the_search_can_be_stopped_and_has_a_limit() {
    let mut simulation = Simulation::open(2000);
    simulation.search("INV-1x");
    simulation.send(Event::SearchOlderRequested);
    simulation.respond_one();
    simulation.respond_one();
    assert_eq!(simulation.dashboard().older.searched_pages(), Some(2));
    simulation.run(Event::SearchStopped);
    assert_eq!(simulation.dashboard().older, OlderPages::NoMatch(3));
    assert_eq!(
        simulation.loaded(),
        simulation.all()[..80],
        "the page that was being loaded is kept"
    );
    simulation.run(Event::SearchOlderRequested);
    assert_eq!(simulation.dashboard().older, OlderPages::NoMatch(50));
    assert_eq!(simulation.cursors.len(), 1 + 3 + 50);
}

#[test]
fn an_empty_search_loads_nothing() {
    let mut simulation = Simulation::open(60);
    simulation.send(Event::SearchOlderRequested);
    assert_eq!(simulation.requests, []);
}
