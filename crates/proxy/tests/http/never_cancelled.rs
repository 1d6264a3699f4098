//! Tests that a payment which may have been paid is neither cancelled nor replaced.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::{ProblemCode, Record};
use tender_proxy::Config;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::followed::{Followed, fast_polling, without_polling};
use crate::recognition::others;
use crate::support::{Answer, MERCHANT_KEY, World, order, page, paying_in};

fn mapped(config: &mut Config) {
    without_polling(config);
    config.orders.status_paid = vec!["Paid".to_owned()];
}

impl World {
    /// Asks for the order's payment in this token again.
    async fn again(&self, token: &str) -> Answer {
        let order = order(json!({ "invoiceNumber": "INV-1" }));
        self.create(&paying_in(token, &order)).await
    }

    async fn shown(&self, payment: &Followed) -> Record {
        self.latest(payment).await.record()
    }
}

fn field(record: &Record, name: &str) -> Option<String> {
    record.string(name)
}

fn with_status(payment: &Followed, id: &str, name: &str) -> Value {
    let mut record: Value = serde_json::from_str(&payment.record).unwrap();
    record["statusId"] = json!(id);
    record["statusText"] = json!(name);
    record
}

#[tokio::test]
async fn a_payment_that_was_paid_after_a_lost_cancel_stays_the_orders() {
    for (configure, state) in [
        (without_polling as fn(&mut Config), None),
        (mapped, Some("paid")),
    ] {
        for lost in [
            Fault::new(Outcome::DropRequest),
            Fault::respond(StatusCode::INTERNAL_SERVER_ERROR, "{}"),
        ] {
            for by in ["receipt", "another token"] {
                let world = World::with(configure).await;
                let payment = world.begin("INV-1").await;
                world.inject(lost.clone().on(Endpoint::Cancel).once());
                if by == "receipt" {
                    let answer = world.cancel(&payment.id, &payment.receipt).await;
                    assert_ne!(answer.status, StatusCode::OK, "{}", answer.body);
                } else {
                    let answer = world.again("btc").await;
                    answer.is_refused_as(ProblemCode::EarlierPaymentOpen);
                }
                let closed = field(&world.shown(&payment).await, "state");
                assert_eq!(closed.as_deref(), Some("unknown"));

                world.set_status(&payment.id, "2", "Paid");
                let again = world.again("trx").await;
                again.is_refused_as(ProblemCode::PaymentProgressed);
                let shown = world.shown(&payment).await;
                assert_eq!(field(&shown, "statusText").as_deref(), Some("Paid"));
                assert_eq!(field(&shown, "state").as_deref(), state, "{by}");
                let again = world.again("trx").await.record();
                assert_eq!(field(&again, "transactionId"), Some(payment.id.clone()));
                assert_eq!(field(&again, "state").as_deref(), state, "{by}");
                let other = world.again("btc").await;
                other.is_refused_as(ProblemCode::PaymentProgressed);
                assert_eq!(world.calls(Endpoint::Cancel), 1, "{by}");
                assert_eq!(world.calls(Endpoint::Create), 1, "{by}");
            }
        }
    }
}

/// What the list says is shown at once, too.
#[tokio::test]
async fn the_list_is_read_before_a_payment_is_cancelled() {
    for (configure, state) in [
        (without_polling as fn(&mut Config), None),
        (mapped, Some("paid")),
    ] {
        for by in ["receipt", "merchant", "another token"] {
            let world = World::with(configure).await;
            let payment = world.begin("INV-1").await;
            world.set_status(&payment.id, "2", "Paid");
            let answer = match by {
                "receipt" => world.cancel(&payment.id, &payment.receipt).await,
                "merchant" => world.cancel(&payment.id, MERCHANT_KEY).await,
                _ => world.again("btc").await,
            };
            answer.is_refused_as(ProblemCode::PaymentProgressed);
            assert_eq!(world.calls(Endpoint::Cancel), 0, "{by}");
            for record in [
                world.shown(&payment).await,
                world.again("trx").await.record(),
            ] {
                assert_eq!(field(&record, "transactionId"), Some(payment.id.clone()));
                assert_eq!(field(&record, "statusText").as_deref(), Some("Paid"));
                assert_eq!(field(&record, "state").as_deref(), state, "{by}");
            }
            assert_eq!(world.calls(Endpoint::Create), 1, "{by}");
        }
    }
}

