//! New payments from the event stream and by polling.

use serde_json::json;
use tender_payments_core::{Cancellation, Effect, Event, OlderPages, Refresh, Request, Updates};

use crate::simulation::{Simulation, record, respond};

fn message(event: &str, data: &str, id: &str) -> Event {
    Event::StreamMessage {
        event: event.to_owned(),
        data: data.to_owned(),
        last_event_id: Some(id.to_owned()),
    }
}

/// It is loaded with its page.
#[test]
fn a_changed_payment_that_is_not_loaded_adds_no_row() {
    let mut simulation = Simulation::open(5);
    let mut old = record(3);
    old["transactionId"] = json!("older-than-the-loaded-payments");
    simulation.run(message("status", &old.to_string(), "2"));
    assert_eq!(simulation.loaded(), simulation.all());
}

#[test]
fn a_disconnected_stream_resumes_after_its_last_event_with_back_off() {
    let mut simulation = Simulation::open(1);
    let mut waits = Vec::new();
    simulation.run(Event::StreamOpened);
    simulation.run(message("ledger", "{}", "41"));
    for _ in 0..8 {
        simulation.others.clear();
        simulation.run(Event::StreamDisconnected);
        let [Effect::SchedulePoll(seconds)] = simulation.others[..] else {
            panic!("{:?}", simulation.others)
        };
        waits.push(seconds);
        simulation.others.clear();
        simulation.run(Event::PollDue);
        let resumes = |effect: &Effect| matches!(effect, Effect::Subscribe { last_event_id: Some(id), .. } if id == "41");
        assert!(
            simulation.others.iter().any(resumes),
            "{:?}",
            simulation.others
        );
    }
    assert_eq!(waits, [1, 2, 4, 8, 16, 32, 60, 60]);
}

#[test]
fn without_a_stream_the_list_is_polled() {
    let mut simulation = Simulation::open(1);
    simulation.run(Event::StreamUnsupported);
    assert_eq!(simulation.dashboard().updates, Updates::Polling(0));
    assert_eq!(simulation.others.last(), Some(&Effect::SchedulePoll(15)));
    simulation.create(1);
    simulation.run(Event::PollDue);
    assert_eq!(simulation.shown(), simulation.all());
    assert_eq!(simulation.others.last(), Some(&Effect::SchedulePoll(15)));
}

/// New ones are shown once they reach a payment that was loaded before, so that none is missing between them.
#[test]
fn several_pages_of_new_payments_are_shown_together() {
    let mut simulation = Simulation::open(45);
    simulation.run(Event::StreamUnsupported);
    let before = simulation.loaded();
    simulation.create(50);
    simulation.send(Event::PollDue);
    for after in [None, Some("t-76")] {
        simulation.respond_one();
        assert_eq!(simulation.cursors.last().unwrap().as_deref(), after);
        assert_eq!(simulation.loaded(), before);
    }
    // The next refresh starts with the first page again.
    simulation.fail_list(503, "");
    assert!(matches!(simulation.dashboard().refresh, Refresh::Failed(_)));
    assert_eq!(simulation.loaded(), before);
    simulation.create(1);
    simulation.run(Event::PollDue);
    assert_eq!(simulation.dashboard().refresh, Refresh::Idle);
    assert_eq!(simulation.loaded(), simulation.all()[..71]);
}

/// More than one refresh loads.
const MANY: usize = 1_030;

#[test]
fn the_list_starts_again_after_more_new_payments_than_a_refresh_loads() {
    let mut simulation = Simulation::open(45);
    simulation.run(Event::StreamUnsupported);
    simulation.run(Event::OlderPageRequested);
    simulation.run(Event::SelectionChanged("t-9".to_owned(), true));
    simulation.run(Event::CancelRequested(vec!["t-9".to_owned()]));
    simulation.create(MANY);
    simulation.emitted.clear();
    simulation.run(Event::PollDue);
    assert_eq!(simulation.emitted.len(), 1_000, "each one is reported");
    assert_eq!(simulation.loaded(), simulation.all()[..1_000]);
    assert_eq!(simulation.shown(), simulation.all()[..20]);
    assert!(simulation.dashboard().selected.is_empty());
    assert_eq!(simulation.dashboard().older, OlderPages::MaybeMore);
    // What the merchant has begun goes on.
    simulation.run(Event::CancelConfirmed);
    assert!(matches!(
        simulation.dashboard().cancellation,
        Cancellation::Finished(_)
    ));
    let cancelled = simulation
        .list
        .iter()
        .find(|row| row["transactionId"] == "t-9");
    assert_eq!(cancelled.unwrap()["statusText"], "Cancelled");
    for _ in 0..60 {
        simulation.run(Event::OlderPageRequested);
    }
    assert_eq!(simulation.loaded(), simulation.all());
}

