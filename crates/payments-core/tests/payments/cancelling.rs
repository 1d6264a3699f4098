//! Cancelling one payment and several: the merchant confirms first, and the result is read from the
//! list.

use serde_json::json;
use tender_payments_core::{CancelOutcome, Cancellation, Event, ListedStatus, Purpose, Request};
use tender_protocol::client::response::success;
use tender_protocol::{Payment, Status};

use crate::simulation::{Simulation, ok, payment, record, respond};

fn outcomes(simulation: &Simulation) -> &[CancelOutcome] {
    match &simulation.dashboard().cancellation {
        Cancellation::Finished(outcomes) => outcomes,
        other => panic!("the results are not shown: {other:?}"),
    }
}

fn cancel(simulation: &mut Simulation, ids: &[&str]) {
    let ids = ids.iter().map(|id| (*id).to_owned()).collect();
    simulation.run(Event::CancelRequested(ids));
    simulation.run(Event::CancelConfirmed);
}

#[test]
fn no_request_is_sent_before_the_merchant_confirms() {
    let mut simulation = Simulation::open(3);
    simulation.run(Event::CancelRequested(vec!["t-2".to_owned()]));
    assert!(
        matches!(&simulation.dashboard().cancellation, Cancellation::Confirming(payments) if payments.len() == 1)
    );
    simulation.run(Event::CancellationClosed);
    simulation.run(Event::CancelConfirmed);
    assert_eq!(simulation.dashboard().cancellation, Cancellation::Idle);
    assert!(simulation.list.iter().all(|row| row["statusId"] == "1"));
}

/// Money may be on its way, even if the proxy doesn't say what the status means. The proxy would refuse, too.
#[test]
fn a_payment_that_has_ended_or_whose_status_has_moved_on_is_not_cancelled() {
    let mut simulation = Simulation::open(6);
    simulation.run(Event::SelectAllChanged(true));
    for (index, status, state) in [
        (0, "Created", json!("paid")),
        (1, "Created", json!("closed")),
        (2, "Confirming", json!(null)),
        (3, "Confirming", json!("open")),
        (4, "Created", json!("open")),
    ] {
        simulation.list[index]["statusText"] = json!(status);
        simulation.list[index]["state"] = state;
    }
    simulation.run(Event::RefreshRequested);
    let ids = |payments: &[Payment]| -> Vec<_> {
        let ids = payments.iter().map(|row| row.transaction_id.clone());
        ids.collect()
    };
    let numbered = |numbers: &[u32]| numbers.iter().map(|number| format!("t-{number}")).collect();
    let confirming = |simulation: &Simulation| match &simulation.dashboard().cancellation {
        Cancellation::Confirming(payments) => ids(payments),
        other => panic!("the others can be cancelled: {other:?}"),
    };
    let selection: Vec<_> = simulation.dashboard().selection().cloned().collect();
    assert_eq!(
        ids(&selection),
        ["t-2", "t-1"],
        "also if it was selected before"
    );
    for number in [6, 5, 4, 3] {
        simulation.run(Event::CancelRequested(numbered(&[number])));
        let cancellation = &simulation.dashboard().cancellation;
        assert_eq!(*cancellation, Cancellation::Idle, "t-{number}");
    }
    simulation.run(Event::CancelRequested(numbered(&[6, 5, 4, 3, 2, 1])));
    assert_eq!(confirming(&simulation), ["t-2", "t-1"]);
    simulation.run(Event::CancellationClosed);
    simulation.run(Event::CancelSelectedRequested);
    assert_eq!(confirming(&simulation), ["t-2", "t-1"]);

    simulation.run(Event::CancellationClosed);
    simulation.run(Event::SelectAllChanged(false));
    simulation.run(Event::SelectionChanged("t-4".to_owned(), true));
    simulation.run(Event::SelectAllChanged(true));
    let selected: Vec<_> = simulation.dashboard().selected.iter().collect();
    assert_eq!(selected, ["t-1", "t-2"], "nor is it selected");
}

