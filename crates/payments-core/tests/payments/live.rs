//! New payments from the event stream and by polling.

use serde_json::json;
use tender_payments_core::{Cancellation, Effect, Event, OlderPages, Request, Updates};

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

/// More than one refresh loads.
const MANY: usize = 1_030;

#[test]
fn payments_in_a_gap_are_loaded_with_the_older_pages() {
    let mut simulation = Simulation::open(45);
    simulation.run(Event::OlderPageRequested);
    simulation.run(Event::NewerPageRequested);
    simulation.run(Event::StreamUnsupported);
    simulation.create(MANY);
    simulation.run(Event::PollDue);
    assert_eq!(
        simulation.loaded(),
        simulation.all()[..1_000],
        "and nothing after the gap"
    );
    assert_eq!(simulation.shown(), simulation.all()[..20]);
    assert_eq!(simulation.dashboard().older, OlderPages::MaybeMore);
    for _ in 0..60 {
        simulation.run(Event::OlderPageRequested);
    }
    assert_eq!(simulation.loaded(), simulation.all());
}

#[test]
fn a_gap_moves_no_row_while_the_merchant_uses_the_table() {
    let mut simulation = Simulation::open(45);
    simulation.run(Event::StreamUnsupported);
    let before = simulation.shown();
    simulation.run(Event::InteractionChanged(true));
    simulation.run(Event::SelectionChanged(before[0].clone(), true));
    simulation.create(MANY);
    simulation.run(Event::PollDue);
    assert_eq!(simulation.shown(), before);
    assert_eq!(simulation.dashboard().hidden.len(), 1_000);
    // Payments that are created later are before the gap: one page is enough to load them.
    simulation.create(3);
    let asked = simulation.pages.len();
    simulation.run(Event::PollDue);
    assert_eq!(simulation.pages[asked..], [1]);
    assert_eq!(
        (simulation.dashboard().hidden.len(), simulation.shown()),
        (1_003, before)
    );
    simulation.run(Event::ShowNewRequested);
    assert_eq!(simulation.shown(), simulation.all()[..20]);
    assert!(
        simulation.dashboard().selected.is_empty(),
        "the selected payment was removed"
    );
    assert_eq!(simulation.loaded(), simulation.all()[..1_003]);
    for _ in 0..60 {
        simulation.run(Event::OlderPageRequested);
    }
    assert_eq!(simulation.loaded(), simulation.all());
}

#[test]
fn loading_older_payments_skips_no_gap() {
    for goal in [Event::OlderPageRequested, Event::SearchOlderRequested] {
        let mut simulation = Simulation::open(45);
        simulation.run(Event::StreamUnsupported);
        simulation.run(Event::OlderPageRequested);
        simulation.search("INV-40");
        if goal == Event::OlderPageRequested {
            simulation.search("");
        }
        simulation.run(Event::InteractionChanged(true));
        simulation.create(MANY);
        simulation.run(Event::PollDue);
        // Up to the gap, and then past it.
        for _ in 0..60 {
            simulation.run(goal.clone());
        }
        let read = simulation.loaded();
        assert_eq!(read, simulation.all()[..read.len()], "{goal:?}");
        assert!(read.len() > MANY, "{goal:?}: {}", read.len());
    }
}

#[test]
fn a_payment_that_is_being_cancelled_stays_until_the_result_is_shown() {
    let mut simulation = Simulation::open(5);
    simulation.run(Event::StreamUnsupported);
    simulation.run(Event::CancelRequested(vec!["t-3".to_owned()]));
    simulation.create(MANY);
    simulation.run(Event::PollDue);
    simulation.run(Event::CancelConfirmed);
    assert!(matches!(
        simulation.dashboard().cancellation,
        Cancellation::Finished(_)
    ));
    assert!(simulation.loaded().contains(&"t-3".to_owned()));
    simulation.run(Event::CancellationClosed);
    assert_eq!(simulation.loaded(), simulation.all()[..1_000]);
}

#[test]
fn a_hidden_page_sends_no_requests() {
    let mut simulation = Simulation::open(1);
    simulation.run(Event::StreamOpened);
    simulation.others.clear();
    simulation.run(Event::VisibilityChanged(false));
    assert_eq!(simulation.others, [Effect::Unsubscribe]);
    let asked = simulation.pages.len();
    simulation.run(Event::PollDue);
    assert_eq!(simulation.pages.len(), asked);
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
        let asked = simulation.pages.len();
        simulation.run(Event::VisibilityChanged(true));
        assert_eq!(simulation.pages.len() > asked, is_due);
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
