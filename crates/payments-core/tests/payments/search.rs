//! Search over what was read, and on until something is found.

use tender_payments_core::{Effect, Event, Filter, Older};
use tender_protocol::Status;

use crate::world::{World, payment, record};

#[test]
fn it_finds_what_a_payment_says_in_whatever_case() {
    let mut row = record(7);
    row["purchaseName"] = "Zoë ÖZ".into();
    let payment = payment(&row);
    for text in [
        "", "inv-7", "BUYER-7@", "t-7", "twallet", "150.25", "öz", "created", "2026/11", " 48.5 ",
    ] {
        let filter = Filter {
            text: text.to_owned(),
            status: None,
        };
        assert!(filter.matches(&payment), "{text}");
    }
    for text in ["inv-8", "paid", "xyz"] {
        let filter = Filter {
            text: text.to_owned(),
            status: None,
        };
        assert!(!filter.matches(&payment), "{text}");
    }
    let other = Filter {
        text: String::new(),
        status: Status::new("9", "Cancelled"),
    };
    assert!(!other.matches(&payment));
}

#[test]
fn it_reads_on_until_it_is_found() {
    let mut world = World::open(130);
    world.does(Event::Searched("INV-21".to_owned()));
    assert_eq!(world.shown(), [""; 0]);
    world.does(Event::SearchedOn);
    assert_eq!(world.shown(), ["t-21"]);
    assert_eq!(world.pages, [1, 2, 3, 4, 5, 6, 1], "and no further");
    assert_eq!(world.desk().older, Older::Open);
}

#[test]
fn it_ends_with_the_list() {
    let mut world = World::open(60);
    world.does(Event::Searched("nowhere".to_owned()));
    world.does(Event::SearchedOn);
    assert_eq!(world.desk().older, Older::End);
    assert_eq!(world.read(), world.all());
}

#[test]
fn it_can_be_stopped_and_is_bounded() {
    let mut world = World::open(2000);
    world.does(Event::Searched("INV-1x".to_owned()));
    world.send(Event::SearchedOn);
    world.answer_one();
    world.answer_one();
    assert_eq!(world.desk().search().map(|run| run.pages), Some(2));
    world.does(Event::Stopped);
    assert_eq!(world.desk().older, Older::NotFound(3));
    assert_eq!(
        world.read(),
        world.all()[..80],
        "what was under way is kept"
    );
    world.does(Event::SearchedOn);
    assert_eq!(world.desk().older, Older::NotFound(50));
    let asked = world.pages.len();
    assert!(asked < 60, "{asked}");
}

#[test]
fn with_nothing_to_look_for_it_reads_nothing() {
    let mut world = World::open(60);
    world.send(Event::SearchedOn);
    assert!(
        !world
            .requests
            .iter()
            .any(|effect| matches!(effect, Effect::ReadList(_)))
    );
}
