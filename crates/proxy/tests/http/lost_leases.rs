//! Tests of a process that loses its lease between the service's response and its own write.

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
