//! Pages forward and back, past the end, and while the list changes.

use proptest::prelude::*;
use serde_json::json;
use tender_payments_core::stream::Message;
use tender_payments_core::{Event, HostEvent, Older, State};

use crate::world::{PastTheEnd, World, answer};

#[test]
fn forty_five_payments_are_three_pages_whatever_a_page_past_the_end_is() {
    for past_the_end in [PastTheEnd::Empty, PastTheEnd::LastPage, PastTheEnd::Refusal] {
        let mut world = World::with(45);
        world.past_the_end = past_the_end;
        world.does(Event::Started(None));
        assert_eq!(world.told, [HostEvent::Ready(20)]);
        assert_eq!(world.shown(), world.all()[..20]);
        world.does(Event::Older);
        assert_eq!(world.shown(), world.all()[20..40]);
        world.does(Event::Older);
        assert_eq!(world.shown(), world.all()[40..]);
        assert!(
            world.desk().has_older(),
            "nothing says yet that this is the end"
        );
        world.does(Event::Older);
        assert_eq!(world.desk().older, Older::End, "{past_the_end:?}");
        assert_eq!(world.shown(), world.all()[40..], "the page stays");
        assert!(!world.desk().has_older());
        let asked = world.pages.len();
        for page in [20..40, 0..20, 0..20] {
            world.does(Event::Newer);
            assert_eq!(world.shown(), world.all()[page]);
        }
        assert_eq!(world.pages.len(), asked, "what was read is not read again");
    }
}

proptest! {
    /// A merchant who only ever goes on to older pages sees each payment that was there at first.
    #[test]
    fn nothing_is_passed_over_on_the_way(
        payments in 0_usize..90,
        news in prop::collection::vec((0_usize..45, any::<bool>()), 0..8),
    ) {
        let mut world = World::open(payments);
        let before = world.all();
        let mut seen = world.shown();
        let mut news = news.into_iter();
        while world.desk().has_older() {
            let (more, is_noticed) = news.next().unwrap_or_default();
            world.create(more);
            if is_noticed {
                world.does(Event::LookDue);
            }
            world.does(Event::Older);
            seen.extend(world.shown());
        }
        for payment in before {
            prop_assert!(seen.contains(&payment), "{} of {:?}", payment, seen);
        }
    }
}

#[test]
fn an_empty_shop_is_no_failure() {
    let mut world = World::open(0);
    assert_eq!(world.shown(), [""; 0]);
    assert_eq!((world.desk().pages(), world.desk().has_older()), (1, false));
    world.create(3);
    world.does(Event::LookDue);
    assert_eq!(world.shown(), world.all());
}

#[test]
fn a_page_that_fails_leaves_the_list_and_is_tried_again() {
    let mut world = World::open(25);
    world.send(Event::Older);
    let Some(tender_payments_core::Effect::ReadList(ask)) = world.requests.pop_front() else {
        panic!("it asks for the page");
    };
    world.send(Event::ListAnswered(ask, answer(503, "")));
    assert!(matches!(world.desk().older, Older::Failed(_)));
    assert_eq!(world.shown(), world.all()[..20]);
    world.does(Event::Older);
    assert_eq!(world.shown(), world.all()[20..]);
}

#[test]
fn a_list_that_can_not_be_had_says_so_and_is_tried_again() {
    let mut world = World::with(2);
    world.send(Event::Started(None));
    let Some(tender_payments_core::Effect::ReadList(ask)) = world.requests.pop_front() else {
        panic!("it asks for the page");
    };
    world.send(Event::ListAnswered(ask, answer(200, "<html>")));
    assert!(matches!(world.state, State::Unavailable(None, _)));
    assert!(matches!(world.told[..], [HostEvent::Error(_)]));
    world.does(Event::Refreshed);
    assert_eq!(world.shown(), world.all());
}

#[test]
fn a_record_that_can_not_be_read_does_not_keep_the_others_away() {
    let mut world = World::with(30);
    world.list[3] = json!({ "transactionId": "odd" });
    world.does(Event::Started(None));
    assert_eq!(world.shown().len(), 19);
    assert_eq!(world.desk().book.unreadable(), 1);
    world.does(Event::Older);
    world.does(Event::Older);
    assert_eq!(world.read().len(), 29);
    assert_eq!(world.pages[..3], [1, 2, 1], "its place on the page counts");
}

#[test]
fn what_is_no_record_at_all_does_not_keep_the_others_away() {
    let mut world = World::with(22);
    world.list[3] = json!(null);
    world.list[21] = json!("x");
    world.does(Event::Started(None));
    assert_eq!(
        (world.shown().len(), world.desk().book.unreadable()),
        (19, 1)
    );
    world.does(Event::Older);
    assert_eq!(
        (world.read().len(), world.desk().book.unreadable()),
        (20, 2)
    );
}

#[test]
fn a_page_that_was_there_twice_is_shown_once() {
    let mut world = World::open(40);
    let before = world.all();
    world.create(5);
    world.does(Event::Older);
    assert_eq!(world.read(), world.all());
    assert_eq!(
        world.shown(),
        before[20..],
        "what is new has moved nothing, and five of page three have filled page two"
    );
    assert_eq!(world.desk().held.len(), 5);
    world.does(Event::NewShown);
    assert_eq!(world.shown(), world.all()[..20]);
}

proptest! {
    /// Whatever is created while nothing is asked, and less than a page between two requests: once the
    /// end is read and the head is looked at, each payment is there once, in the service's order.
    #[test]
    fn nothing_is_lost_and_nothing_is_there_twice(
        start in 0_usize..70,
        turns in prop::collection::vec((0_usize..70, 0_usize..4, 0_usize..5, 0_usize..4), 1..12),
        past_the_end in prop::sample::select(vec![PastTheEnd::Empty, PastTheEnd::LastPage, PastTheEnd::Refusal]),
    ) {
        let mut world = World::with(start);
        world.past_the_end = past_the_end;
        world.does(Event::Started(None));
        for (created, between, answered, event) in turns {
            if world.requests.is_empty() {
                world.create(created);
            }
            if event == 3 {
                // The stream tells of the newest one, and only of that.
                let newest = world.list.first().map(ToString::to_string).unwrap_or_default();
                world.send(Event::StreamHeard(Message {
                    event: "created".to_owned(), data: newest, last_event_id: None,
                }));
            } else {
                world.send([Event::Older, Event::LookDue, Event::Newer][event].clone());
            }
            for _ in 0..answered {
                world.answer_one();
                world.create(between);
            }
        }
        world.answer_all();
        // The first look may have begun before the last payments were there.
        world.does(Event::LookDue);
        for _ in 0..40 {
            world.does(Event::Older);
        }
        prop_assert_eq!(world.read(), world.all());
    }

    /// However many are created while older pages are read.
    #[test]
    fn a_list_that_grows_by_pages_loses_nothing(start in 21_usize..90, created in 0_usize..90, at in 0_usize..4) {
        let mut world = World::open(start);
        world.send(Event::Older);
        for _ in 0..at {
            world.answer_one();
        }
        world.create(created);
        world.answer_all();
        world.does(Event::LookDue);
        for _ in 0..20 {
            world.does(Event::Older);
        }
        prop_assert_eq!(world.read(), world.all());
    }
}
