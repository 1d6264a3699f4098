//! Tests of access to cancel.

use futures_util::future::join_all;
use jsonwebtoken::{Header, get_current_timestamp};
use reqwest::header::AUTHORIZATION;
use tender_proxy::OrderKey;

use crate::prelude::*;

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
    for (invoice, key) in [
        ("INV-1", None),
        ("INV-2", Some(RECEIPT_KEY)),
        ("INV-3", Some(MERCHANT_KEY)),
    ] {
        let payment = world.begin(invoice).await;
        let body = json!({ "transactionId": payment.id });
        let request = world.post(path::CANCEL, &body);
        // The case of the scheme does not matter.
        let credential = format!("bearer {}", key.unwrap_or(&payment.receipt));
        let cancelled = Answer::to(request.header(AUTHORIZATION, credential)).await;
        cancelled.succeeds();
        assert_eq!(cancelled.header("content-type"), "application/json");
        assert_eq!(world.payments()[0].status.text(), "Cancelled");
    }
}

#[tokio::test]
async fn another_receipt_or_key_is_refused() {
    let world = world().await;
    let mine = world.begin("INV-1").await.id;
    let other = world.begin("INV-2").await;
    let signed = |field: &str, value: Value, key: &str| {
        sign(
            &Header::default(),
            &receipt_claims(&mine, field, value),
            key,
        )
    };
    let past = get_current_timestamp() - 600;
    for token in [
        other.receipt,
        order(json!({ "sub": mine })),
        MERCHANT_KEY.to_uppercase(),
        MERCHANT_KEY[1..].to_owned(),
        signed("sub", json!(mine), MERCHANT_KEY),
        signed("exp", json!(past), RECEIPT_KEY),
        signed("exp", Value::Null, RECEIPT_KEY),
        signed("aud", json!("tender-order"), RECEIPT_KEY),
        signed("aud", Value::Null, RECEIPT_KEY),
    ] {
        let answer = world.cancel(&mine, &token).await;
        answer.is_refused_as(ProblemCode::CredentialsInvalid);
    }
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    // A valid receipt that was signed with an old key.
    let old = signed("sub", json!(mine), ORDER_SECRET);
    world.cancel(&mine, &old).await.succeeds();
}

/// The first receipt key, and another order key, leave the receipts valid that buyers have.
#[tokio::test]
async fn receipts_stay_valid_when_keys_change() {
    let mut world = World::persistent(|_| {}).await;
    let first = world.begin("INV-1").await;
    let add = |config: &mut Config| config.access.receipt_keys = vec![Secret::from(RECEIPT_KEY)];
    let _before = world.replace_proxy(add).await;
    let second = world.begin("INV-2").await;
    let change = |config: &mut Config| {
        add(config);
        config.orders.keys = vec![OrderKey::hs256(None, &Secret::from(MERCHANT_KEY))];
    };
    let _before = world.replace_proxy(change).await;
    for payment in [first, second] {
        world.latest(&payment).await.succeeds();
    }
}

/// Nothing but the service's list says that a payment is cancelled. Which responses are odd is tested with the rules of the
/// ledger.
#[tokio::test]
async fn an_unconfirmed_cancel_leaves_the_order_with_its_payment() {
    use ProblemCode::{CancelUnconfirmed, EarlierPaymentOpen, PaymentProgressed};
    for (is_documented, code, other_code) in [
        (false, CancelUnconfirmed, EarlierPaymentOpen),
        // It is paid while it is cancelled.
        (true, PaymentProgressed, PaymentProgressed),
    ] {
        let world = world().await;
        let payment = world.begin("INV-1").await;
        let mut response = json!([]);
        if is_documented {
            response = json!([payment.with_status("1", "Created")]);
            world.inject(page(&response).once());
            world.set_status(&payment.id, "2", "Paid");
        }
        world.inject(responds(Endpoint::Cancel, StatusCode::OK, &response));
        let answer = world.cancel(&payment.id, &payment.receipt).await;
        answer.is_refused_as(code);
        world.pays_in("btc").await.is_refused_as(other_code);
        assert_eq!(world.transactions(), [payment.id]);
    }
}

/// The amount and the wallet stay those that the buyer was shown, even if the list or the response has others. A cancelled
/// payment is not cancelled again.
#[tokio::test]
async fn the_response_is_the_known_record_with_its_state() {
    for (status, calls) in [("Created", 1), ("Cancelled", 0)] {
        let world = world().await;
        let payment = world.begin("INV-1").await;
        let mut listed = payment.with_status("1", status);
        listed["quantityPay"] = json!(9999);
        world.inject(page(json!([listed])));
        listed["x"] = json!(1e-8);
        let response = json!([listed, {}]);
        world.inject(responds(Endpoint::Cancel, StatusCode::OK, response));
        for answer in [world.pays_in("trx").await, world.latest(&payment).await] {
            answer.succeeds();
            answer.has_no("9999");
        }
        for key in [&*payment.receipt, MERCHANT_KEY, RECEIPT_KEY]
            .iter()
            .cycle()
            .take(12)
        {
            let answer = world.cancel(&payment.id, key).await;
            answer.succeeds();
            let records: Value = serde_json::from_str(&answer.body).unwrap();
            let [record] = records.as_array().unwrap().as_slice() else {
                panic!("{records}");
            };
            assert_eq!(record["transactionId"], payment.id);
            assert_eq!(record["quantityPay"], 80.645_161_3);
            assert_eq!(record["state"], "closed");
            assert_eq!(record["x"], Value::Null);
        }
        world.latest(&payment).await.has_no("9999");
        assert_eq!(world.calls(Endpoint::Cancel), calls, "{status}");
    }
}

/// Several requests at once for a payment that was created elsewhere.
#[tokio::test]
async fn a_payment_of_elsewhere_is_cancelled_once() {
    let world = world().await;
    let id = world.create_elsewhere("INV-9").await;
    let cancels = (0..6).map(|_| world.cancel(&id, MERCHANT_KEY));
    for answer in join_all(cancels).await {
        answer.succeeds();
    }
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

#[tokio::test]
async fn cancels_of_one_payment_are_limited() {
    let world = world().await;
    let (mine, other) = (world.begin("INV-1").await, world.begin("INV-2").await);
    world.inject(Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::Cancel));
    for _ in 0..5 {
        let answer = world.cancel(&mine.id, &mine.receipt).await;
        answer.is_refused_as(ProblemCode::ServiceFailed);
    }
    let answer = world.cancel(&mine.id, &mine.receipt).await;
    answer.is_refused_as(ProblemCode::TooManyRequests);
    assert!(!answer.header("retry-after").is_empty());
    assert_eq!(world.calls(Endpoint::Cancel), 5);
    // The merchant's limit is its own, and that of the other payment, unless they share a bucket of the limiter.
    for (id, key) in [(&mine.id, MERCHANT_KEY), (&other.id, &*other.receipt)] {
        let answer = world.cancel(id, key).await;
        answer.is_refused_as(ProblemCode::ServiceFailed);
    }
}
