//! What the merchant can do about the order of a payment: removing the marks that money may have been sent, and releasing it.

use serde_json::{Value, json};
use tender_payments_core::{Event, OrderAction, OrderProgress, Request};

use crate::simulation::{Simulation, ok, record, respond};

const BOTH: [OrderAction; 2] = [OrderAction::RemoveMarks, OrderAction::Release];

/// A dashboard with one payment in this state, about which the proxy knows this.
fn open(state: &str, known: &Value, reconciling: &Value) -> Simulation {
    let mut row = record(1);
    row["state"] = json!(state);
    let mut simulation = Simulation::of([row]);
    let ledger = json!({ "payments": known, "reconciling": reconciling });
    simulation.finish(Request::Ledger(Vec::new()), ok(&ledger));
    simulation.send(Event::DetailsRequested("t-1".to_owned()));
    simulation.respond_all();
    simulation
}

fn marks(number: u32) -> Value {
    json!([{ "transactionId": "t-1", "notifiedAt": null, "sent": number }])
}

fn marked() -> Simulation {
    open("open", &marks(2), &json!([]))
}

fn progress(simulation: &Simulation) -> &OrderProgress {
    &simulation.dashboard().details.as_ref().unwrap().order
}

/// The requests about orders.
fn requested(simulation: &Simulation) -> Vec<(&str, OrderAction)> {
    let requests = simulation.requests.iter();
    let requests = requests.filter_map(|(_, request)| match request {
        Request::ChangeOrder(id, action) => Some((id.as_str(), *action)),
        _ => None,
    });
    requests.collect()
}

#[test]
fn an_order_that_is_bound_to_its_payment_can_be_released() {
    let contradictory = |id: &str| {
        json!([{
            "token": "usdtt", "paymentToken": "trx", "quantity": 1, "transactionId": id,
            "since": "2026-11-21T17:53:01Z", "reason": "create-contradictory",
        }])
    };
    let unanswered = json!([{
        "token": "usdtt", "paymentToken": "trx", "quantity": 1, "transactionId": "t-1",
        "since": "2026-11-21T17:53:01Z", "reason": "cancel-unanswered",
    }]);
    let none = json!([]);
    for (state, known, reconciling, offered) in [
        ("open", &none, &none, &BOTH[..0]),
        ("open", &marks(0), &unanswered, &[]),
        ("paid", &none, &contradictory("t-2"), &[]),
        ("pending", &none, &none, &[]),
        ("underpaid", &none, &none, &BOTH[1..]),
        ("open", &none, &contradictory("t-1"), &BOTH[1..]),
        ("closed", &marks(1), &none, &BOTH),
        ("open", &marks(8), &none, &BOTH),
    ] {
        let mut simulation = open(state, known, reconciling);
        let actions = simulation.dashboard().order_actions();
        assert_eq!(actions, offered, "{state} {known} {reconciling}");
        for other in BOTH.into_iter().filter(|action| !offered.contains(action)) {
            simulation.send(Event::OrderActionRequested(other));
            assert_eq!(*progress(&simulation), OrderProgress::Idle, "{other:?}");
        }
    }
}

#[test]
fn nothing_is_done_before_the_merchant_confirms_it() {
    let mut simulation = marked();
    simulation.send(Event::OrderActionConfirmed);
    simulation.send(Event::OrderActionRequested(OrderAction::Release));
    assert_eq!(
        *progress(&simulation),
        OrderProgress::Confirming(OrderAction::Release)
    );
    simulation.send(Event::OrderActionDismissed);
    assert_eq!(*progress(&simulation), OrderProgress::Idle);
    assert_eq!(requested(&simulation), []);

    for action in BOTH {
        let mut simulation = marked();
        simulation.send(Event::OrderActionRequested(action));
        simulation.send(Event::OrderActionConfirmed);
        // A second click, and what would change the question.
        simulation.send(Event::OrderActionConfirmed);
        simulation.send(Event::OrderActionDismissed);
        simulation.send(Event::OrderActionRequested(OrderAction::Release));
        assert_eq!(*progress(&simulation), OrderProgress::Requested(action));
        assert_eq!(requested(&simulation), [("t-1", action)]);
    }
}

#[test]
fn a_result_belongs_to_its_dialog() {
    let mut simulation = marked();
    simulation.send(Event::OrderActionRequested(OrderAction::Release));
    simulation.send(Event::OrderActionConfirmed);
    simulation.send(Event::DetailsClosed);
    simulation.send(Event::DetailsRequested("t-1".to_owned()));
    let request = Request::ChangeOrder("t-1".to_owned(), OrderAction::Release);
    simulation.finish(request, respond(204, ""));
    assert_eq!(*progress(&simulation), OrderProgress::Idle);
}
