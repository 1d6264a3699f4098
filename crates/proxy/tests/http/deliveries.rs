//! Tests of how notifications are delivered: again after a failure, in order, and once.

use std::collections::BTreeMap;
use std::sync::Arc;

use tender_protocol::{Deliveries, Delivery, DeliveryState};
use tokio::sync::Semaphore;

use crate::metrics::{samples, with_metrics};
use crate::notifications::{kinds, world_of};
use crate::prelude::*;
use crate::shop::Reply;

impl World {
    pub(crate) async fn deliveries(&self, query: &str) -> Deliveries {
        let path = format!("{}?{query}", path::DELIVERIES);
        let answer = Answer::to(self.by_merchant(Method::GET, &path)).await;
        answer.succeeds();
        serde_json::from_str(&answer.body).unwrap()
    }

    /// Waits until deliveries are as wanted.
    pub(crate) async fn until_deliveries(
        &self,
        query: &str,
        is_wanted: impl Fn(&[Delivery]) -> bool,
    ) -> Vec<Delivery> {
        until(async || {
            let Deliveries { deliveries, .. } = self.deliveries(query).await;
            is_wanted(&deliveries).then_some(deliveries)
        })
        .await
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
}

/// The later event waits for the earlier one.
#[tokio::test]
async fn a_failed_notification_is_sent_again_before_later_ones() {
    let shop = Shop::open().await;
    let reason = "the database\n is down";
    shop.answers([Reply::Text(StatusCode::INTERNAL_SERVER_ERROR, reason)]);
    let world = world_of(&shop).await;
    let payment = world.begin("INV-1").await;
    let failed = world.until_answered().await;
    let answer = "500 Internal Server Error: the database is down";
    assert_eq!(failed.answer.as_deref(), Some(answer));
    assert_eq!((failed.state, failed.tries), (DeliveryState::Waiting, 1));
    world.becomes(&payment, "Paid");
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

/// The shop can't store `payment.created`, so it is set aside: that the order is paid does not wait for it.
#[tokio::test]
async fn a_refused_creation_does_not_hold_back_the_payment() {
    let shop = Shop::open().await;
    shop.answers(vec![Reply::Status(StatusCode::INTERNAL_SERVER_ERROR); 3]);
    let world = World::persistent(|config| {
        mapped_and_polled(config);
        shop.receives(config);
        with_metrics(config);
    })
    .await;
    let payment = world.begin("INV-1").await;
    world.until_answered().await;
    world.becomes(&payment, "Paid");
    world.until_deliveries("", |list| list.len() == 2).await;
    let due = "UPDATE outbox SET due_at = 0 WHERE kind = 'payment.created' AND tries < 3";
    for tries in 2..=3 {
        world.execute(due).await;
        let is_tried = |list: &[Delivery]| list.iter().any(|delivery| delivery.tries >= tries);
        world.until_deliveries("", is_tried).await;
    }
    let received = shop.until_received(4).await;
    let [created, paid] = ["payment.created", "payment.paid"];
    assert_eq!(kinds(&received), [created, created, created, paid]);
    let set_aside = world.until_deliveries("state=set-aside", |list| list.len() == 1);
    let set_aside = &set_aside.await[0];
    assert_eq!((&*set_aside.kind, set_aside.tries), ("payment.created", 3));
    assert!(set_aside.due_at.is_some());
    until(async || {
        let samples = samples(&world).await;
        let count = samples.get(r#"tender_unsent_notifications{state="set-aside"}"#);
        (count == Some(&1.0)).then_some(())
    })
    .await;

    world
        .execute("UPDATE outbox SET due_at = 0 WHERE tries = 3")
        .await;
    let received = shop.until_received(5).await;
    assert_eq!(received[4].id, set_aside.id);
    let none = |list: &[Delivery]| list.is_empty();
    world.until_deliveries("state=set-aside", none).await;
}

#[tokio::test]
async fn a_shop_that_is_down_gets_everything_later() {
    let shop = Shop::open().await;
    let address = shop.address();
    let world = world_of(&shop).await;
    drop(shop);
    let payment = world.begin("INV-1").await;
    let failed = world.until_answered().await;
    assert_eq!(
        failed.answer.as_deref(),
        Some("The shop's server can't be reached.")
    );
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
    assert_eq!(
        failed.answer.as_deref(),
        Some("The shop's server did not answer in time.")
    );
    let received = shop.until_different(12).await;
    assert_eq!(received[0].kind, "payment.created");
}

/// The first pause of the schedule is over after the redirect, and then the shop asks for a longer one.
#[tokio::test]
async fn a_redirect_is_not_followed_and_a_shop_can_ask_for_a_longer_pause() {
    let (shop, other) = (Shop::open().await, Shop::open().await);
    shop.answers([Reply::Redirect(other.url()), Reply::RetryAfter(3600)]);
    let world = world_of(&shop).await;
    world.begin("INV-1").await;
    let failed = world.until_answered().await;
    assert_eq!(failed.answer.as_deref(), Some("307 Temporary Redirect"));
    let again = |list: &[Delivery]| list[0].tries == 2 && list[0].answered_at != failed.answered_at;
    let [failed] = &*world.until_deliveries("", again).await else {
        panic!("not one delivery");
    };
    let [answered, due] = [&failed.answered_at, &failed.due_at].map(|time| {
        let time: jiff::Timestamp = time.as_ref().unwrap().parse().unwrap();
        time.as_second()
    });
    assert_eq!(due - answered, 3600);
    assert!(other.received().is_empty());
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
    world.becomes(&payment, "Paid");
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
    let mut world = World::persistent(|config| {
        mapped_and_polled(config);
        shop.receives(config);
        config.notifications.timeout = Duration::from_secs(20);
    })
    .await;
    let _other = world.replace_proxy(|_| {}).await;
    for number in 0..30 {
        world.begin(&format!("INV-{number}")).await;
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

/// The shop asks for it again, because it has lost what it is about to accept.
#[tokio::test]
async fn a_notification_that_is_resent_while_it_is_being_sent_is_sent_again() {
    let shop = Shop::open().await;
    let world = World::with(|config| {
        shop.receives(config);
        config.notifications.timeout = Duration::from_mins(1);
    });
    let world = world.await;
    let held = Arc::new(Semaphore::new(0));
    shop.answers([Reply::After(Arc::clone(&held))]);
    world.begin("INV-1").await;
    let first = shop.until_received(1).await.remove(0);
    assert_eq!(world.resend(json!({ "ids": [first.id] })).await, 1);
    held.close();
    let received = shop.until_received(2).await;
    assert_eq!(received[1].id, first.id);
    let delivered = async |deliveries: &Deliveries| {
        let [only] = &*deliveries.deliveries else {
            return false;
        };
        only.state == DeliveryState::Delivered && only.tries == 1
    };
    until(async || delivered(&world.deliveries("").await).await.then_some(())).await;
}

/// PostgreSQL stores and compares no text with a zero byte.
#[tokio::test]
async fn an_id_that_no_notification_can_have_is_refused_or_unknown() {
    let world = World::new().await;
    let path = format!("{}?before=%00", path::DELIVERIES);
    let answer = Answer::to(world.by_merchant(Method::GET, &path)).await;
    answer.is_refused_as(ProblemCode::InvalidRequest);
    assert_eq!(world.resend(json!({ "ids": ["\0"] })).await, 0);
}
