//! Tests of access to cancel.

use axum::http::StatusCode;
use jsonwebtoken::{Header, get_current_timestamp};
use reqwest::header::AUTHORIZATION;
use serde_json::{Value, json};
use tender_protocol::{ProblemCode, path};
use tender_proxy::{Config, OrderKey, Secret};
use tender_sandbox::{Endpoint, Fault};

use crate::support::{
    Answer, MERCHANT_KEY, ORDER_SECRET, World, order, page, paying, paying_in, sign,
};

const RECEIPT_KEY: &str = "a receipt key of the tests, 32 characters or more";

async fn world() -> World {
    World::with(|config| {
        config.access.receipt_keys = vec![Secret::from(RECEIPT_KEY), Secret::from(ORDER_SECRET)];
        config.access.merchant_keys = vec![Secret::from(RECEIPT_KEY), Secret::from(MERCHANT_KEY)];
        config.orders.allow_unsigned = true;
    })
    .await
}

/// The claims of a receipt, with one field replaced.
fn receipt_claims(transaction_id: &str, field: &str, value: Value) -> Value {
    let mut claims = json!({
        "aud": "tender-receipt",
        "sub": transaction_id,
        "exp": get_current_timestamp() + 60,
    });
    claims[field] = value;
    claims
}

#[tokio::test]
async fn a_receipt_or_a_merchant_key_cancels_a_payment() {
    let world = world().await;
    for (number, key) in [None, Some(RECEIPT_KEY), Some(MERCHANT_KEY)]
        .into_iter()
        .enumerate()
    {
        let order = order(json!({ "invoiceNumber": format!("INV-{number}") }));
        let created = world.create(&paying(&order)).await;
        let body = json!({ "transactionId": created.transaction_id() });
        let key = key.map_or_else(|| created.receipt(), str::to_owned);
        let request = world.post(path::CANCEL, &body);
        // The case of the scheme does not matter.
        let request = request.header(AUTHORIZATION, format!("bearer {key}"));
        let cancelled = Answer::to(request).await;
        assert_eq!(cancelled.status, StatusCode::OK);
        assert_eq!(cancelled.header("content-type"), "application/json");
        assert_eq!(world.payments()[0].status.text(), "Cancelled");
    }
}

#[tokio::test]
async fn another_receipt_or_key_is_refused() {
    let world = world().await;
    let mine = world
        .create(&paying(&order(json!({}))))
        .await
        .transaction_id();
    let other = world
        .create(&paying(&order(json!({ "invoiceNumber": "INV-2" }))))
        .await;
    let signed = |claims: &Value, key: &str| sign(&Header::default(), claims, key);
    let good = |field: &str, value: Value| receipt_claims(&mine, field, value);
    for token in [
        other.receipt(),
        order(json!({ "sub": mine })),
        MERCHANT_KEY.to_uppercase(),
        MERCHANT_KEY[1..].to_owned(),
        signed(&good("sub", json!(mine)), MERCHANT_KEY),
        signed(
            &good("exp", json!(get_current_timestamp() - 600)),
            RECEIPT_KEY,
        ),
        signed(&good("exp", Value::Null), RECEIPT_KEY),
        signed(&good("aud", json!("tender-order")), RECEIPT_KEY),
        signed(&good("aud", Value::Null), RECEIPT_KEY),
    ] {
        let answer = world.cancel(&mine, &token).await;
        answer.is_refused_as(ProblemCode::CredentialsInvalid);
    }
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    // A valid receipt that was signed with an old key.
    let old = signed(&good("sub", json!(mine)), ORDER_SECRET);
    assert_eq!(world.cancel(&mine, &old).await.status, StatusCode::OK);
}

/// The first receipt key, and another order key, leave the receipts valid that buyers have.
#[tokio::test]
async fn receipts_stay_valid_when_keys_change() {
    let mut world = World::persistent(|_| {}).await;
    let first = world.create(&paying(&order(json!({})))).await;
    let add = |config: &mut Config| config.access.receipt_keys = vec![Secret::from(RECEIPT_KEY)];
    let _before = world.replace_proxy(add).await;
    let second = json!({ "invoiceNumber": "INV-2" });
    let second = world.create(&paying(&order(second))).await;
    let _before = world
        .replace_proxy(|config| {
            add(config);
            config.orders.keys = vec![OrderKey::hs256(None, &Secret::from(MERCHANT_KEY))];
        })
        .await;
    for created in [first, second] {
        let status = world
            .read(&created.transaction_id(), &created.receipt())
            .await;
        assert_eq!(status.status, StatusCode::OK, "{}", status.body);
    }
}

