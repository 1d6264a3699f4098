//! Tests of the notifications to the shop's backend.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::http::StatusCode;
use reqwest::Method;
use serde_json::{Value, json};
use tender_protocol::{Deliveries, Delivery, DeliveryState, Status, path};
use tender_proxy::config::Database;
use tender_proxy::{Config, Secret};
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::followed::{Followed, SEVERAL_CYCLES, fast_polling};
use crate::lost_responses::lose;
use crate::shop::{Received, Reply, SECRET, Shop};
use crate::support::{Answer, MERCHANT_KEY, World, order, paying, plain};

/// Longer than anything takes on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

fn mapped(config: &mut Config) {
    fast_polling(config);
    config.orders.status_paid = vec!["Paid".to_owned()];
}

/// A proxy that notifies this shop.
async fn world_of(shop: &Shop) -> World {
    World::with(|config| {
        mapped(config);
        shop.receives(config);
    })
    .await
}

/// A program that uses the crate builds its configuration without the checks of the settings.
#[tokio::test]
async fn notifications_that_anyone_could_forge_or_read_start_no_proxy() {
    for (url, secrets, complaint) in [
        (
            "https://shop.example/hooks",
            Vec::new(),
            "`notify_url` needs `notify_secret`",
        ),
        (
            "http://shop.example/hooks",
            vec![SECRET],
            "write an https URL",
        ),
    ] {
        let mut config = Config::new("http://127.0.0.1:9", "http://127.0.0.1:9").unwrap();
        config.server.listen = "127.0.0.1:0".parse().unwrap();
        config.notifications.url = Some(url.parse().unwrap());
        config.notifications.secrets = secrets.iter().map(|&text| Secret::from(text)).collect();
        let refused = tender_proxy::start(config)
            .await
            .err()
            .map(|error| error.to_string());
        let refused = refused.unwrap_or_default();
        assert!(refused.contains(complaint), "{url}: {refused:?}");
    }
}

impl World {
    async fn deliveries(&self, query: &str) -> Deliveries {
        let path = format!("{}?{query}", path::DELIVERIES);
        let request = self.request(Method::GET, &path).bearer_auth(MERCHANT_KEY);
        let answer = Answer::to(request).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        serde_json::from_str(&answer.body).unwrap()
    }