/// A record with another address is not shown, but its status counts.
#[tokio::test]
async fn a_contradictory_record_is_not_shown() {
    let world = World::with(without_polling).await;
    let payment = world.begin("INV-1").await;
    let mut other = with_status(&payment, "2", "Paid");
    other["wallet"] = json!("another wallet");
    world.inject(page(json!([other])).once());
    let answer = world.cancel(&payment.id, &payment.receipt).await;
    answer.is_refused_as(ProblemCode::PaymentProgressed);
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    let shown = world.shown(&payment).await;
    assert_eq!(field(&shown, "statusText").as_deref(), Some("Created"));
    assert_ne!(field(&shown, "wallet").as_deref(), Some("another wallet"));
}

#[tokio::test]
async fn a_list_that_contradicts_itself_cancels_nothing() {
    for (id, name, other_id, other) in [
        ("1", "Created", "2", "Paid"),
        ("2", "Paid", "1", "Created"),
        ("5", "Cancelled", "2", "Paid"),
        ("1", "Created", "5", "Cancelled"),
    ] {
        let world = World::with(without_polling).await;
        let payment = world.begin("INV-1").await;
        let first = with_status(&payment, id, name);
        let second = with_status(&payment, other_id, other);
        world.inject(page(json!([first, second])));
        for key in [&*payment.receipt, MERCHANT_KEY] {
            let answer = world.cancel(&payment.id, key).await;
            answer.is_refused_as(ProblemCode::CancelUnconfirmed);
        }
        let answer = world.again("btc").await;
        answer.is_refused_as(ProblemCode::EarlierPaymentOpen);
        assert_eq!(world.calls(Endpoint::Cancel), 0, "{name} {other}");
        assert_eq!(world.calls(Endpoint::Create), 1, "{name} {other}");
    }
}

/// Nothing is sent without a fresh read that shows the payment unchanged.
#[tokio::test]
async fn without_the_list_nothing_is_cancelled() {
    for (unlisted, code) in [
        (page("[]"), ProblemCode::CancelUnconfirmed),
        (
            page(json!(others(3))).times(2.try_into().unwrap()),
            ProblemCode::CancelUnconfirmed,
        ),
        (
            Fault::respond(StatusCode::BAD_GATEWAY, "{}").on(Endpoint::List),
            ProblemCode::ServiceFailed,
        ),
    ] {
        for moved in [false, true] {
            let world = World::with(without_polling).await;
            let payment = world.begin("INV-1").await;
            if moved {
                world.set_status(&payment.id, "2", "Confirming");
            }
            for by in ["receipt", "merchant", "another token"] {
                world.inject(unlisted.clone());
                let (answer, code) = match by {
                    "receipt" => (world.cancel(&payment.id, &payment.receipt).await, code),
                    "merchant" => (world.cancel(&payment.id, MERCHANT_KEY).await, code),
                    _ => (world.again("btc").await, ProblemCode::EarlierPaymentOpen),
                };
                answer.is_refused_as(code);
                assert_eq!(world.calls(Endpoint::Cancel), 0, "{by}");
            }
            assert_eq!(world.calls(Endpoint::Create), 1);
            let state = field(&world.shown(&payment).await, "state");
            assert_eq!(state, None);
        }
    }
}

/// The payment was created elsewhere, or its attempt is no longer stored.
#[tokio::test]
async fn a_payment_without_an_attempt_is_looked_up_too() {
    let mut world = World::with(without_polling).await;
    let payment = world.begin("INV-1").await;
    let other = |config: &mut Config| config.store.database = crate::database();
    let _before = world.replace_proxy(other).await;
    let first = with_status(&payment, "1", "Created");
    let second = with_status(&payment, "2", "Paid");
    world.inject(page(json!([first, second])).once());
    let answer = world.cancel(&payment.id, MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::CancelUnconfirmed);
    world.set_status(&payment.id, "2", "Paid");
    let answer = world.cancel(&payment.id, MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::PaymentProgressed);
    assert_eq!(world.calls(Endpoint::Cancel), 0);

    world.set_status(&payment.id, "1", "Created");
    let answer = world.cancel(&payment.id, MERCHANT_KEY).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(world.calls(Endpoint::Cancel), 1);
    // It is cancelled already.
    let answer = world.cancel(&payment.id, MERCHANT_KEY).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

#[tokio::test]
async fn a_payment_that_is_no_longer_closed_is_not_replaced() {
    let world = World::with(fast_polling).await;
    let payment = world.begin("INV-1").await;
    let mut tab = world.listen(&payment).await;
    for status in ["Cancelled", "Paid"] {
        world.set_status(&payment.id, "7", status);
        while tab.next().await.status() != status {}
    }
    for token in ["trx", "btc", "trx"] {
        let answer = world.again(token).await;
        answer.is_refused_as(ProblemCode::PaymentProgressed);
    }
    let closed = field(&world.shown(&payment).await, "state");
    assert_eq!(closed.as_deref(), Some("closed"));
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    assert_eq!(world.calls(Endpoint::Create), 1);
}
