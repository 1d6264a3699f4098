//! Tests of marks that money may have been sent for a payment, and of releasing its order.

use tender_protocol::PaymentState;

use crate::prelude::*;

impl World {
    /// Marks a payment. Returns the secret that removes the mark.
    async fn mark(&self, payment: &Followed) -> Option<String> {
        let Followed { id, receipt, .. } = payment;
        let answer = self.sent(Method::POST, id, receipt, json!({})).await;
        answer.succeeds();
        let mark: Value = serde_json::from_str(&answer.body).unwrap();
        mark["secret"].as_str().map(str::to_owned)
    }

    async fn unmark(&self, payment: &Followed, key: &str, body: Value) -> StatusCode {
        let answer = self.sent(Method::DELETE, &payment.id, key, body).await;
        answer.status
    }
}

#[tokio::test]
async fn a_marked_payment_is_neither_cancelled_nor_replaced_by_a_buyer() {
    let world = World::new().await;
    let payment = world.begin("INV-1").await;
    // A page that doesn't know the payment must not ask for money that may have been sent.
    let said = async || {
        let repeated = world.pays_in("trx").await;
        assert_eq!(repeated.transaction_id(), payment.id);
        let record: Value = serde_json::from_str(&repeated.body).unwrap();
        (record["repeated"].clone(), record["sent"].clone())
    };
    assert_eq!(said().await, (json!(true), Value::Null));
    let first = world.mark(&payment).await.unwrap();
    let second = world.mark(&payment).await.unwrap();
    assert_ne!(first, second);
    for (marks, secret) in [(2, Some(&first)), (1, Some(&second)), (0, None)] {
        // The merchant sees how many there are.
        assert_eq!(world.ledger(&[&payment.id]).await.payments[0].sent, marks);
        let answer = world.cancel(&payment.id, &payment.receipt).await;
        let Some(secret) = secret else {
            answer.succeeds();
            continue;
        };
        answer.is_refused_as(ProblemCode::PaymentSent);
        let refused = world.pays_in("btc").await;
        refused.is_refused_as(ProblemCode::PaymentSent);
        assert_eq!(said().await, (json!(true), json!(true)));
        assert_eq!(world.calls(Endpoint::Cancel), 0);
        // Each mark has a secret of its own, and nothing else of a buyer removes it.
        for body in [json!({ "secret": "another" }), json!({})] {
            world.unmark(&payment, &payment.receipt, body).await;
        }
        let body = json!({ "secret": secret });
        let status = world.unmark(&payment, &payment.receipt, body).await;
        assert_eq!(status, StatusCode::NO_CONTENT);
    }
}

/// A stranger who stores all marks can't take back that of the buyer, which comes after them.
#[tokio::test]
async fn only_the_merchant_removes_the_mark_after_eight() {
    let world = World::new().await;
    let payment = world.begin("INV-1").await;
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
    world.cancel(&payment.id, &payment.receipt).await.succeeds();
}

/// Money may be on its way, so only the merchant frees the order.
#[tokio::test]
async fn a_marked_payment_that_is_closed_frees_its_order_only_when_it_is_released() {
    let world = World::with(mapped_and_polled).await;
    let payment = world.begin("INV-1").await;
    world.mark(&payment).await.unwrap();
    world.becomes(&payment, "Expired");
    world.until_it_is(&payment, "Expired").await;
    for _ in 0..2 {
        let refused = world.pays_in("btc").await;
        refused.is_refused_as(ProblemCode::PaymentSent);
    }
    let order = order(json!({}));
    let closed = world.find(&order).await;
    assert_eq!(closed.payment().state, Some(PaymentState::Closed));
    assert!(closed.found().sent);
    let refused = world.release(&payment.id, &payment.receipt).await;
    refused.is_refused_as(ProblemCode::CredentialsInvalid);
    let unknown = world.release("unknown", MERCHANT_KEY).await;
    unknown.is_refused_as(ProblemCode::PaymentUnknown);
    let released = world.release(&payment.id, MERCHANT_KEY).await;
    released.has_no_content();
    // Nothing else says that it is released.
    world.find(&order).await.has_no_content();
    assert_ne!(world.pays_in("btc").await.transaction_id(), payment.id);
    assert_eq!(world.calls(Endpoint::Cancel), 0);
}