    /// Waits until deliveries are as wanted.
    async fn until_deliveries(
        &self,
        query: &str,
        is_wanted: impl Fn(&[Delivery]) -> bool,
    ) -> Vec<Delivery> {
        let wanted = async {
            loop {
                let Deliveries { deliveries, .. } = self.deliveries(query).await;
                if is_wanted(&deliveries) {
                    return deliveries;
                }
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::time::timeout(PATIENCE, wanted).await.unwrap()
    }

    /// Waits for the end of the first try of any delivery.
    async fn until_answered(&self) -> Delivery {
        let is_answered = |delivery: &Delivery| delivery.answer.is_some();
        let answered = |list: &[Delivery]| list.iter().any(is_answered);
        let list = self.until_deliveries("", answered).await;
        list.into_iter().find(is_answered).unwrap()
    }

    async fn resend(&self, body: Value) -> u64 {
        let request = self.post(path::RESEND, &body).bearer_auth(MERCHANT_KEY);
        let answer = Answer::to(request).await;
        let json: Value = serde_json::from_str(&answer.body).unwrap();
        json["resent"].as_u64().unwrap()
    }

    /// Changes the status at the service, which the proxy polls.
    fn sets(&self, payment: &Followed, status: &str) {
        let controls = self.sandbox.controls();
        let status = Status::new("7", status).unwrap();
        controls.set_status(&payment.id, status).unwrap();
    }
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

fn kinds(received: &[Received]) -> Vec<&str> {
    received.iter().map(|received| &*received.kind).collect()
}

#[tokio::test]
async fn the_shop_is_told_of_each_change_in_order() {
    let shop = Shop::open().await;
    let other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    let world = World::with(|config| {
        mapped(config);
        shop.receives(config);
        config.notifications.secrets = vec![Secret::from(other), Secret::from(SECRET)];
    })
    .await;
    let payment = world.begin("INV-1").await;
    for (count, status) in [(1, "Confirming"), (2, "Paid"), (3, "Packed")] {
        shop.until_received(count).await;
        world.sets(&payment, status);
    }
    let received = shop.until_received(4).await;
    let types = [
        "payment.created",
        "payment.updated",
        "payment.paid",
        "payment.updated",
    ];
    assert_eq!(kinds(&received), types);
    let states = received.iter().map(|received| {
        let json = received.json();
        assert_eq!(received.signatures, 2);
        assert_eq!(json["data"]["invoiceNumber"], "INV-1");
        let timestamp = json["timestamp"].as_str().unwrap();
        assert!(timestamp.starts_with("20") && timestamp.ends_with('Z'));
        json["data"]["state"].as_str().unwrap().to_owned()
    });
    assert_eq!(states.collect::<Vec<_>>(), ["open", "open", "paid", "paid"]);
    // Every digit of the service's record is kept.
    let first = &received[0].body;
    let data = first.split_once(r#""data":"#).unwrap().1;
    let record = payment.record.strip_suffix('}').unwrap();
    let order = r#""order":{"token":"usdtt","quantity":"25.00","invoiceNumber":"INV-1"}"#;
    let asset =
        r#""paymentAsset":{"chainId":"tron:0x2b6653dc","assetId":"tron:0x2b6653dc/slip44:195"}"#;
    assert_eq!(data, format!("{record},{asset},{order}}}}}"));
    assert!(all_repeat(&received, &as_signed("INV-1")));

    let mut ids: Vec<_> = received.iter().map(|received| &received.id).collect();
    ids.sort();
    ids.dedup();
    assert_eq!(ids.len(), 4);
    let all_sent = |list: &[Delivery]| {
        let sent = |delivery: &Delivery| delivery.state == DeliveryState::Delivered;
        list.len() == 4 && list.iter().all(sent)
    };
    let listed = world.until_deliveries("", all_sent).await;
    let listed_ids: Vec<_> = listed.iter().rev().map(|delivery| &delivery.id).collect();
    let received_ids: Vec<_> = received.iter().map(|received| &received.id).collect();
    assert_eq!(listed_ids, received_ids);
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
    for (count, (claims, repeated)) in (1..).zip([
        (buyer, words),
        (
            number,
            json!({ "token": "usdtt", "quantity": "25.5", "invoiceNumber": "INV-2" }),
        ),
        (
            open,
            json!({ "token": "usdtt", "invoiceNumber": "INV-3", "itemNumber": "0" }),
        ),
    ]) {
        let mut body = paying(&order(claims));
        if repeated["quantity"].is_null() {
            body["quantity"] = "7".into();
        }
        assert_eq!(world.create(&body).await.status, StatusCode::OK);
        let received = shop.until_received(count).await;
        assert!(all_repeat(&received[count - 1..], &repeated));
    }
}

/// A field of the service with that name is not the shop's order.
#[tokio::test]
async fn without_a_signed_order_none_is_repeated() {
    let shop = Shop::open().await;
    let world = World::with(|config| {
        mapped(config);
        shop.receives(config);
        config.orders.allow_unsigned = true;
    })
    .await;
    let record = r#"{"transactionId":"t-1","token":"USDTT","paymentToken":"TRX","quantity":25.00,
        "quantityPay":1.5,"statusId":"1","statusText":"Created","wallet":"w","invoiceNumber":"INV-1",
        "order":{"token":"usdtt","quantity":"25.00","invoiceNumber":"INV-1"}}"#;
    world.inject(Fault::respond(StatusCode::OK, record).on(Endpoint::Create));
    let created = world.create(&plain(json!({}))).await;
    assert_eq!(created.status, StatusCode::OK, "{}", created.body);
    let received = shop.until_received(1).await;
    assert_eq!(received[0].json()["data"].get("order"), None);
}

/// Its response was lost, and a repeat of the request found it in the list.
#[tokio::test]
async fn a_found_payment_repeats_the_order() {
    let shop = Shop::open().await;
    let world = world_of(&shop).await;
    let body = paying(&order(json!({})));
    lose(&world, Outcome::DropAnswer, &body).await;
    let found = world.create(&body).await;
    world.sets(&Followed::from(&found), "Paid");
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
    world.sets(&payment, "Paid");
    let paid = async {
        while shop.received().last().unwrap().kind != "payment.paid" {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(PATIENCE, paid).await.unwrap();
}

#[tokio::test]
async fn without_a_receiver_nothing_is_written() {
    let world = World::with(mapped).await;
    let payment = world.begin("INV-1").await;
    world.cancel(&payment.id, &payment.receipt).await;
    assert_eq!(world.deliveries("").await, Deliveries::default());
}

#[tokio::test]
async fn deliveries_are_for_the_merchant_only() {
    let shop = Shop::open().await;
    let world = world_of(&shop).await;
    let payment = world.begin("INV-1").await;
    for token in ["a wrong key", &payment.receipt] {
        for request in [
            world.request(Method::GET, path::DELIVERIES),
            world.post(path::RESEND, &json!({ "givenUp": true })),
        ] {
            let answer = Answer::to(request.bearer_auth(token)).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{}", answer.body);
        }
    }
    for query in ["state=lost", "state=unknown", "before=a&before=b"] {
        let path = format!("{}?{query}", path::DELIVERIES);
        let request = world.request(Method::GET, &path).bearer_auth(MERCHANT_KEY);
        let answer = Answer::to(request).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{}", answer.body);
    }
}

/// No client watches the payment any more, and its first 15 minutes are over.
#[tokio::test]
async fn an_open_payment_is_followed_without_a_browser() {
    let shop = Shop::open().await;
    let directory = tempfile::TempDir::new().unwrap();
    let file = directory.path().join("tender.db");
    let mut world = World::with(|config| {
        mapped(config);
        config.store.database = Database::File(file);
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
    world.sets(&payment, "Unmapped");
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
    let directory = tempfile::TempDir::new().unwrap();
    let file = directory.path().join("tender.db");
    let world = World::with(|config| {
        mapped(config);
        config.store.database = Database::File(file);
        shop.receives(config);
        config.orders.status_closed = vec!["Expired".to_owned()];
        config.notifications.poll_interval = Duration::from_millis(50);
    })
    .await;
    let cancelled = world.begin("INV-1").await;
    let unchanged = Fault::respond(StatusCode::OK, format!("[{}]", cancelled.record));
    world.inject(unchanged.on(Endpoint::Cancel));
    world.cancel(&cancelled.id, &cancelled.receipt).await;
    let expired = world.begin("INV-2").await;
    world.sets(&expired, "Expired");
    shop.until_different(4).await;
    let unwatched = "UPDATE payments SET wanted_until = 0";
    assert_eq!(world.execute(unwatched).await, 2);
    // A cycle that began before may still read the list.
    tokio::time::sleep(SEVERAL_CYCLES).await;
    for payment in [&cancelled, &expired] {
        world.sets(payment, "Paid");
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

/// The later event waits for the earlier one.
#[tokio::test]
async fn a_failed_notification_is_sent_again_before_later_ones() {
    let shop = Shop::open().await;
    shop.answers([Reply::Status(StatusCode::INTERNAL_SERVER_ERROR)]);
    let world = world_of(&shop).await;
    let payment = world.begin("INV-1").await;
    let failed = world.until_answered().await;
    assert_eq!(failed.answer.as_deref(), Some("500 Internal Server Error"));
    assert_eq!((failed.state, failed.tries), (DeliveryState::Waiting, 1));
    world.sets(&payment, "Paid");
    let both = |list: &[Delivery]| list.len() == 2;
    let listed = world.until_deliveries("", both).await;
    // It waits, too, although it was not tried.
    assert_eq!((listed[0].tries, &listed[0].due_at), (0, &failed.due_at));
    // Without a word from anyone, after the first pause of the schedule.
    let received = shop.until_received(3).await;
    let types = ["payment.created", "payment.created", "payment.paid"];
    assert_eq!(kinds(&received), types);
    assert_eq!(received[0].id, received[1].id);
    assert_eq!(received[0].body, received[1].body);
}

#[tokio::test]
async fn a_shop_that_is_down_gets_everything_later() {
    let shop = Shop::open().await;
    let address = shop.address();
    let world = world_of(&shop).await;
    drop(shop);
    let payment = world.begin("INV-1").await;
    let failed = world.until_answered().await;
    assert!(failed.answer.unwrap().contains("onnect"));
    assert_eq!(failed.state, DeliveryState::Waiting);
    world.cancel(&payment.id, &payment.receipt).await;
    let shop = Shop::open_at(address).await;
    assert_eq!(world.resend(json!({ "ids": [failed.id] })).await, 1);
    let received = shop.until_received(2).await;
    assert_eq!(received[0].id, failed.id);
    // A poll cycle may have reported the service's own "Cancelled" by now, too.
    assert_eq!(kinds(&received)[..2], ["payment.created", "payment.closed"]);
}

#[tokio::test]
async fn a_shop_that_does_not_answer_delays_no_buyer() {
    let shop = Shop::open().await;
    // More than are sent at the same time.
    shop.answers(vec![Reply::Never; 20]);
    let world = world_of(&shop).await;
    for number in 0..12 {
        world.begin(&format!("INV-{number}")).await;
    }
    let failed = world.until_answered().await;
    assert!(failed.answer.unwrap().contains("timed out"));
    let received = shop.until_different(12).await;
    assert_eq!(received[0].kind, "payment.created");
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let (shop, other) = (Shop::open().await, Shop::open().await);
    shop.answers([Reply::Redirect(other.url())]);
    let world = world_of(&shop).await;
    world.begin("INV-1").await;
    let failed = world.until_answered().await;
    assert_eq!(failed.answer.as_deref(), Some("307 Temporary Redirect"));
    shop.until_received(2).await;
    assert!(other.received().is_empty());
}

#[tokio::test]
async fn a_shop_can_ask_for_a_longer_pause() {
    let shop = Shop::open().await;
    shop.answers([Reply::RetryAfter(3600)]);
    let world = world_of(&shop).await;
    world.begin("INV-1").await;
    let failed = world.until_answered().await;
    let [answered, due] = [failed.answered_at, failed.due_at].map(|time| {
        let time: jiff::Timestamp = time.unwrap().parse().unwrap();
        time.as_second()
    });
    assert_eq!(due - answered, 3600);
}

/// `410 Gone` means that the receiver wants no more of it.
#[tokio::test]
async fn a_notification_that_is_refused_for_good_is_given_up() {
    let shop = Shop::open().await;
    shop.answers([Reply::Status(StatusCode::GONE)]);
    let world = world_of(&shop).await;
    let payment = world.begin("INV-1").await;
    let gone = world.until_answered().await;
    assert_eq!(gone.answer.as_deref(), Some("410 Gone"));
    assert_eq!(gone.state, DeliveryState::GivenUp);
    // The next one is tried.
    world.sets(&payment, "Paid");
    let received = shop.until_received(2).await;
    assert_eq!(kinds(&received), ["payment.created", "payment.paid"]);
    let given_up = world.deliveries("state=given-up").await.deliveries;
    assert_eq!(given_up.len(), 1);
    assert_eq!(world.resend(json!({ "givenUp": true })).await, 1);
    let received = shop.until_received(3).await;
    assert_eq!(received[2].id, gone.id);
    assert_eq!(world.resend(json!({ "ids": ["msg_unknown"] })).await, 0);
}

/// Each instance sends, and no event is sent by both.
#[tokio::test]
async fn two_instances_send_each_notification_once() {
    let shop = Shop::open().await;
    let (database, _directory) = crate::persistent_database();
    let mut world = World::with(|config| {
        mapped(config);
        shop.receives(config);
        config.notifications.timeout = Duration::from_secs(20);
        config.store.database = database;
    })
    .await;
    let _other = world.replace_proxy(|_| {}).await;
    for number in 0..30 {
        let order = order(json!({ "invoiceNumber": format!("INV-{number}") }));
        world.create(&paying(&order)).await.record();
    }
    let sent = |list: &[Delivery]| {
        let sent = |delivery: &Delivery| delivery.state == DeliveryState::Delivered;
        list.len() == 30 && list.iter().all(sent)
    };
    world.until_deliveries("", sent).await;
    let mut times = BTreeMap::<_, usize>::new();
    for received in shop.received() {
        *times.entry(received.transaction_id()).or_default() += 1;
    }
    assert_eq!(times.len(), 30);
    assert!(times.values().all(|times| *times == 1), "{times:?}");
}
