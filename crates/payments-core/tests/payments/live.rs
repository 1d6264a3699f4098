//! New payments that come by themselves.

use serde_json::json;
use tender_payments_core::stream::Message;
use tender_payments_core::{Cancelling, Effect, Event, HostEvent, Live, Older};

use crate::world::{World, payment, record};

fn message(event: &str, data: &str, id: &str) -> Event {
    Event::StreamHeard(Message {
        event: event.to_owned(),
        data: data.to_owned(),
        last_event_id: Some(id.to_owned()),
    })
}

#[test]
fn a_new_payment_moves_no_row_that_someone_is_at() {
    let mut world = World::open(5);
    world.does(Event::StreamOpened);
    let before = world.shown();
    world.does(Event::Attended(true));
    world.create(1);
    let new = world.list[0].clone();
    world.does(message("created", &new.to_string(), "1"));
    assert_eq!(world.shown(), before);
    assert!(world.desk().held.contains("t-6"));
    assert!(
        world
            .told
            .contains(&HostEvent::Created(Box::new(payment(&new))))
    );
    world.does(Event::Attended(false));
    assert_eq!(world.shown(), world.all(), "nobody is there any more");
    world.create(2);
    let newest = world.list[0].to_string();
    world.does(message("created", &newest, "2"));
    assert_eq!(world.shown(), world.all());
}

#[test]
fn a_status_changes_in_its_place() {
    let mut world = World::open(5);
    world.does(Event::Attended(true));
    let mut row = record(3);
    row["statusText"] = json!("Paid");
    world.does(message("status", &row.to_string(), "1"));
    assert_eq!(world.shown(), world.all());
    assert_eq!(world.desk().book.get("t-3").unwrap().status.text(), "Paid");
    assert!(
        matches!(world.told.last(), Some(HostEvent::Status { previous, .. }) if previous.text() == "Created")
    );
    let mut old = record(3);
    old["transactionId"] = json!("older-than-what-was-read");
    world.does(message("status", &old.to_string(), "2"));
    assert_eq!(world.read().len(), 5, "it comes with its page");
}

#[test]
fn a_lost_stream_goes_on_from_its_last_event_ever_more_rarely() {
    let mut world = World::open(1);
    let mut waits = Vec::new();
    world.does(Event::StreamOpened);
    world.does(message("ledger", "{}", "41"));
    for _ in 0..8 {
        world.others.clear();
        world.does(Event::StreamLost);
        let [Effect::LookIn(seconds)] = world.others[..] else {
            panic!("{:?}", world.others)
        };
        waits.push(seconds);
        world.others.clear();
        world.does(Event::LookDue);
        let listens = |effect: &Effect| matches!(effect, Effect::Listen { last_event_id: Some(id), .. } if id == "41");
        assert!(world.others.iter().any(listens), "{:?}", world.others);
    }
    assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
}

#[test]
fn without_a_stream_it_looks_again() {
    let mut world = World::open(1);
    world.does(Event::StreamRefused);
    assert_eq!(world.desk().live, Live::Polling);
    assert_eq!(world.others.last(), Some(&Effect::LookIn(15)));
    world.create(1);
    world.does(Event::LookDue);
    assert_eq!(world.shown(), world.all());
    assert_eq!(world.others.last(), Some(&Effect::LookIn(15)));
}

/// More than are read at one look.
const MANY: usize = 1_030;

#[test]
fn what_lies_between_two_looks_is_read_with_the_older_pages() {
    let mut world = World::open(45);
    world.does(Event::Older);
    world.does(Event::Newer);
    world.does(Event::StreamRefused);
    world.create(MANY);
    world.does(Event::LookDue);
    assert_eq!(
        world.read(),
        world.all()[..1_000],
        "and nothing behind the gap"
    );
    assert_eq!(world.shown(), world.all()[..20]);
    assert_eq!(world.desk().older, Older::Open);
    for _ in 0..60 {
        world.does(Event::Older);
    }
    assert_eq!(world.read(), world.all());
}

#[test]
fn a_gap_moves_no_row_that_someone_is_at() {
    let mut world = World::open(45);
    world.does(Event::StreamRefused);
    let before = world.shown();
    world.does(Event::Attended(true));
    world.does(Event::Selected(before[0].clone(), true));
    world.create(MANY);
    world.does(Event::LookDue);
    assert_eq!(world.shown(), before);
    assert_eq!(world.desk().held.len(), 1_000);
    // What is new after that is before the gap: it is known with one page.
    world.create(3);
    let asked = world.pages.len();
    world.does(Event::LookDue);
    assert_eq!(world.pages[asked..], [1]);
    assert_eq!((world.desk().held.len(), world.shown()), (1_003, before));
    world.does(Event::NewShown);
    assert_eq!(world.shown(), world.all()[..20]);
    assert!(world.desk().selected.is_empty(), "it is not there any more");
    assert_eq!(world.read(), world.all()[..1_003]);
    for _ in 0..60 {
        world.does(Event::Older);
    }
    assert_eq!(world.read(), world.all());
}

#[test]
fn who_goes_on_to_older_payments_passes_no_gap() {
    for goal in [Event::Older, Event::SearchedOn] {
        let mut world = World::open(45);
        world.does(Event::StreamRefused);
        world.does(Event::Older);
        world.does(Event::Searched("INV-40".to_owned()));
        if goal == Event::Older {
            world.does(Event::Searched(String::new()));
        }
        world.does(Event::Attended(true));
        world.create(MANY);
        world.does(Event::LookDue);
        // On the way to the end of what is there, and then past it.
        for _ in 0..60 {
            world.does(goal.clone());
        }
        let read = world.read();
        assert_eq!(read, world.all()[..read.len()], "{goal:?}");
        assert!(read.len() > MANY, "{goal:?}: {}", read.len());
    }
}

#[test]
fn what_is_being_cancelled_stays_until_it_is_told() {
    let mut world = World::open(5);
    world.does(Event::StreamRefused);
    world.does(Event::CancelWanted(vec!["t-3".to_owned()]));
    world.create(MANY);
    world.does(Event::LookDue);
    world.does(Event::CancelConfirmed);
    assert!(matches!(world.desk().cancelling, Cancelling::Done(_)));
    assert!(world.read().contains(&"t-3".to_owned()));
    world.does(Event::CancelRead);
    assert_eq!(world.read(), world.all()[..1_000]);
}

#[test]
fn a_hidden_page_asks_nothing() {
    let mut world = World::open(1);
    world.does(Event::StreamOpened);
    world.others.clear();
    world.does(Event::PageHidden);
    assert_eq!(world.others, [Effect::StopListening]);
    let asked = world.pages.len();
    world.does(Event::LookDue);
    assert_eq!(world.pages.len(), asked);
    world.create(30);
    world.does(Event::PageSeen);
    assert_eq!(
        world.read(),
        world.all(),
        "two pages of new ones, and none is lost"
    );
    assert!(matches!(
        world.others[..],
        [.., Effect::Listen { .. }, Effect::LookIn(_)]
    ));
}
