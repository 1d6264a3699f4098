//! Tests of a process that loses its lease between the service's response and its own write.

use sqlx::AssertSqlSafe;
use tender_protocol::ledger::Reason;

use crate::metrics::{has, samples, with_metrics};
use crate::prelude::*;

/// The second process gets no request, one for the same token, or one for another, while the first waits for the response.
#[tokio::test]
async fn a_payment_whose_lease_was_lost_stays_the_orders() {
    for meanwhile in [None, Some("trx"), Some("btc")] {
        let mut world = World::persistent(|_| {}).await;
        let held = Fault::new(Outcome::Handle).hold_ms(4000);
        world.inject(held.on(Endpoint::Create).once());
        let order = order(json!({}));
        let first = tokio::spawn(Answer::to(world.post(path::PAYMENT, &paying(&order))));
        while world.payments().is_empty() {
            tokio::task::yield_now().await;
        }
        let lost = "UPDATE attempts SET fence = fence + 1, lease_until = 0, settles_at = 0";
        assert_eq!(world.execute(lost).await, 1);
        let _first_process = world.replace_proxy(|_| {}).await;
        let second = match meanwhile {
            None => None,
            Some("trx") => Some(world.pays_in("trx").await.transaction_id()),
            Some(token) => {
                // It finds a payment that the page does not know.
                let other = world.pays_in(token).await;
                other.is_refused_as(ProblemCode::PaymentOpen);
                None
            }
        };

        let first = first.await.unwrap();
        let created = world.transactions();
        // The order's only payment.
        assert_eq!(created, [first.transaction_id()]);
        assert!(second.is_none_or(|second| second == created[0]));
        until(async || {
            let count = sqlx::query_scalar::<_, i64>(
                "SELECT COUNT(*) FROM attempts WHERE duplicate_of IS NOT NULL AND stage <> 'ended'",
            );
            let late = count.fetch_one(&mut world.database().await).await;
            (late.unwrap() == 0).then_some(())
        })
        .await;
        assert_eq!(world.calls(Endpoint::Create), 1, "{meanwhile:?}");
        assert_eq!(world.open(), created);
    }
}

/// The service creates the payment of the first process only when the second one has created another.
#[tokio::test]
async fn a_payment_that_is_created_after_another_process_took_over_is_told_to_the_merchant() {
    let mut world = World::persistent(|_| {}).await;
    let gate = Gate::closed();
    let held = Fault::new(Outcome::Handle).behind(&gate);
    world.inject(held.on(Endpoint::Create).once());
    let paying = paying(&order(json!({})));
    let first = tokio::spawn(Answer::to(world.post(path::PAYMENT, &paying)));
    until(async || (world.calls(Endpoint::Create) == 1).then_some(())).await;
    let lost = "UPDATE attempts SET fence = fence + 1, lease_until = 0, settles_at = 0";
    assert_eq!(world.execute(lost).await, 1);
    let _first_process = world.replace_proxy(|_| {}).await;
    let own = world.create(&paying).await.transaction_id();

    gate.open();
    assert_eq!(first.await.unwrap().transaction_id(), own);
    let created = world.transactions();
    let late: Vec<_> = created.iter().filter(|id| **id != own).collect();
    let doubts = world.ledger(&[]).await.reconciling;
    let doubts: Vec<_> = doubts
        .iter()
        .map(|doubt| (doubt.reason, doubt.transaction_id.as_ref()))
        .collect();
    assert_eq!(doubts, [(Reason::LateDuplicate, late.first().copied())]);
}

/// No buyer has seen the late payment, and the proxy doesn't cancel it. Buyers see the order's own payment, and can pay it.
#[tokio::test]
async fn a_late_payment_beside_the_orders_own_is_left_to_the_merchant() {
    let world = World::persistent(with_metrics).await;
    let own = world.begin("INV-1").await;
    let late = world.create_elsewhere("INV-1").await;
    let insert = format!(
        "INSERT INTO attempts (id, duplicate_of, fingerprint, request, stage, transaction_id, record, begun_at, fence,
            lease_until, called_at, settles_at, written_at, kept_until)
        SELECT 'late', id, 'late', request, 'duplicate', '{late}', record, begun_at, 0, 0, 0, 0, written_at, kept_until
        FROM attempts WHERE transaction_id = '{}'",
        own.id
    );
    let insert = sqlx::query(AssertSqlSafe(insert));
    insert.execute(&mut world.database().await).await.unwrap();

    let entry = world.ledger(&[]).await.reconciling.remove(0);
    assert_eq!(entry.reason, Reason::LateDuplicate);
    assert_eq!(entry.transaction_id.as_ref(), Some(&late));
    let counts = samples(&world).await;
    has(&counts, "late_duplicates 1");
    has(
        &counts,
        r#"unresolved_orders{reason="create-unanswered"} 0"#,
    );
    assert_eq!(world.begin("INV-1").await.id, own.id);
    assert_eq!(world.calls(Endpoint::Cancel), 0);

    world.cancel(&late, MERCHANT_KEY).await.succeeds();
    assert_eq!(world.open(), [own.id]);
    assert_eq!(world.ledger(&[]).await.reconciling, []);
    has(&samples(&world).await, "late_duplicates 0");
}
