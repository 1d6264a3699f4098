//! Entry by merchant key, and behind a shop's own login.

use tender_client::FailureCode;
use tender_payments_core::{Effect, Entry, Event, HostEvent, Key, State};

use crate::world::{World, answer};

fn refuse(world: &mut World, status: u16) {
    let Some(Effect::ReadList(ask)) = world.requests.pop_front() else {
        panic!("it asks for the list");
    };
    world.send(Event::ListAnswered(ask, answer(status, "")));
}

#[test]
fn a_proxy_that_wants_a_key_gets_one() {
    let mut world = World::with(3);
    world.send(Event::Started(None));
    refuse(&mut world, 401);
    assert_eq!(world.state, State::Locked(Entry::Wanted));
    world.send(Event::KeyEntered("two words".to_owned()));
    assert_eq!(world.state, State::Locked(Entry::Unfit));
    world.send(Event::KeyEntered(" wrong ".to_owned()));
    refuse(&mut world, 403);
    assert_eq!(world.state, State::Locked(Entry::Refused));
    assert_eq!(world.others.last(), Some(&Effect::KeepKey(None)));
    world.does(Event::KeyEntered("right".to_owned()));
    let key = Key::read("right");
    assert_eq!(world.desk().key, key);
    assert!(
        world.others.contains(&Effect::KeepKey(key)),
        "only one that was taken is kept"
    );
}

#[test]
fn a_shop_that_adds_the_key_itself_is_asked_for_none() {
    let world = World::open(3);
    assert_eq!(world.desk().key, None);
    assert!(
        !world
            .others
            .iter()
            .any(|effect| matches!(effect, Effect::KeepKey(_)))
    );
}

#[test]
fn a_login_that_has_ended_asks_for_no_key_and_shows_nothing_more() {
    let mut world = World::open(3);
    world.told.clear();
    world.send(Event::LookDue);
    refuse(&mut world, 401);
    assert_eq!(world.state, State::LoggedOut);
    assert!(world.others.contains(&Effect::StopListening));
    let [HostEvent::Error(failure)] = &world.told[..] else {
        panic!("the page may offer its login: {:?}", world.told)
    };
    assert_eq!(failure.code, FailureCode::RequestRefused);
    world.answer_all();
    world.send(Event::KeyEntered("guess".to_owned()));
    assert_eq!(world.state, State::LoggedOut, "nothing late shows anything");
    world.send(Event::ReloadWanted);
    assert_eq!(world.others.last(), Some(&Effect::Reload));
    // The page has seen to it by itself.
    world.does(Event::Refreshed);
    assert_eq!(world.shown().len(), 3);
}

#[test]
fn a_login_that_never_was_may_be_a_proxy_that_wants_a_key() {
    let mut world = World::with(3);
    world.send(Event::Started(None));
    refuse(&mut world, 401);
    assert_eq!(world.state, State::Locked(Entry::Wanted));
}

#[test]
fn a_key_is_forgotten_with_all_that_it_has_shown() {
    let mut world = World::with(3);
    world.does(Event::Started(Key::read("right")));
    world.send(Event::LookDue);
    world.others.clear();
    world.send(Event::KeyForgotten);
    assert_eq!(world.state, State::Locked(Entry::Wanted));
    assert_eq!(world.others, [Effect::StopListening, Effect::KeepKey(None)]);
    world.answer_all();
    assert_eq!(
        world.state,
        State::Locked(Entry::Wanted),
        "a late answer shows nothing"
    );
}

#[test]
fn a_key_is_never_written_out() {
    let key = Key::read("s3cret").unwrap();
    let mut world = World::open(1);
    world.does(Event::Started(Some(key.clone())));
    let written = format!(
        "{key:?} {:?} {:?}",
        world.state,
        Event::Started(Some(key.clone()))
    );
    assert!(!written.contains("s3cret"), "{written}");
}
