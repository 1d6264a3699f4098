//! Notifications to the shop's backend.

use serde_json::{Value, json};
use tender_payments_core::{DeliveryRequest, Effect, Event, PaymentDetails, Request, Updates};
use tender_protocol::DeliveryState;

use crate::simulation::{Simulation, ok, record, respond};

/// A notification of a payment, as the proxy writes it.
fn delivery(id: &str, payment: &str, state: &str) -> Value {
    let mut delivery = json!({
        "id": id, "type": "payment.paid", "transactionId": payment, "state": state,
        "writtenAt": "2026-11-21T10:00:00Z", "tries": 1, "answer": "503",
        "answeredAt": "2026-11-21T10:00:01Z",
    });
    if state == "waiting" {
        delivery["dueAt"] = json!("2026-11-21T10:00:06Z");
    }
    delivery
}

fn serve(simulation: &mut Simulation, deliveries: &[Value]) {
    let all = deliveries.to_vec();
    simulation.deliveries = Box::new(move |payment| {
        let mut listed = all.clone();
        listed.retain(|delivery| payment.is_none_or(|id| delivery["transactionId"] == id));
        ok(&json!({ "deliveries": listed, "more": false }))
    });
}

fn open_with(deliveries: &[Value]) -> Simulation {
    let mut simulation = Simulation::with(5);
    serve(&mut simulation, deliveries);
    simulation.run(Event::Started(None));
    simulation
}

/// The payment of the last request for notifications.
fn last_requested(simulation: &Simulation) -> Option<&str> {
    simulation.delivery_requests.last().unwrap().as_deref()
}

fn dialog(simulation: &Simulation) -> &PaymentDetails {
    let open = &simulation.dashboard().details;
    open.as_ref().expect("the dialog is open")
}

fn schedules(simulation: &Simulation) -> usize {
    let effects = simulation.others.iter();
    let is_schedule = |effect: &&Effect| matches!(effect, Effect::ScheduleDeliveries(_));
    effects.filter(is_schedule).count()
}

#[test]
fn a_payment_has_the_state_of_its_newest_notification() {
    let latest = |more: bool| {
        let mut simulation = Simulation::open(5);
        let deliveries = json!([
            delivery("d-4", "t-1", "delivered"),
            delivery("d-3", "t-2", "waiting"),
            delivery("d-2", "t-1", "given-up"),
            delivery("d-1", "t-3", "a-state-of-a-newer-proxy"),
        ]);
        let answer = ok(&json!({ "deliveries": deliveries, "more": more }));
        simulation.deliveries = Box::new(move |_| answer.clone());
        simulation.run(Event::RefreshRequested);
        simulation.dashboard().deliveries.clone()
    };
    let all = latest(false);
    let states = ["t-1", "t-2", "t-3", "t-4"].map(|id| all.of(id));
    assert_eq!(
        states,
        [
            Some(DeliveryState::Delivered),
            Some(DeliveryState::Waiting),
            Some(DeliveryState::Unknown),
            None
        ]
    );
    let unknown = Some(DeliveryState::Unknown);
    assert_eq!(latest(true).of("t-4"), unknown, "an older one may exist");
}

#[test]
fn a_proxy_without_the_route_is_asked_again_later() {
    let mut simulation = Simulation::open(3);
    assert!(simulation.dashboard().deliveries.is_unsupported());
    assert_eq!(simulation.dashboard().deliveries.of("t-1"), None);
    simulation.run(Event::StreamUnsupported);
    simulation.run(Event::PollDue);
    assert_eq!(simulation.delivery_requests, [None], "not with each poll");
    serve(&mut simulation, &[delivery("d-1", "t-1", "delivered")]);
    simulation.run(Event::RefreshRequested);
    let delivered = Some(DeliveryState::Delivered);
    assert_eq!(simulation.dashboard().deliveries.of("t-1"), delivered);
}