#[test]
fn new_payments_move_no_row_while_the_merchant_uses_the_table() {
    let mut simulation = Simulation::open(45);
    simulation.run(Event::StreamUnsupported);
    let before = simulation.shown();
    simulation.run(Event::InteractionChanged(true));
    simulation.create(30);
    simulation.run(Event::PollDue);
    assert_eq!(simulation.shown(), before);
    assert_eq!(simulation.dashboard().hidden.len(), 30);
    simulation.run(Event::ShowNewRequested);
    assert_eq!(simulation.shown(), simulation.all()[..20]);
}

/// Older payments are loaded while new ones are.
#[test]
fn a_refresh_and_older_payments_do_not_wait_for_each_other() {
    let mut simulation = Simulation::open(65);
    simulation.run(Event::StreamUnsupported);
    simulation.create(30);
    simulation.send(Event::PollDue);
    simulation.send(Event::OlderPageRequested);
    simulation.respond_all();
    assert_eq!(simulation.loaded(), simulation.all()[..80]);
}

#[test]
fn a_hidden_page_sends_no_requests() {
    let mut simulation = Simulation::open(1);
    simulation.run(Event::StreamOpened);
    simulation.others.clear();
    simulation.run(Event::VisibilityChanged(false));
    assert_eq!(simulation.others, [Effect::Unsubscribe]);
    let asked = simulation.cursors.len();
    simulation.run(Event::PollDue);
    assert_eq!(simulation.cursors.len(), asked);
    simulation.create(30);
    simulation.run(Event::VisibilityChanged(true));
    assert_eq!(
        simulation.loaded(),
        simulation.all(),
        "two pages of new payments, and none is lost"
    );
    assert!(matches!(
        simulation.others[..],
        [.., Effect::Subscribe { .. }, Effect::SchedulePoll(_)]
    ));
}

/// The browser says so while the stream waits for its back-off, or the next poll.
#[test]
fn a_page_that_is_back_online_reads_and_connects_at_once() {
    for (lost, is_due) in [
        (Some(Event::StreamDisconnected), true),
        (Some(Event::StreamUnsupported), true),
        (None, false),
    ] {
        let mut simulation = Simulation::open(1);
        simulation.run(Event::StreamOpened);
        if let Some(event) = lost {
            simulation.run(event);
        }
        simulation.others.clear();
        let asked = simulation.cursors.len();
        simulation.run(Event::VisibilityChanged(true));
        assert_eq!(simulation.cursors.len() > asked, is_due);
        let connects = matches!(
            simulation.others[..],
            [Effect::Subscribe { .. }, Effect::SchedulePoll(_)]
        );
        assert_eq!(connects, is_due, "{:?}", simulation.others);
    }
}

/// Responds to the running requests, to those for the ledger with this status.
fn respond_with_ledger_status(simulation: &mut Simulation, status: u16) -> usize {
    let mut ledger_requests = 0;
    while let Some((_, request)) = simulation.requests.front() {
        if let Request::Ledger(_) = request {
            ledger_requests += 1;
            let (_, request) = simulation.requests.pop_front().unwrap();
            simulation.finish(request, respond(status, "{}"));
        } else {
            simulation.respond_one();
        }
    }
    ledger_requests
}

#[test]
fn a_route_that_is_missing_once_is_requested_again_later() {
    let mut simulation = Simulation::open(1);
    simulation.send(Event::StreamUnsupported);
    simulation.others.clear();
    let mut ledger_requests = 0;
    for _ in 0..19 {
        simulation.send(Event::PollDue);
        ledger_requests += respond_with_ledger_status(&mut simulation, 404);
    }
    let subscribes = |effect: &Effect| matches!(effect, Effect::Subscribe { .. });
    assert!(!simulation.others.iter().any(subscribes), "not at once");
    assert_eq!(ledger_requests, 0, "not at once");
    simulation.send(Event::PollDue);
    ledger_requests += respond_with_ledger_status(&mut simulation, 200);
    assert!(simulation.others.iter().any(subscribes));
    assert_eq!(ledger_requests, 1);
    simulation.send(Event::StreamOpened);
    assert_eq!(simulation.dashboard().updates, Updates::Streaming);
}
