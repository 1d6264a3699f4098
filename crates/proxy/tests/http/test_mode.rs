//! Tests of test mode: records, receipts and `/readyz` say it, and nothing of one mode is used in the other.

use jsonwebtoken::dangerous::insecure_decode;
use tender_protocol::Token;

use crate::prelude::*;

const SHARED_KEY: &str = "a receipt key of both modes, 32 characters or more";

fn testing(config: &mut Config) {
    fast_polling(config);
    config.upstream.test_mode = true;
}

/// The field of a record, if it is there.
fn field(json: &str) -> Option<Value> {
    let record: Value = serde_json::from_str(json).unwrap();
    record.get("testMode").cloned()
}

/// The claims of a receipt, which is not verified.
fn claims(receipt: &str) -> Value {
    insecure_decode::<Value>(receipt).unwrap().claims
}

#[tokio::test]
async fn everything_is_marked_in_test_mode_only() {
    for (configure, mark, ready) in [
        (
            testing as fn(&mut Config),
            Some(json!(true)),
            "ready, in test mode\n",
        ),
        (fast_polling, None, "ready\n"),
    ] {
        let shop = Shop::open().await;
        let world = World::with(|config| {
            configure(config);
            shop.receives(config);
        })
        .await;
        let payment = world.begin("INV-1").await;
        assert_eq!(field(&payment.record), mark);
        let notified = shop.until_received(1).await.remove(0);
        assert_eq!(notified.json()["data"].get("testMode"), mark.as_ref());
        assert_eq!(field(&world.latest(&payment).await.body), mark);
        let mut buyer = world.listen(&payment).await;
        assert_eq!(field(&buyer.next().await.data), mark);
        let mut merchant = Listener::to(world.by_merchant(Method::GET, path::EVENTS)).await;
        merchant.next_any().await;
        let second = world.begin("INV-2").await;
        assert_eq!(field(&merchant.next_any().await.data), mark);

        let listed = world.list("").await.body;
        let listed: Vec<Value> = serde_json::from_str(&listed).unwrap();
        assert_eq!(listed.len(), 2);
        for record in listed {
            assert_eq!(record.get("testMode"), mark.as_ref());
        }
        // The service's response, and then what the proxy knows.
        for _ in 0..2 {
            let cancelled = world.cancel(&second.id, &second.receipt).await.body;
            let cancelled: Vec<Value> = serde_json::from_str(&cancelled).unwrap();
            assert_eq!(cancelled.len(), 1);
            assert_eq!(cancelled[0].get("testMode"), mark.as_ref());
        }
        // Pages and the operator learn the mode, too.
        let listing = world.get(path::TOKENS).await.body;
        let tokens = Token::accepted(&listing).unwrap();
        assert!(tokens.len() > 1);
        assert!(tokens.iter().all(|token| token.test_mode == mark.is_some()));
        assert_eq!(world.get("/readyz").await.body, ready);
        assert_eq!(world.ledger(&[]).await.test_mode, mark.is_some());
        // A reload does not change it.
        let mut other = world.config.clone();
        other.upstream.test_mode = mark.is_none();
        world.proxy.reload(&other);
        world.latest(&payment).await.succeeds();
        let after = world.begin("INV-3").await;
        assert_eq!(claims(&after.receipt).get("testMode"), mark.as_ref());
        assert_eq!(field(&after.record), mark);
    }
}

/// Only the field is added, and a field of the service is not taken for the proxy's.
#[tokio::test]
async fn the_listing_gains_only_its_mark() {
    let odd = r#"[ {"token":"x","decimals":18.0, "meta":{ }} ,1]"#;
    let with_mark = r#"[{"token":"x","decimals":18.0,"meta":{ },"testMode":true},1]"#;
    let world = World::with(testing).await;
    world.sandbox.controls().replace_tokens(odd);
    assert_eq!(world.get(path::TOKENS).await.body, with_mark);

    let world = World::new().await;
    world.sandbox.controls().replace_tokens(with_mark);
    let without_mark = r#"[{"token":"x","decimals":18.0,"meta":{ }},1]"#;
    assert_eq!(world.get(path::TOKENS).await.body, without_mark);
}

#[tokio::test]
async fn a_receipt_is_refused_in_the_other_mode() {
    let with_shared_key = |is_test| {
        World::with(move |config| {
            config.upstream.test_mode = is_test;
            config.access.receipt_keys = vec![Secret::from(SHARED_KEY)];
        })
    };
    let (test, real) = (with_shared_key(true).await, with_shared_key(false).await);
    for (of, other, mark) in [(&test, &real, Some(true)), (&real, &test, None)] {
        let payment = of.begin("INV-1").await;
        let claims = claims(&payment.receipt);
        assert_eq!(claims.get("testMode").and_then(Value::as_bool), mark);
        assert_eq!(of.latest(&payment).await.status, StatusCode::OK);
        let refused = other.latest(&payment).await;
        refused.is_refused_as(ProblemCode::CredentialsInvalid);
        let refused = other.cancel(&payment.id, &payment.receipt).await;
        refused.is_refused_as(ProblemCode::CredentialsInvalid);
        assert_eq!(other.calls(tender_sandbox::Endpoint::Cancel), 0);
    }
}

/// Buyers of real orders would be shown the wallets of tests otherwise.
#[tokio::test]
async fn a_database_is_used_in_one_mode_only() {
    for (is_test, used) in [(true, "in test mode"), (false, "for real payments")] {
        let mut world = World::persistent(|config| config.upstream.test_mode = is_test).await;
        world.begin("INV-1").await;
        let mut other = world.config.clone();
        other.upstream.test_mode = !is_test;
        let Err(error) = tender_proxy::start(other).await else {
            panic!("a proxy has started in the other mode");
        };
        let message = error.to_string();
        for part in ["set another database", used, "`database_url`"] {
            assert!(message.contains(part), "{message}");
        }
        // The attempt to start has changed nothing.
        drop(world.replace_proxy(|_| {}).await);
        world.begin("INV-1").await;
    }
}
