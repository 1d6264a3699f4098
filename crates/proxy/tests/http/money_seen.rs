//! Tests of payments for which money was seen: pending and underpaid ones. They are never cancelled or replaced, and never ask for
//! money again.

use tender_protocol::PaymentState;

use crate::notifications::world_of;
use crate::prelude::*;

impl World {
    /// Changes the status, and waits until the record has this state.
    async fn becomes_stated(&self, payment: &Followed, status: &str, state: &str) {
        let id = if status == "Created" { "1" } else { "7" };
        self.set_status(&payment.id, id, status);
        let record = self.until_it_is(payment, status).await.record();
        assert_eq!(record.string("state").as_deref(), Some(state), "{status}");
    }

    /// Neither the buyer nor the merchant cancels the payment, and the order gets no other one.
    async fn keeps(&self, payment: &Followed) {
        for key in [&*payment.receipt, MERCHANT_KEY] {
            let answer = self.cancel(&payment.id, key).await;
            answer.is_refused_as(ProblemCode::PaymentProgressed);
        }
        let other = self.pays_in("btc").await;
        other.is_refused_as(ProblemCode::PaymentProgressed);
        assert_eq!(self.calls(Endpoint::Cancel), 0);
        assert_eq!(self.calls(Endpoint::Create), 1);
    }
}

/// Whatever its status says later.
#[tokio::test]
async fn a_pending_or_paid_payment_never_asks_for_money_again() {
    for (status, state, later, later_state) in [
        ("Confirming", "pending", "Expired", "unknown"),
        ("Confirming", "pending", "Unmapped", "pending"),
        ("Paid", "paid", "Created", "paid"),
    ] {
        let world = World::with(mapped_and_polled).await;
        let payment = world.begin("INV-1").await;
        world.becomes_stated(&payment, status, state).await;
        world.keeps(&payment).await;
        world.becomes_stated(&payment, later, later_state).await;
        world.keeps(&payment).await;
        // Its own buyer still finds it, and it may be paid after all.
        assert_eq!(world.pays_in("trx").await.transaction_id(), payment.id);
        world.becomes_stated(&payment, "Paid", "paid").await;
    }
}

