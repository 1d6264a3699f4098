//! Tests that a payment which may have been paid is neither cancelled nor replaced.

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::ProblemCode;
use tender_proxy::Config;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::followed::{Followed, mapped};
use crate::recognition::others;
use crate::support::{Answer, MERCHANT_KEY, World, page};

/// Who ends a payment.
const ALL: [&str; 3] = ["receipt", "merchant", "another token"];

impl World {
    async fn ends(&self, payment: &Followed, by: &str) -> Answer {
        match by {
            "receipt" => self.cancel(&payment.id, &payment.receipt).await,
            "merchant" => self.cancel(&payment.id, MERCHANT_KEY).await,
            _ => self.pays_in("btc").await,
        }
    }
}

#[tokio::test]
async fn a_payment_that_was_paid_after_a_lost_cancel_stays_the_orders() {
    for lost in [
        Fault::new(Outcome::DropRequest),
        Fault::respond(StatusCode::INTERNAL_SERVER_ERROR, "{}"),
    ] {
        for by in ["receipt", "another token"] {
            let world = World::with(mapped).await;
            let payment = world.begin("INV-1").await;
            world.inject(lost.clone().on(Endpoint::Cancel).once());
            let answer = world.ends(&payment, by).await;
            if by == "receipt" {
                assert_ne!(answer.status, StatusCode::OK, "{}", answer.body);
            } else {
                answer.is_refused_as(ProblemCode::EarlierPaymentOpen);
            }
            let closed = world.latest(&payment).await.record().string("state");
            assert_eq!(closed.as_deref(), Some("unknown"));

            world.set_status(&payment.id, "2", "Paid");
            let again = world.pays_in("trx").await;
            again.is_refused_as(ProblemCode::PaymentProgressed);
            let shown = world.latest(&payment).await.record();
            assert_eq!(shown.string("statusText").as_deref(), Some("Paid"));
            assert_eq!(shown.string("state").as_deref(), Some("paid"), "{by}");
            let again = world.pays_in("trx").await.record();
            assert_eq!(again.string("transactionId"), Some(payment.id.clone()));
            assert_eq!(again.string("state").as_deref(), Some("paid"), "{by}");
            let other = world.pays_in("btc").await;
            other.is_refused_as(ProblemCode::PaymentProgressed);
            assert_eq!(world.calls(Endpoint::Cancel), 1, "{by}");
            assert_eq!(world.calls(Endpoint::Create), 1, "{by}");
        }
    }
}

/// What the list says is shown at once, too.
#[tokio::test]
async fn the_list_is_read_before_a_payment_is_cancelled() {
    for (configure, state) in [((|_| {}) as fn(&mut Config), None), (mapped, Some("paid"))] {
        for by in ALL {
            let world = World::with(configure).await;
            let payment = world.begin("INV-1").await;
            world.set_status(&payment.id, "2", "Paid");
            let answer = world.ends(&payment, by).await;
            answer.is_refused_as(ProblemCode::PaymentProgressed);
            assert_eq!(world.calls(Endpoint::Cancel), 0, "{by}");
            for record in [
                world.latest(&payment).await.record(),
                world.pays_in("trx").await.record(),
            ] {
                assert_eq!(record.string("transactionId"), Some(payment.id.clone()));
                assert_eq!(record.string("statusText").as_deref(), Some("Paid"));
                assert_eq!(record.string("state").as_deref(), state, "{by}");
            }
            assert_eq!(world.calls(Endpoint::Create), 1, "{by}");
        }
    }
}

/// Nothing is sent without a fresh read that shows the payment unchanged.
#[tokio::test]
async fn without_the_list_nothing_is_cancelled() {
    let end = page("[]");
    for (unlisted, code) in [
        (vec![end.clone()], ProblemCode::CancelUnconfirmed),
        (
            vec![page(json!(others(0, 3))).once(), end],
            ProblemCode::CancelUnconfirmed,
        ),
        (
            vec![Fault::respond(StatusCode::BAD_GATEWAY, "{}").on(Endpoint::List)],
            ProblemCode::ServiceFailed,
        ),
    ] {
        for moved in [false, true] {
            let world = World::new().await;
            let payment = world.begin("INV-1").await;
            if moved {
                world.set_status(&payment.id, "2", "Confirming");
            }
            for by in ALL {
                world.sandbox.controls().clear_faults();
                for fault in &unlisted {
                    world.inject(fault.clone());
                }
                let answer = world.ends(&payment, by).await;
                answer.is_refused_as(match by {
                    "another token" => ProblemCode::EarlierPaymentOpen,
                    _ => code,
                });
                assert_eq!(world.calls(Endpoint::Cancel), 0, "{by}");
            }
            assert_eq!(world.calls(Endpoint::Create), 1);
            let state = world.latest(&payment).await.record().string("state");
            assert_eq!(state, None);
        }
    }
}

/// The payment was created elsewhere, or its attempt is no longer stored.
#[tokio::test]
async fn a_payment_without_an_attempt_is_looked_up_too() {
    let mut world = World::new().await;
    let payment = world.begin("INV-1").await;
    let other = |config: &mut Config| config.store.database = crate::database();
    let _before = world.replace_proxy(other).await;
    let first = payment.with_status("1", "Created");
    let second = payment.with_status("2", "Paid");
    world.inject(page(json!([first, second])).once());
    let answer = world.cancel(&payment.id, MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::CancelUnconfirmed);
    world.set_status(&payment.id, "2", "Paid");
    let answer = world.cancel(&payment.id, MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::PaymentProgressed);
    assert_eq!(world.calls(Endpoint::Cancel), 0);

    world.set_status(&payment.id, "1", "Created");
    world.cancel(&payment.id, MERCHANT_KEY).await.succeeds();
    assert_eq!(world.calls(Endpoint::Cancel), 1);
    // It is cancelled already.
    world.cancel(&payment.id, MERCHANT_KEY).await.succeeds();
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

/// A payment may be on two pages, before the request to cancel it and after.
#[tokio::test]
async fn a_payment_on_two_pages_with_two_statuses_is_not_cancelled() {
    for (requests, by) in [(0, "receipt"), (1, "merchant"), (1, "another token")] {
        let world = World::new().await;
        let payment = world.begin("INV-1").await;
        let created = json!([payment.with_status("1", "Created")]);
        let paid = json!([payment.with_status("2", "Paid")]);
        if requests > 0 {
            world.inject(page(&created).once());
            world.inject(page("[]").once());
        }
        for records in [&created, &paid] {
            world.inject(page(records).once());
        }
        let answer = Fault::respond(StatusCode::OK, created.to_string());
        world.inject(answer.on(Endpoint::Cancel));
        let answer = world.ends(&payment, by).await;
        answer.is_refused_as(match by {
            "another token" => ProblemCode::EarlierPaymentOpen,
            _ => ProblemCode::CancelUnconfirmed,
        });
        assert_eq!(world.calls(Endpoint::Cancel), requests, "{by}");
        assert_eq!(world.calls(Endpoint::Create), 1, "{by}");
    }
}
