//! Tests of the merchant's list of the payments of an invoice number.

use jiff::Timestamp;

use crate::prelude::*;

async fn world() -> World {
    World::with(|config| {
        mapped(config);
        config.orders.allow_unsigned = true;
    })
    .await
}

impl World {
    /// What the merchant gets for the invoice number of the tests: payments, and doubts.
    async fn asked(&self) -> (Vec<Value>, Vec<Value>) {
        let answer = self.asked_for_all().await;
        let list = |field: &str| answer[field].as_array().unwrap().clone();
        (list("payments"), list("doubts"))
    }

    async fn asked_for_all(&self) -> Value {
        let path = format!("{}?invoiceNumber=INV-1", path::ORDERS);
        let answer = Answer::to(self.by_merchant(Method::GET, &path)).await;
        answer.succeeds();
        serde_json::from_str(&answer.body).unwrap()
    }
}

fn read_at(payment: &Value) -> Timestamp {
    payment["readAt"].as_str().unwrap().parse().unwrap()
}

/// The notification of it was lost, and nothing has polled the list.
#[tokio::test]
async fn a_paid_payment_is_found_with_what_the_shop_signed() {
    let world = world().await;
    assert_eq!(world.asked().await, (vec![], vec![]));
    let signed = order(json!({ "itemNumber": "2" }));
    let created = world.create(&paying(&signed)).await;
    let other = order(json!({ "invoiceNumber": "INV-2" }));
    world.create_in_another_tab(&paying(&other)).await.record();
    let (before, _) = world.asked().await;
    assert_eq!(before[0]["state"], "open");
    world.set_status(&created.transaction_id(), "2", "Paid");
    // If the list can't be read, the time of the record says so.
    world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "{}").on(Endpoint::List));
    assert_eq!(world.asked().await.0, before);
    world.sandbox.controls().clear_faults();

    let (payments, doubts) = world.asked().await;
    let [payment] = &*payments else {
        panic!("{payments:?}");
    };
    assert_eq!(payment["transactionId"], created.transaction_id());
    assert_eq!(payment["state"], "paid");
    assert_eq!(
        payment["order"],
        json!({ "token": "usdtt", "quantity": "25.00", "invoiceNumber": "INV-1", "itemNumber": "2" })
    );
    assert_eq!(payment["sent"], 0);
    assert_eq!(payment.get("receipt"), None);
    assert!(read_at(payment) > read_at(&before[0]));
    assert_eq!(doubts, [] as [Value; 0]);
}

#[tokio::test]
async fn every_payment_of_the_number_is_there_the_paid_one_first() {
    let world = world().await;
    let mut ids = Vec::new();
    for token in ["trx", "btc", "bnb"] {
        ids.push(world.pays_in(token).await.transaction_id());
    }
    // A stranger chose the same number.
    let unsigned = world.create(&plain(json!({ "quantity": "0.01" }))).await;
    world.set_status(&ids[0], "2", "Paid");
    world.set_status(&unsigned.transaction_id(), "2", "Paid");
    let (payments, _) = world.asked().await;
    let found = payments
        .iter()
        .map(|it| it["transactionId"].as_str().unwrap());
    let expected = [&*unsigned.transaction_id(), &ids[0], &ids[2], &ids[1]];
    assert_eq!(found.collect::<Vec<_>>(), expected);
    assert_eq!(payments[0].get("order"), None);
    assert_eq!(payments[0]["state"], "paid");
    assert_eq!(payments[1]["order"]["quantity"], "25.00");
    // Its order is paid by another one.
    assert_eq!(payments[2]["orderPaid"], true);
}

#[tokio::test]
async fn marks_and_doubts_are_there() {
    let world = world().await;
    let payment = world.begin("INV-1").await;
    for secret in ["first", "second"] {
        world.mark(&payment, secret).await;
    }
    let Followed { id, .. } = payment;
    let (payments, _) = world.asked().await;
    assert_eq!(payments[0]["sent"], 2);

    world.inject(Fault::new(Outcome::DropRequest).on(Endpoint::Cancel));
    world.cancel(&id, MERCHANT_KEY).await;
    world.inject(Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once());
    let refused = world.create(&plain(json!({}))).await;
    refused.is_refused_as(ProblemCode::ServiceUnreachable);
    let (payments, doubts) = world.asked().await;
    assert_eq!(payments.len(), 1);
    assert_eq!(payments[0]["state"], "unknown");
    let reasons: Vec<_> = doubts.iter().map(|doubt| &doubt["reason"]).collect();
    assert_eq!(reasons, ["create-unanswered", "cancel-unanswered"]);
    assert_eq!(doubts[1]["transactionId"], *id);
}

/// It is among neither the payments nor the doubts.
#[tokio::test]
async fn a_payment_that_is_being_created_or_searched_for_is_mentioned() {
    let world = world().await;
    let nothing = json!({ "payments": [], "doubts": [], "creating": false });
    assert_eq!(world.asked_for_all().await, nothing);
    let is_creating = json!({ "payments": [], "doubts": [], "creating": true });
    let gate = Gate::closed();
    let lost = Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once();
    world.inject(lost.behind(&gate));
    let asking = async {
        world.until_called(Endpoint::Create, 1).await;
        assert_eq!(world.asked_for_all().await, is_creating);
        gate.open();
    };
    let (refused, ()) = tokio::join!(world.pays_in("btc"), asking);
    refused.is_refused_as(ProblemCode::ServiceUnreachable);

    let gate = Gate::closed();
    let held = Fault::new(Outcome::Handle).on(Endpoint::List);
    world.inject(held.behind(&gate));
    let read = world.calls(Endpoint::List) + 1;
    let asking = async {
        world.until_called(Endpoint::List, read).await;
        assert_eq!(world.asked_for_all().await, is_creating);
        gate.open();
    };
    let (created, ()) = tokio::join!(world.pays_in("btc"), asking);
    created.record();
    let after = world.asked_for_all().await;
    let payments = after["payments"].as_array().unwrap().len();
    assert_eq!((payments, &after["creating"]), (1, &json!(false)));
}

/// It is on a page that no search reaches from the first one.
#[tokio::test]
async fn an_order_with_a_thousand_newer_payments_is_read_and_cancelled() {
    let world = World::persistent(mapped).await;
    let (first, second) = (world.begin("INV-1").await, world.begin("INV-2").await);
    let service = format!("{}{}", world.sandbox.base_url(), path::PAYMENT);
    let client = reqwest::Client::new();
    for number in 0..1200 {
        let body = plain(json!({ "invoiceNumber": format!("LATER-{number}"), "quantity": 25 }));
        let created = client.post(&service).json(&body).send().await.unwrap();
        assert_eq!(created.status(), StatusCode::OK);
        created.bytes().await.unwrap();
    }
    // As if this proxy had created them.
    let later = "
        WITH RECURSIVE numbers (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n < 1199)
        INSERT INTO attempts (id, fingerprint, request, begun_at, stage, fence, lease_until, called_at, settles_at,
            transaction_id, written_at, kept_until)
        SELECT 'later-' || CAST(n AS TEXT), 'f', '', 9000000000000, 'created', 1, 0, 9000000000000, 0,
            'later-' || CAST(n AS TEXT), 9000000000000, 9000000000000 FROM numbers";
    assert_eq!(world.execute(later).await, 1200);
    world.set_status(&first.id, "2", "Paid");
    let (payments, _) = world.asked().await;
    assert_eq!(payments[0]["state"], "paid");
    world.cancel(&second.id, MERCHANT_KEY).await.succeeds();
    let calls = world.calls(Endpoint::List);
    assert!(calls < 60, "{calls} calls");
}
