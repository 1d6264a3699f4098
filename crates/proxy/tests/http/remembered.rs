//! Tests of what is remembered of an order of which an earlier version has erased the records.

use crate::prelude::*;

impl World {
    /// Erases what it erased after a month.
    async fn erase(&self) {
        for statement in [
            "UPDATE attempts SET request = '', record = NULL, signed_order = NULL",
            "DELETE FROM attempt_keys",
            "DELETE FROM payments",
        ] {
            self.execute(statement).await;
        }
    }
}

/// A shop may sign the order again. Until the merchant has released it, no buyer is asked to pay again.
#[tokio::test]
async fn an_order_whose_cancelled_payment_got_money_gets_no_other_a_month_later() {
    for status in ["Paid", "Partly", "Confirming"] {
        let world = World::persistent(mapped_and_polled).await;
        let payment = world.begin("INV-1").await;
        world.cancel(&payment.id, &payment.receipt).await.succeeds();
        world.becomes(&payment, status);
        world.until_it_is(&payment, status).await;
        world.erase().await;
        for token in ["trx", "btc"] {
            let refused = world.pays_in(token).await;
            refused.is_refused_as(ProblemCode::PaymentProgressed);
        }
        let found = world.find(&order(json!({}))).await;
        found.is_refused_as(ProblemCode::PaymentUnidentified);
        assert_eq!(world.calls(Endpoint::Create), 1, "{status}");

        let released = world.release(&payment.id, MERCHANT_KEY).await;
        released.has_no_content();
        world.find(&order(json!({}))).await.has_no_content();
        assert_ne!(world.pays_in("btc").await.transaction_id(), payment.id);
    }
}

#[tokio::test]
async fn a_marked_payment_keeps_its_order_a_month_later() {
    let world = World::persistent(mapped_and_polled).await;
    let payment = world.begin("INV-1").await;
    world.mark(&payment, "secret").await;
    world.erase().await;
    let refused = world.pays_in("btc").await;
    refused.is_refused_as(ProblemCode::PaymentSent);
    assert_eq!(world.calls(Endpoint::Create), 1);
}