#[test]
fn a_failure_keeps_what_is_known() {
    let mut simulation = open_with(&[delivery("d-1", "t-1", "delivered")]);
    let known = simulation.dashboard().deliveries.clone();
    for broken in ["", "[]", r#"{"deliveries":[{}]}"#] {
        simulation.deliveries = Box::new(move |_| respond(200, broken));
        simulation.run(Event::RefreshRequested);
        assert_eq!(simulation.dashboard().deliveries, known, "{broken}");
    }
    simulation.deliveries = Box::new(|_| respond(503, ""));
    simulation.run(Event::RefreshRequested);
    assert_eq!(simulation.dashboard().deliveries, known);
}

#[test]
fn a_changed_payment_is_looked_at_again_soon() {
    let mut simulation = open_with(&[delivery("d-1", "t-1", "delivered")]);
    let status = |number| Event::StreamMessage {
        event: "status".to_owned(),
        data: record(number).to_string(),
        last_event_id: None,
    };
    simulation.run(status(2));
    assert_eq!(
        simulation.others.last(),
        Some(&Effect::ScheduleDeliveries(3))
    );
    let news = [
        delivery("d-2", "t-2", "delivered"),
        delivery("d-1", "t-1", "delivered"),
    ];
    serve(&mut simulation, &news);
    simulation.run(Event::DeliveriesDue);
    assert_eq!(simulation.delivery_requests, [None, None]);
    let delivered = Some(DeliveryState::Delivered);
    assert_eq!(simulation.dashboard().deliveries.of("t-2"), delivered);

    let mut without = Simulation::open(3);
    without.run(status(2));
    assert_eq!(schedules(&without), 0, "there are no notifications");
}

#[test]
fn the_dialog_follows_a_notification_until_it_is_delivered() {
    let failing = delivery("d-2", "t-1", "waiting");
    let mut simulation = open_with(&[failing, delivery("d-1", "t-2", "delivered")]);
    simulation.send(Event::DetailsRequested("t-1".to_owned()));
    assert_eq!(dialog(&simulation), &PaymentDetails::new("t-1".to_owned()));
    simulation.respond_all();
    assert_eq!(last_requested(&simulation), Some("t-1"));
    let ids = |simulation: &Simulation| {
        let list = dialog(simulation).list.clone().unwrap().deliveries;
        list.into_iter()
            .map(|delivery| delivery.id)
            .collect::<Vec<_>>()
    };
    assert_eq!(ids(&simulation), ["d-2"]);
    assert_eq!(dialog(&simulation).worst(), Some(DeliveryState::Waiting));
    assert_eq!(schedules(&simulation), 1);
    simulation.run(Event::DeliveriesDue);
    assert_eq!(schedules(&simulation), 2, "it is still waiting");
    serve(&mut simulation, &[delivery("d-2", "t-1", "set-aside")]);
    simulation.run(Event::DeliveriesDue);
    assert_eq!(dialog(&simulation).worst(), Some(DeliveryState::SetAside));
    assert_eq!(schedules(&simulation), 3, "it is sent again");
    serve(&mut simulation, &[delivery("d-2", "t-1", "delivered")]);
    simulation.run(Event::DeliveriesDue);
    assert_eq!(dialog(&simulation).worst(), Some(DeliveryState::Delivered));
    assert_eq!(schedules(&simulation), 3, "there is nothing to wait for");
    let delivered = Some(DeliveryState::Delivered);
    assert_eq!(simulation.dashboard().deliveries.of("t-1"), delivered);

    simulation.run(Event::DetailsClosed);
    assert_eq!(simulation.dashboard().details, None);
    let last = last_requested(&simulation);
    assert_eq!(last, None, "the table is up to date");
    let delivery_requests = simulation.delivery_requests.len();
    simulation.run(Event::DetailsClosed);
    assert_eq!(simulation.delivery_requests.len(), delivery_requests);
}

