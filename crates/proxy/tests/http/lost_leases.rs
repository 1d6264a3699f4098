//! Tests of a process that loses its lease between the service's response and its own write.

use serde_json::json;
use tender_protocol::{ProblemCode, path};
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::support::{Answer, World, order, paying, paying_in};

/// The request that the second process gets while the first one waits for the response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Meanwhile {
    NoRequest,
    SameToken,
    OtherToken,
}

async fn late_payments(world: &World) -> i64 {
    let count = sqlx::query_scalar("SELECT COUNT(*) FROM surplus_payments");
    count.fetch_one(&mut world.database().await).await.unwrap()
}

async fn lose_a_lease(meanwhile: Meanwhile) {
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
        Meanwhile::NoRequest => None,
        Meanwhile::SameToken => Some(world.create(&paying(&order)).await),
        Meanwhile::OtherToken => Some(world.create(&paying_in("btc", &order)).await),
    };
    let second = second.map(|answer| answer.transaction_id());

    let first = first.await.unwrap();
    let created = world.transactions();
    match meanwhile {
        // The order's only payment.
        Meanwhile::NoRequest => assert_eq!(created, [first.transaction_id()]),
        Meanwhile::SameToken => {
            assert_eq!(second, Some(first.transaction_id()));
            assert_eq!(created, [first.transaction_id()]);
        }
        // The buyer has replaced it.
        Meanwhile::OtherToken => first.is_refused_as(ProblemCode::AttemptEnded),
    }
    while late_payments(&world).await > 0 {
        tokio::task::yield_now().await;
    }
    let expected = if meanwhile == Meanwhile::OtherToken {
        2
    } else {
        1
    };
    assert_eq!(world.calls(Endpoint::Create), expected, "{meanwhile:?}");
    assert_eq!(world.open(), [second.unwrap_or_else(|| created[0].clone())]);
}

#[tokio::test]
async fn a_payment_whose_lease_was_lost_stays_the_orders() {
    lose_a_lease(Meanwhile::NoRequest).await;
}

#[tokio::test]
async fn two_processes_return_the_same_payment() {
    lose_a_lease(Meanwhile::SameToken).await;
}

#[tokio::test]
async fn a_payment_that_was_replaced_meanwhile_is_not_returned() {
    lose_a_lease(Meanwhile::OtherToken).await;
}