/// How much is missing is not documented, so the merchant decides.
#[tokio::test]
async fn an_underpaid_payment_keeps_its_order_until_the_merchant_releases_it() {
    let world = World::with(mapped_and_polled).await;
    let payment = world.begin("INV-1").await;
    world.becomes_stated(&payment, "Partly", "underpaid").await;
    world.becomes_stated(&payment, "Expired", "underpaid").await;
    world.keeps(&payment).await;
    let released = world.release(&payment.id, MERCHANT_KEY).await;
    released.has_no_content();
    let second = Followed::from(&world.pays_in("btc").await);
    assert_ne!(second.id, payment.id);
    let record = world.latest(&payment).await.record();
    assert_eq!(record.string("state").as_deref(), Some("underpaid"));
    // The second one can be replaced like any other.
    assert_ne!(world.pays_in("trx").await.transaction_id(), second.id);
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

/// The buyer had sent the money before, or the money arrives after all.
#[tokio::test]
async fn an_order_whose_cancelled_payment_gets_money_gets_no_other() {
    let world = World::with(mapped_and_polled).await;
    let first = world.begin("INV-1").await;
    world.cancel(&first.id, &first.receipt).await.succeeds();
    let second = Followed::from(&world.pays_in("btc").await);
    let mut tab = world.watch(&second).await;
    world.becomes_stated(&first, "Confirming", "pending").await;
    // The order has another one already. No page asks for its money, and its buyer may cancel it.
    for record in [tab.next().await.data, world.latest(&second).await.body] {
        assert!(record.contains(r#""state":"open""#), "{record}");
        assert!(record.contains(r#""orderSeen":true"#), "{record}");
    }
    for token in ["btc", "trx"] {
        let refused = world.pays_in(token).await;
        refused.is_refused_as(ProblemCode::PaymentProgressed);
    }
    let found = world.find(&order(json!({}))).await;
    assert_eq!(found.transaction_id(), first.id);
    world.cancel(&second.id, &second.receipt).await.succeeds();
    let refused = world.pays_in("btc").await;
    refused.is_refused_as(ProblemCode::PaymentProgressed);
    assert_eq!(world.calls(Endpoint::Create), 2);
    assert_eq!(world.calls(Endpoint::Cancel), 2);

    world.release(&first.id, MERCHANT_KEY).await;
    world.latest(&second).await.has_no("orderSeen");
    let third = Followed::from(&world.pays_in("btc").await);
    let mut tab = world.watch(&third).await;
    // The order has two again; nothing more is paid for it, and neither is replaced by another.
    world.becomes_stated(&first, "Paid", "paid").await;
    for record in [tab.next().await.data, world.latest(&third).await.body] {
        assert!(record.contains(r#""state":"closed""#), "{record}");
        assert!(record.contains(r#""orderPaid":true"#), "{record}");
    }
    let list = world.list("").await.body;
    let list: Vec<Value> = serde_json::from_str(&list).unwrap();
    let paid: Vec<_> = list
        .iter()
        .map(|record| record["orderPaid"] == true)
        .collect();
    assert_eq!(paid, [true, true, false]);
    for token in ["btc", "trx"] {
        let body = paying_in(token, &order(json!({})));
        let other = world.create_in_another_tab(&body).await;
        other.is_refused_as(ProblemCode::PaymentProgressed);
    }
    // What is paid stays paid, whatever its status says later.
    world.becomes_stated(&first, "Created", "paid").await;
    world.latest(&third).await.has("orderPaid");
    assert_eq!(world.calls(Endpoint::Create), 3);
}

/// The request to cancel was lost, so it is not cancelled; but its status had moved meanwhile.
#[tokio::test]
async fn a_payment_that_changed_back_is_not_open_after_a_lost_cancel() {
    let world = World::with(mapped_and_polled).await;
    let payment = world.begin("INV-1").await;
    world.inject(Fault::new(Outcome::DropRequest).on(Endpoint::Cancel).once());
    let lost = world.cancel(&payment.id, &payment.receipt).await;
    assert!(lost.status.is_server_error(), "{}", lost.body);
    world.becomes_stated(&payment, "Unmapped", "unknown").await;
    world.becomes_stated(&payment, "Created", "unknown").await;
    let refused = world.cancel(&payment.id, &payment.receipt).await;
    refused.is_refused_as(ProblemCode::PaymentProgressed);
    let record = world.latest(&payment).await.record();
    assert_eq!(record.string("state").as_deref(), Some("unknown"));
}

/// A cancel whose outcome is unknown closes nothing: `payment.closed` is sent once the list shows it. The buyer may have sent
/// money, and is shown the payment with the state `unknown`.
#[tokio::test]
async fn a_payment_whose_cancellation_is_in_doubt_is_unknown() {
    let shop = Shop::open().await;
    let world = world_of(&shop).await;
    let payment = world.begin("INV-1").await;
    world.inject(responds(Endpoint::Cancel, StatusCode::INTERNAL_SERVER_ERROR, "{}").once());
    let answer = world.cancel(&payment.id, &payment.receipt).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
    let found = world.find(&order(json!({}))).await;
    assert_eq!(found.transaction_id(), payment.id);
    assert_eq!(found.payment().state, Some(PaymentState::Unknown));
    let late = Answer::to(world.marks(&payment, "secret")).await;
    late.is_refused_as(ProblemCode::CancelBegun);
    let received = shop.until_received(2).await;
    assert_eq!(received[1].kind, "payment.updated");
    assert_eq!(received[1].json()["data"]["state"], "unknown");
    world.becomes_stated(&payment, "Cancelled", "closed").await;
    let received = shop.until_received(3).await;
    assert_eq!(received[2].kind, "payment.closed");
}

/// The money was sent back, and the buyer is to pay again.
#[tokio::test]
async fn a_paid_order_that_is_released_is_paid_again() {
    let world = World::with(mapped_and_polled).await;
    let first = world.begin("INV-1").await;
    world.becomes_stated(&first, "Paid", "paid").await;
    world.keeps(&first).await;
    world
        .release(&first.id, MERCHANT_KEY)
        .await
        .has_no_content();
    world.find(&order(json!({}))).await.has_no_content();
    let second = world.pays_in("btc").await;
    assert_ne!(second.transaction_id(), first.id);
    second.has_no("orderPaid");
    let found = world.find(&order(json!({}))).await;
    assert_eq!(found.transaction_id(), second.transaction_id());
}

/// The merchant did not know of it when they released the order. They may release it once more.
#[tokio::test]
async fn the_first_money_after_a_release_keeps_the_order() {
    let world = World::with(mapped_and_polled).await;
    let first = world.begin("INV-1").await;
    let release = async || {
        world
            .release(&first.id, MERCHANT_KEY)
            .await
            .has_no_content();
    };
    release().await;
    world.becomes_stated(&first, "Confirming", "pending").await;
    let refused = world.pays_in("btc").await;
    refused.is_refused_as(ProblemCode::PaymentProgressed);
    let found = world.find(&order(json!({}))).await;
    assert_eq!(found.transaction_id(), first.id);
    release().await;
    let second = Followed::from(&world.pays_in("btc").await);
    assert_ne!(second.id, first.id);
    // It is the same money.
    world.becomes_stated(&first, "Partly", "underpaid").await;
    world.latest(&second).await.has_no("orderSeen");
}

/// The answer to its request arrives when money was seen for an earlier payment.
#[tokio::test]
async fn a_payment_that_was_being_created_is_not_shown_after_money_was_seen() {
    let world = World::with(mapped_and_polled).await;
    let first = world.begin("INV-1").await;
    world.cancel(&first.id, &first.receipt).await.succeeds();
    let gate = Gate::closed();
    world.inject(
        Fault::new(Outcome::Handle)
            .on(Endpoint::Create)
            .behind(&gate),
    );
    let seen = async {
        world.until_called(Endpoint::Create, 2).await;
        world.becomes_stated(&first, "Confirming", "pending").await;
        gate.open();
    };
    let (answer, ()) = tokio::join!(world.pays_in("btc"), seen);
    answer.is_refused_as(ProblemCode::PaymentProgressed);
    answer.has_no("wallet");
}
