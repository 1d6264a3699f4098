//! Tests of marks that money may have been sent for a payment, and of releasing its order.

use axum::http::StatusCode;
use reqwest::Method;
use serde_json::{Value, json};
use tender_protocol::ProblemCode;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::followed::Followed;
use crate::support::{Answer, MERCHANT_KEY, World};

impl World {
    /// Marks a payment. Returns the secret that removes the mark.
    async fn mark(&self, payment: &Followed) -> Option<String> {
        let answer = self.asks_to_mark(payment).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        let mark: Value = serde_json::from_str(&answer.body).unwrap();
        mark["secret"].as_str().map(str::to_owned)
    }

    async fn asks_to_mark(&self, payment: &Followed) -> Answer {
        let Followed { id, receipt, .. } = payment;
        self.sent(Method::POST, id, receipt, json!({})).await
    }

    async fn unmark(&self, payment: &Followed, key: &str, body: Value) -> StatusCode {
        let answer = self.sent(Method::DELETE, &payment.id, key, body).await;
        answer.status
    }
}

/// A proxy with a payment in BTC.
async fn in_btc() -> (World, Followed) {
    let world = World::new().await;
    let created = world.pays_in("btc").await;
    (world, Followed::from(&created))
}

#[tokio::test]
async fn a_marked_payment_is_neither_cancelled_nor_replaced_by_a_buyer() {
    let (world, payment) = in_btc().await;
    let first = world.mark(&payment).await.unwrap();
    let second = world.mark(&payment).await.unwrap();
    assert_ne!(first, second);
    for (marks, secret) in [(2, Some(&first)), (1, Some(&second)), (0, None)] {
        // The merchant sees how many there are.
        assert_eq!(world.ledger(&[&payment.id]).await.payments[0].sent, marks);
        let answer = world.cancel(&payment.id, &payment.receipt).await;
        if let Some(secret) = secret {
            answer.is_refused_as(ProblemCode::PaymentSent);
            let refused = world.pays_in("trx").await;
            refused.is_refused_as(ProblemCode::PaymentSent);
            // It is still shown.
            assert_eq!(world.pays_in("btc").await.transaction_id(), payment.id);
            assert_eq!(world.calls(Endpoint::Cancel), 0);
            // Each mark has a secret of its own.
            let body = json!({ "secret": secret });
            let status = world.unmark(&payment, &payment.receipt, body).await;
            assert_eq!(status, StatusCode::NO_CONTENT);
        } else {
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        }
    }
}

#[tokio::test]
async fn only_the_secret_or_the_merchant_removes_a_mark() {
    let (world, payment) = in_btc().await;
    world.mark(&payment).await.unwrap();
    let receipt = &*payment.receipt;
    for body in [json!({ "secret": "another" }), json!({})] {
        world.unmark(&payment, receipt, body).await;
        let answer = world.cancel(&payment.id, receipt).await;
        answer.is_refused_as(ProblemCode::PaymentSent);
    }
    world.unmark(&payment, MERCHANT_KEY, json!({})).await;
    world.cancel(&payment.id, receipt).await.succeeds();
}

/// A stranger who stores all marks can't take back that of the buyer, which comes after them.
#[tokio::test]
async fn only_the_merchant_removes_the_mark_after_eight() {
    let (world, payment) = in_btc().await;
    let mut secrets = Vec::new();
    for _ in 0..8 {
        secrets.push(world.mark(&payment).await.unwrap());
    }
    for _ in 0..2 {
        assert_eq!(world.mark(&payment).await, None);
    }
    assert_eq!(world.ledger(&[&payment.id]).await.payments[0].sent, 9);
    for secret in secrets {
        let body = json!({ "secret": secret });
        world.unmark(&payment, &payment.receipt, body).await;
    }
    let answer = world.cancel(&payment.id, &payment.receipt).await;
    answer.is_refused_as(ProblemCode::PaymentSent);
    world.unmark(&payment, MERCHANT_KEY, json!({})).await;
    let answer = world.cancel(&payment.id, &payment.receipt).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
}

/// A page that doesn't know the payment must not ask for money that may have been sent.
#[tokio::test]
async fn a_repeated_request_says_so_and_whether_money_may_have_been_sent() {
    let (world, payment) = in_btc().await;
    let flags = |answer: &Answer| {
        let record: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(record["transactionId"], *payment.id);
        (record["repeated"].clone(), record["sent"].clone())
    };
    assert_eq!(
        flags(&world.pays_in("btc").await),
        (json!(true), Value::Null)
    );
    world.mark(&payment).await.unwrap();
    assert_eq!(
        flags(&world.pays_in("btc").await),
        (json!(true), json!(true))
    );
}

#[tokio::test]
async fn a_payment_that_is_being_cancelled_can_not_be_marked() {
    let (world, payment) = in_btc().await;
    world.inject(Fault::new(Outcome::DropAnswer).on(Endpoint::Cancel));
    let answer = world.cancel(&payment.id, &payment.receipt).await;
    assert!(answer.status.is_server_error());
    let late = world.asks_to_mark(&payment).await;
    late.is_refused_as(ProblemCode::CancelBegun);
}

/// Money may be on its way, so only the merchant frees the order.
#[tokio::test]
async fn a_marked_payment_that_is_closed_frees_its_order_only_when_it_is_released() {
    let (world, payment) = in_btc().await;
    world.mark(&payment).await.unwrap();
    world.set_status(&payment.id, "5", "Cancelled");
    for _ in 0..2 {
        let answer = world.pays_in("trx").await;
        answer.is_refused_as(ProblemCode::PaymentSent);
    }
    let refused = world.release(&payment.id, &payment.receipt).await;
    refused.is_refused_as(ProblemCode::CredentialsInvalid);
    let unknown = world.release("unknown", MERCHANT_KEY).await;
    unknown.is_refused_as(ProblemCode::PaymentUnknown);
    let released = world.release(&payment.id, MERCHANT_KEY).await;
    assert_eq!(released.status, StatusCode::NO_CONTENT, "{}", released.body);
    assert_ne!(world.pays_in("trx").await.transaction_id(), payment.id);
    assert_eq!(world.calls(Endpoint::Cancel), 0);
}
