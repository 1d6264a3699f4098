//! Tests of the notifications to the shop's backend: when they are sent, and what they say.

use std::collections::BTreeSet;

use tender_protocol::{Deliveries, Delivery, DeliveryState};

use crate::contract;
use crate::lost_responses::{foreign, lose};
use crate::prelude::*;
use crate::shop::{Received, SECRET};

/// A proxy that notifies this shop.
pub(crate) async fn world_of(shop: &Shop) -> World {
    World::with(|config| {
        mapped_and_polled(config);
        shop.receives(config);
    })
    .await
}

/// What [`World::begin`] signs.
fn as_signed(invoice_number: &str) -> Value {
    json!({ "token": "usdtt", "quantity": "25.00", "invoiceNumber": invoice_number })
}

/// Whether each notification repeats this order.
fn all_repeat(received: &[Received], order: &Value) -> bool {
    let mut received = received.iter();
    received.all(|received| received.json()["data"]["order"] == *order)
}

/// The types of notifications, which must be valid by their published schema.
#[track_caller]
pub(crate) fn kinds(received: &[Received]) -> Vec<&str> {
    for received in received {
        contract::check_notification(&received.json());
    }
    received.iter().map(|received| &*received.kind).collect()
}

#[tokio::test]
async fn the_shop_is_told_of_each_change_in_order() {
    let shop = Shop::open().await;
    let other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    let world = World::with(|config| {
        mapped_and_polled(config);
        shop.receives(config);
        config.notifications.secrets = vec![Secret::from(other), Secret::from(SECRET)];
    })
    .await;
    let payment = world.begin("INV-1").await;
    let statuses = [
        "Confirming",
        "Partly",
        "Expired",
        "Confirming",
        "Paid",
        "Packed",
    ];
    for (count, status) in (1..).zip(statuses) {
        shop.until_received(count).await;
        world.becomes(&payment, status);
    }
    let received = shop.until_received(7).await;
    let expected = [
        ("payment.created", "open"),
        ("payment.pending", "pending"),
        ("payment.underpaid", "underpaid"),
        ("payment.updated", "underpaid"),
        ("payment.pending", "pending"),
        ("payment.paid", "paid"),
        ("payment.updated", "paid"),
    ];
    assert_eq!(kinds(&received), expected.map(|(kind, _)| kind));
    for (received, (_, state)) in received.iter().zip(expected) {
        let json = received.json();
        assert_eq!(received.signatures, 2);
        assert_eq!(json["data"]["invoiceNumber"], "INV-1");
        assert_eq!(json["data"]["state"], state);
        let timestamp = json["timestamp"].as_str().unwrap();
        assert!(timestamp.starts_with("20") && timestamp.ends_with('Z'));
    }
    // Every digit of the service's record is kept.
    let first = &received[0].body;
    let data = first.split_once(r#""data":"#).unwrap().1;
    let record = payment.record.strip_suffix('}').unwrap();
    let order = r#""order":{"token":"usdtt","quantity":"25.00","invoiceNumber":"INV-1"}"#;
    let asset =
        r#""paymentAsset":{"chainId":"tron:0x2b6653dc","assetId":"tron:0x2b6653dc/slip44:195"}"#;
    assert_eq!(data, format!("{record},{asset},{order}}}}}"));
    assert!(all_repeat(&received, &as_signed("INV-1")));

    let ids: Vec<_> = received.iter().map(|received| &received.id).collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), 7);
    let all_sent = |list: &[Delivery]| {
        let sent = |delivery: &Delivery| delivery.state == DeliveryState::Delivered;
        list.len() == 7 && list.iter().all(sent)
    };
    let listed = world.until_deliveries("", all_sent).await;
    let listed_ids: Vec<_> = listed.iter().rev().map(|delivery| &delivery.id).collect();
    assert_eq!(listed_ids, ids);
    assert_eq!(listed[0].answer.as_deref(), Some("204 No Content"));
}

/// In the shop's own words, and nothing else of the order.
#[tokio::test]
async fn a_notification_repeats_what_the_shop_signed() {
    let shop = Shop::open().await;
    let world = world_of(&shop).await;
    let buyer = json!({
        "token": "USDTT", "quantity": "2.50e1", "invoiceNumber": "INV-\u{e9}\"1\"",
        "purchaseEmail": "zoe@example.com", "purchaseName": "Zoë", "itemNumber": "7",
        "returnUrl": "https://shop.example/thanks",
    });
    let words = json!({
        "token": "USDTT", "quantity": "2.50e1", "invoiceNumber": "INV-\u{e9}\"1\"", "itemNumber": "7",
    });
    let number = json!({ "quantity": 25.5, "invoiceNumber": "INV-2" });
    let open = json!({ "quantity": null, "invoiceNumber": "INV-3", "itemNumber": "0" });
    let decimal = json!({ "token": "usdtt", "quantity": "25.5", "invoiceNumber": "INV-2" });
    let without = json!({ "token": "usdtt", "invoiceNumber": "INV-3", "itemNumber": "0" });
    let orders = [(buyer, words), (number, decimal), (open, without)];
    for (count, (claims, repeated)) in (1..).zip(orders) {
        let mut body = paying(&order(claims));
        if repeated["quantity"].is_null() {
            body["quantity"] = "7".into();
        }
        world.create(&body).await.succeeds();
        let received = shop.until_received(count).await;
        assert!(all_repeat(&received[count - 1..], &repeated));
    }
}

