//! Access with a merchant key, and behind a shop's own login.

use tender_payments_core::{Effect, Event, HostEvent, KeyPrompt, MerchantKey, State};
use tender_protocol::client::FailureCode;

use crate::simulation::Simulation;

#[test]
fn after_logout_nothing_is_shown_and_no_key_is_required() {
    let mut simulation = Simulation::open(3);
    assert_eq!(simulation.dashboard().key, None, "the backend adds it");
    simulation.emitted.clear();
    simulation.send(Event::PollDue);
    simulation.fail_list(401, "");
    assert_eq!(simulation.state, State::LoggedOut);
    assert!(simulation.others.contains(&Effect::Unsubscribe));
    let [HostEvent::Error(failure)] = &simulation.emitted[..] else {
        panic!("the page is not notified: {:?}", simulation.emitted)
    };
    assert_eq!(failure.code, FailureCode::RequestRefused);
    simulation.respond_all();
    simulation.send(Event::KeySubmitted("guess".to_owned()));
    assert_eq!(
        simulation.state,
        State::LoggedOut,
        "late responses are ignored"
    );
    simulation.send(Event::ReloadRequested);
    assert_eq!(simulation.others.last(), Some(&Effect::ReloadPage));
    // The merchant has logged in again.
    simulation.run(Event::RefreshRequested);
    assert_eq!(simulation.shown().len(), 3);
}

#[test]
fn forgetting_the_key_removes_everything_that_was_loaded_with_it() {
    let mut simulation = Simulation::with(3);
    simulation.run(Event::Started(MerchantKey::parse("right")));
    simulation.send(Event::PollDue);
    simulation.others.clear();
    simulation.send(Event::KeyForgotten);
    assert_eq!(simulation.state, State::KeyRequired(KeyPrompt::Initial));
    assert_eq!(
        simulation.others,
        [Effect::Unsubscribe, Effect::StoreKey(None)]
    );
    simulation.respond_all();
    assert_eq!(
        simulation.state,
        State::KeyRequired(KeyPrompt::Initial),
        "late responses are ignored"
    );
}

#[test]
fn the_key_is_not_printed() {
    let key = MerchantKey::parse("s3cret").unwrap();
    let mut simulation = Simulation::open(1);
    simulation.run(Event::Started(Some(key.clone())));
    let written = format!(
        "{key:?} {:?} {:?}",
        simulation.state,
        Event::Started(Some(key.clone()))
    );
    assert!(!written.contains("s3cret"), "{written}");
}