#[test]
fn only_what_was_tried_is_sent_again() {
    let mut untried = delivery("d-4", "t-1", "waiting");
    untried["tries"] = json!(0);
    let all = [
        untried,
        delivery("d-3", "t-1", "waiting"),
        delivery("d-2", "t-1", "given-up"),
        delivery("d-1", "t-1", "delivered"),
        delivery("d-0", "t-1", "set-aside"),
    ];
    let mut simulation = open_with(&all);
    simulation.resend = |_| ok(&json!({ "resent": 1 }));
    simulation.send(Event::ResendRequested("d-1".to_owned()));
    assert_eq!(simulation.requests, [], "the dialog is closed");
    simulation.run(Event::DetailsRequested("t-1".to_owned()));
    assert_eq!(dialog(&simulation).worst(), Some(DeliveryState::GivenUp));
    let ids = ["d-4", "d-3", "d-2", "d-1", "d-0", "d-9"];
    let can = ids.map(|id| dialog(&simulation).can_resend(id));
    assert_eq!(can, [false, true, true, true, true, false]);

    simulation.send(Event::ResendRequested("d-2".to_owned()));
    let resend = Request::Resend("d-2".to_owned());
    assert_eq!(simulation.requests, [(None, resend)]);
    assert!(!dialog(&simulation).can_resend("d-1"), "one at a time");
    simulation.run(Event::ResendRequested("d-1".to_owned()));
    assert_eq!(dialog(&simulation).request, DeliveryRequest::Idle);
    assert_eq!(last_requested(&simulation), Some("t-1"));
}

#[test]
fn a_failed_request_is_shown_and_the_list_stays() {
    let given_up = delivery("d-1", "t-1", "given-up");
    let mut simulation = open_with(&[given_up]);
    simulation.resend = |_| respond(503, r#"{"code":"busy","detail":"Too busy."}"#);
    simulation.run(Event::DetailsRequested("t-1".to_owned()));
    simulation.run(Event::ResendRequested("d-1".to_owned()));
    // The list that was loaded afterwards does not hide it.
    let DeliveryRequest::ResendFailed(failure) = &dialog(&simulation).request else {
        panic!("{:?}", dialog(&simulation).request);
    };
    assert!(failure.message.contains("Too busy."), "{failure:?}");
    assert!(dialog(&simulation).can_resend("d-1"));
    simulation.deliveries = Box::new(|_| respond(503, ""));
    simulation.run(Event::DeliveriesDue);
    assert!(matches!(
        dialog(&simulation).request,
        DeliveryRequest::LoadFailed(_)
    ));
    assert!(dialog(&simulation).get("d-1").is_some());
}

#[test]
fn a_late_response_changes_nothing() {
    let mut simulation = open_with(&[delivery("d-1", "t-1", "given-up")]);
    simulation.run(Event::DetailsRequested("t-1".to_owned()));
    simulation.send(Event::DeliveriesDue);
    simulation.send(Event::ResendRequested("d-1".to_owned()));
    simulation.respond_one();
    let resending = DeliveryRequest::Resending("d-1".to_owned());
    assert_eq!(dialog(&simulation).request, resending);
    simulation.send(Event::DetailsClosed);
    simulation.send(Event::DetailsRequested("t-2".to_owned()));
    simulation.respond_one();
    assert_eq!(
        dialog(&simulation).request,
        DeliveryRequest::Loading,
        "of another payment"
    );
    simulation.respond_all();
    assert_eq!(dialog(&simulation).list.clone().unwrap().deliveries, []);
    assert_eq!(dialog(&simulation).worst(), None);
}

#[test]
fn a_hidden_page_requests_no_notifications() {
    let mut simulation = open_with(&[delivery("d-1", "t-1", "waiting")]);
    simulation.run(Event::DetailsRequested("t-1".to_owned()));
    simulation.run(Event::VisibilityChanged(false));
    assert_eq!(simulation.dashboard().updates, Updates::Paused);
    let delivery_requests = simulation.delivery_requests.len();
    simulation.run(Event::DeliveriesDue);
    assert_eq!(simulation.delivery_requests.len(), delivery_requests);
    simulation.run(Event::VisibilityChanged(true));
    assert_eq!(last_requested(&simulation), Some("t-1"));
}