/// A field of the service with that name is not the shop's order.
#[tokio::test]
async fn without_a_signed_order_none_is_repeated() {
    let shop = Shop::open().await;
    let world = World::with(|config| {
        mapped_and_polled(config);
        shop.receives(config);
        config.orders.allow_unsigned = true;
    })
    .await;
    let record = foreign(&json!({ "order": as_signed("INV-1") })).to_string();
    world.inject(responds(Endpoint::Create, StatusCode::OK, record));
    world.create(&plain(json!({}))).await.succeeds();
    let received = shop.until_received(1).await;
    assert_eq!(received[0].json()["data"].get("order"), None);
}

/// PostgreSQL refuses NUL in a text, and halves of surrogate pairs, so that a shop could not store the notification.
#[tokio::test]
async fn texts_that_cannot_be_stored_are_replaced() {
    let shop = Shop::open().await;
    let world = world_of(&shop).await;
    let record = foreign(&json!({ "createdAt": "DATE", "wallet": "WALLET" })).to_string();
    let record = record.replace("DATE", r"\ud83d\uDE42\uDE42");
    let record = record.replace("WALLET", r"\ud83dw\u0000");
    world.inject(responds(Endpoint::Create, StatusCode::OK, record));
    let created = world.create(&paying(&order(json!({})))).await;
    let received = shop.until_received(1).await;
    let created: Value = serde_json::from_str(&created.body).unwrap();
    for record in [created, received[0].json()["data"].clone()] {
        assert_eq!(record["createdAt"], "\u{1f642}\u{fffd}");
        assert_eq!(record["wallet"], "\u{fffd}w\u{fffd}");
    }
}

/// Its response was lost, and a repeat of the request found it in the list.
#[tokio::test]
async fn a_found_payment_repeats_the_order() {
    let shop = Shop::open().await;
    let world = world_of(&shop).await;
    let body = paying(&order(json!({})));
    lose(&world, Outcome::DropAnswer, &body).await;
    let found = world.create(&body).await;
    world.becomes(&Followed::from(&found), "Paid");
    let received = shop.until_received(2).await;
    assert_eq!(world.calls(Endpoint::Create), 1);
    assert!(all_repeat(&received, &as_signed("INV-1")));
}

#[tokio::test]
async fn the_shop_is_told_of_a_cancellation() {
    let shop = Shop::open().await;
    let world = world_of(&shop).await;
    let payment = world.begin("INV-1").await;
    world.cancel(&payment.id, &payment.receipt).await;
    let received = shop.until_different(2).await;
    assert_eq!(received[1].kind, "payment.closed");
    assert_eq!(received[1].json()["data"]["state"], "closed");
    assert!(all_repeat(&received, &as_signed("INV-1")));
    // Money may arrive nevertheless.
    world.becomes(&payment, "Paid");
    let is_told = || shop.received().last().unwrap().kind == "payment.paid";
    until(async || is_told().then_some(())).await;
}

#[tokio::test]
async fn without_a_receiver_nothing_is_written() {
    let world = World::with(mapped_and_polled).await;
    let payment = world.begin("INV-1").await;
    world.cancel(&payment.id, &payment.receipt).await;
    assert_eq!(world.deliveries("").await, Deliveries::default());
}

/// No client watches the payment any more, and its first 15 minutes are over.
#[tokio::test]
async fn an_open_payment_is_followed_without_a_browser() {
    let shop = Shop::open().await;
    let mut world = World::persistent(|config| {
        mapped_and_polled(config);
        shop.receives(config);
        config.notifications.poll_interval = Duration::from_millis(50);
    })
    .await;
    let payment = world.begin("INV-1").await;
    shop.until_received(1).await;
    let unwatched = "UPDATE payments SET wanted_until = 0";
    world.execute(unwatched).await;
    // As an older version has stored it.
    let old = "UPDATE attempts SET signed_order = NULL";
    assert_eq!(world.execute(old).await, 1);
    world.becomes(&payment, "Unmapped");
    shop.until_received(2).await;
    // It stays open until the operator maps its status.
    world.execute(unwatched).await;
    let paid = "Unmapped".to_owned();
    let before = world.replace_proxy(|config| config.orders.status_paid = vec![paid]);
    assert!(before.await.stop().await);
    let received = shop.until_received(3).await;
    let types = ["payment.created", "payment.updated", "payment.paid"];
    assert_eq!(kinds(&received), types);
    assert!(all_repeat(&received, &as_signed("INV-1")));
}

/// Money may arrive late, also for a payment that the proxy has cancelled and the list shows as
/// "Created" ever since.
#[tokio::test]
async fn a_closed_payment_is_followed_without_a_browser() {
    let shop = Shop::open().await;
    let world = World::persistent(|config| {
        mapped_and_polled(config);
        shop.receives(config);
        config.notifications.poll_interval = Duration::from_millis(50);
    })
    .await;
    let cancelled = world.begin("INV-1").await;
    let unchanged = format!("[{}]", cancelled.record);
    world.inject(responds(Endpoint::Cancel, StatusCode::OK, unchanged));
    world.cancel(&cancelled.id, &cancelled.receipt).await;
    let expired = world.begin("INV-2").await;
    world.becomes(&expired, "Expired");
    shop.until_different(4).await;
    let unwatched = "UPDATE payments SET wanted_until = 0";
    assert_eq!(world.execute(unwatched).await, 2);
    // A cycle that began before may still read the list.
    tokio::time::sleep(SEVERAL_CYCLES).await;
    for payment in [&cancelled, &expired] {
        world.becomes(payment, "Paid");
    }
    let received = shop.until_different(6).await;
    for payment in [cancelled, expired] {
        let of_payment = received
            .iter()
            .filter(|received| received.transaction_id() == payment.id);
        let kinds: Vec<_> = of_payment.map(|received| &*received.kind).collect();
        let expected = ["payment.created", "payment.closed", "payment.paid"];
        assert_eq!(kinds, expected);
    }
}