/// Nothing but the service's list says that a payment is cancelled. Which responses are odd is tested with the rules of the
/// ledger.
#[tokio::test]
async fn an_unconfirmed_cancel_leaves_the_order_with_its_payment() {
    for (is_documented, code, other_code) in [
        (
            false,
            ProblemCode::CancelUnconfirmed,
            ProblemCode::EarlierPaymentOpen,
        ),
        // It is paid while it is cancelled.
        (
            true,
            ProblemCode::PaymentProgressed,
            ProblemCode::PaymentProgressed,
        ),
    ] {
        let world = world().await;
        let order = order(json!({}));
        let first = world.create(&paying(&order)).await;
        let id = first.transaction_id();
        let created: Value = serde_json::from_str(&first.body).unwrap();
        let mut response = json!([]);
        if is_documented {
            response = json!([created]);
            world.inject(page(&response).once());
            world.set_status(&id, "2", "Paid");
        }
        let response = Fault::respond(StatusCode::OK, response.to_string());
        world.inject(response.on(Endpoint::Cancel));
        let answer = world.cancel(&id, &first.receipt()).await;
        answer.is_refused_as(code);
        let other = world.create(&paying_in("btc", &order)).await;
        other.is_refused_as(other_code);
        assert_eq!(world.transactions(), [&*id]);
    }
}

/// Buyers see one amount and one wallet of a payment, whatever the response says.
#[tokio::test]
async fn the_response_is_the_known_record_with_its_state() {
    let world = world().await;
    let id = world
        .create(&paying(&order(json!({}))))
        .await
        .transaction_id();
    let array = format!(
        r#"[ {{"transactionId":"{id}","statusId":"1","statusText":"Created","x":1e-8}}, {{}} ]"#
    );
    world.inject(Fault::respond(StatusCode::OK, &*array).on(Endpoint::Cancel));
    let answer = world.cancel(&id, MERCHANT_KEY).await;
    let records: Value = serde_json::from_str(&answer.body).unwrap();
    let [record] = records.as_array().unwrap().as_slice() else {
        panic!("{records}");
    };
    assert_eq!(record["transactionId"], id);
    assert_eq!(record["quantityPay"], 80.645_161_3);
    assert_eq!(record["state"], "closed");
    assert_eq!(record["x"], Value::Null);
}

#[tokio::test]
async fn a_cancelled_payment_is_not_cancelled_again() {
    let world = world().await;
    let created = world.create(&paying(&order(json!({})))).await;
    let id = created.transaction_id();
    for key in [&*created.receipt(), MERCHANT_KEY, RECEIPT_KEY]
        .iter()
        .cycle()
        .take(12)
    {
        let answer = world.cancel(&id, key).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        let records: Value = serde_json::from_str(&answer.body).unwrap();
        assert_eq!(records[0]["transactionId"], id);
    }
    assert_eq!(world.calls(Endpoint::Cancel), 1);
    let again = world.cancel(&id, MERCHANT_KEY).await;
    let records: Value = serde_json::from_str(&again.body).unwrap();
    assert_eq!(records[0]["state"], "closed");
}

#[tokio::test]
async fn cancels_of_one_payment_are_limited() {
    let world = world().await;
    let begin = async |invoice: &str| {
        let order = order(json!({ "invoiceNumber": invoice }));
        world.create(&paying(&order)).await
    };
    let (mine, other) = (begin("INV-1").await, begin("INV-2").await);
    world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::Cancel));
    let (id, receipt) = (mine.transaction_id(), mine.receipt());
    for _ in 0..5 {
        let answer = world.cancel(&id, &receipt).await;
        answer.is_refused_as(ProblemCode::ServiceFailed);
    }
    let answer = world.cancel(&id, &receipt).await;
    answer.is_refused_as(ProblemCode::TooManyRequests);
    assert!(!answer.header("retry-after").is_empty());
    assert_eq!(world.calls(Endpoint::Cancel), 5);
    // The merchant's limit is its own, too.
    let answer = world.cancel(&id, MERCHANT_KEY).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
    // The limit of the other payment is its own, unless they share a bucket of the limiter.
    let answer = world.cancel_created(&other).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
}