#[test]
fn the_status_in_the_cancel_response_is_ignored() {
    let mut simulation = Simulation::open(3);
    simulation.cancel =
        |_, id| ok(&json!([{ "transactionId": id, "statusId": "9", "statusText": "Cancelled" }]));
    cancel(&mut simulation, &["t-2"]);
    assert_eq!(
        outcomes(&simulation)[0].listed,
        ListedStatus::Status(Status::Created, None)
    );
}

#[test]
fn a_refused_request_and_a_missing_payment_are_reported() {
    let mut simulation = Simulation::open(3);
    simulation.list.retain(|row| row["transactionId"] != "t-2");
    cancel(&mut simulation, &["t-2"]);
    let [outcome] = outcomes(&simulation) else {
        panic!()
    };
    assert_eq!(outcome.listed, ListedStatus::NotFound);
    assert_eq!(outcome.error.as_ref().unwrap().message, "No such payment.");
}

/// New payments meanwhile move the cancelled ones to other pages.
#[test]
fn the_result_is_read_where_the_payments_are_if_the_list_has_grown() {
    let mut simulation = Simulation::open(25);
    let ids = ["t-24", "t-7"].map(str::to_owned);
    simulation.run(Event::CancelRequested(ids.to_vec()));
    simulation.send(Event::CancelConfirmed);
    simulation.create(19);
    simulation.respond_all();
    let results = outcomes(&simulation).iter();
    let results: Vec<_> = results
        .map(|outcome| (&outcome.before.transaction_id, &outcome.listed))
        .collect();
    let cancelled = ListedStatus::Status(Status::new("9", "Cancelled").unwrap(), None);
    let [first, second] = &ids;
    assert_eq!(results, [(first, &cancelled), (second, &cancelled)]);
    simulation.run(Event::CancellationClosed);
    assert_eq!(simulation.dashboard().cancellation, Cancellation::Idle);
}

#[test]
fn the_result_is_unknown_if_the_list_cannot_be_read() {
    let mut simulation = Simulation::open(3);
    simulation.run(Event::CancelRequested(vec!["t-2".to_owned()]));
    simulation.send(Event::CancelConfirmed);
    simulation.respond_one();
    simulation.fail_list(503, "");
    assert_eq!(outcomes(&simulation)[0].listed, ListedStatus::Unreadable);
}

/// The page was requested for a cancellation before the merchant opened the dashboard again with the same key.
#[test]
fn a_late_page_repeats_no_cancel_request() {
    let mut simulation = Simulation::open(3);
    simulation.run(Event::CancelRequested(vec!["t-2".to_owned()]));
    simulation.send(Event::CancelConfirmed);
    let late = Request::List {
        after: None,
        purpose: Purpose::CancelStatus,
    };
    simulation.send(Event::RequestFinished(None, late, ok(&json!([]))));
    let requests = [(None, Request::Cancel("t-2".to_owned()))];
    assert_eq!(simulation.requests, requests);
}

/// The response to a cancel request doesn't state the status; only what the list shows afterwards counts.
#[test]
fn a_payment_is_cancelled_if_the_list_says_so() {
    let is_cancelled = |state: serde_json::Value, status: &str, is_accepted: bool| {
        let mut row = record(1);
        row["state"] = state;
        row["statusText"] = json!(status);
        let listed = payment(&row);
        let refusal = success(respond(409, "{}")).unwrap_err();
        let outcome = CancelOutcome {
            before: payment(&record(1)),
            error: (!is_accepted).then_some(refusal),
            listed: ListedStatus::Status(listed.status, listed.state),
        };
        outcome.is_cancelled()
    };
    let [closed, paid, unknown] = [json!("closed"), json!("paid"), json!(null)];
    assert!(is_cancelled(closed.clone(), "Created", true));
    assert!(is_cancelled(unknown.clone(), "Cancelled", true));
    assert!(!is_cancelled(unknown, "Confirming", true));
    assert!(
        !is_cancelled(paid, "Cancelled", true),
        "the proxy knows better"
    );
    assert!(
        !is_cancelled(closed, "Cancelled", false),
        "not by this request"
    );
}
