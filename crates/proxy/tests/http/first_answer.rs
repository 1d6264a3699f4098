//! Tests that the service's answer to a create request is the payment, whatever the list shows before it arrives.

use crate::lost_responses::foreign;
use crate::notifications::world_of;
use crate::prelude::*;

/// What a buyer and the shop are told of a payment that the list shows like this before the service answers, with or without
/// a dashboard that reads the list meanwhile.
async fn told(listed: &Value, has_dashboard: bool, notifications: usize) -> Vec<Value> {
    let shop = Shop::open().await;
    let world = world_of(&shop).await;
    let gate = Gate::closed();
    let answer = foreign(&json!({}));
    world.inject(responds(Endpoint::Create, StatusCode::OK, &answer).behind(&gate));
    let listing = async {
        world.until_called(Endpoint::Create, 1).await;
        world.inject(page(json!([listed])));
        if has_dashboard {
            let (mut merchant, _) = world.watch_all().await;
            let created = merchant.next_any().await;
            assert_eq!(
                (&*created.event, created.data.contains("foreign")),
                ("created", true)
            );
            gate.open();
            // What the merchant sees is corrected, and then follows the list.
            let answered: Value = serde_json::from_str(&merchant.next().await.data).unwrap();
            assert_eq!(answered["wallet"], answer["wallet"]);
            assert_eq!(answered["quantityPay"], answer["quantityPay"]);
        } else {
            gate.open();
        }
    };
    let body = paying(&order(json!({})));
    let (created, ()) = tokio::join!(world.create(&body), listing);
    let mut told: Vec<Value> = vec![serde_json::from_str(&created.body).unwrap()];
    let received = shop.until_received(notifications).await;
    told.extend(received.iter().map(|received| {
        let json = received.json();
        let data = &json["data"];
        let fields = ["state", "statusText", "quantityPay", "wallet"].map(|name| &data[name]);
        json!([received.kind, fields])
    }));
    told[0].as_object_mut().unwrap().remove("receipt");
    told
}

#[tokio::test]
async fn a_payment_is_what_the_answer_says_with_a_dashboard_or_without() {
    for (changed, later) in [
        (json!({ "wallet": "a placeholder" }), None),
        (json!({ "quantity": 24, "quantityPay": 70 }), None),
        (
            json!({ "statusId": "7", "statusText": "Paid" }),
            Some(("payment.paid", "paid")),
        ),
        (
            json!({ "statusId": "7", "statusText": "Confirming" }),
            Some(("payment.pending", "pending")),
        ),
        (
            json!({ "statusId": "5", "statusText": "Cancelled" }),
            Some(("payment.closed", "closed")),
        ),
    ] {
        let listed = foreign(&changed);
        let notifications = 1 + usize::from(later.is_some());
        let mut answered = foreign(&json!({}));
        answered["state"] = json!("open");
        let pay = (&answered["quantityPay"], &answered["wallet"]);
        let created = json!(["payment.created", ["open", "Created", pay.0, pay.1]]);
        let changed =
            later.map(|(kind, state)| json!([kind, [state, listed["statusText"], pay.0, pay.1]]));
        let expected = [answered.clone(), created].into_iter().chain(changed);
        let expected: Vec<_> = expected.collect();
        for has_dashboard in [true, false] {
            let told = told(&listed, has_dashboard, notifications).await;
            assert_eq!(told, expected, "{listed}, {has_dashboard}");
        }
    }
}

/// It can't be the payment of this request.
#[tokio::test]
async fn a_payment_that_was_listed_before_the_request_is_refused() {
    let world = World::with(fast_polling).await;
    let (mut merchant, _) = world.watch_all().await;
    // As if it had been created elsewhere.
    let record = foreign(&json!({}));
    world.inject(page(json!([record])));
    assert_eq!(merchant.next_any().await.event, "created");
    world.inject(responds(Endpoint::Create, StatusCode::OK, &record));
    let order = order(json!({}));
    for body in [paying(&order), paying_in("btc", &order)] {
        let refused = world.create(&body).await;
        refused.is_refused_as(ProblemCode::PaymentContradictory);
        refused.has_no("wallet");
    }
    assert_eq!(world.calls(Endpoint::Create), 1);
}
