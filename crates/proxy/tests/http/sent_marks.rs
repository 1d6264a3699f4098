//! Tests of marks that money may have been sent for a payment, and of releasing its order.

use tender_protocol::PaymentState;

use crate::followed::sent_path;
use crate::prelude::*;

/// A mark that its page can remove: the first of a payment, or another.
fn removable(first: bool) -> Mark {
    Mark {
        first,
        removable: true,
    }
}

/// What a record says of marks.
fn sent(json: &str) -> Value {
    let record: Value = serde_json::from_str(json).unwrap();
    record["sent"].clone()
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
        assert_eq!(record["repeated"], true);
        record["sent"].clone()
    };
    assert_eq!(said().await, Value::Null);
    assert_eq!(world.mark(&payment, "first").await, removable(true));
    assert_eq!(world.mark(&payment, "second").await, removable(false));
    for (marks, secret) in [(2, Some("first")), (1, Some("second")), (0, None)] {
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
        assert_eq!(said().await, json!(true));
        assert_eq!(world.calls(Endpoint::Cancel), 0);
        // Nothing else of a buyer removes it.
        world.unmark(&payment, "another").await;
        let other = world.request(Method::DELETE, &sent_path(&payment.id, secret));
        let other = other.bearer_auth(&payment.receipt);
        let other = Answer::to(other.json(&json!({ "secret": "another" }))).await;
        other.is_refused_as(ProblemCode::InvalidRequest);
        let all = world.unmark_all(&payment, &payment.receipt).await;
        all.is_refused_as(ProblemCode::CredentialsInvalid);
        world.unmark(&payment, secret).await;
    }
}

/// A page repeats the request whose response was lost, and gets the same response.
#[tokio::test]
async fn a_repeated_mark_has_the_same_response() {
    let world = World::new().await;
    let payment = world.begin("INV-1").await;
    for _ in 0..2 {
        assert_eq!(world.mark(&payment, "first").await, removable(true));
        assert_eq!(world.mark(&payment, "second").await, removable(false));
    }
    assert_eq!(world.ledger(&[&payment.id]).await.payments[0].sent, 2);
    // The mark of one payment is none of another.
    let other = world.begin("INV-2").await;
    assert_eq!(world.mark(&other, "first").await, removable(true));
    // So is a removal.
    for _ in 0..2 {
        world.unmark(&payment, "first").await;
    }
    assert_eq!(world.mark(&payment, "second").await, removable(false));
    world.unmark(&payment, "second").await;
    assert_eq!(world.mark(&payment, "second").await, removable(true));
}

/// The page may show an earlier status: it was hidden, or nothing has reached it since.
#[tokio::test]
async fn no_mark_is_the_first_once_the_status_has_changed() {
    for status in ["Paid", "Confirming"] {
        let world = World::with(mapped_and_polled).await;
        let payment = world.begin("INV-1").await;
        assert_eq!(world.mark(&payment, "before").await, removable(true));
        world.unmark(&payment, "before").await;
        world.becomes(&payment, status);
        world.until_it_is(&payment, status).await;
        for _ in 0..2 {
            assert_eq!(world.mark(&payment, "after").await, removable(false));
        }
        assert_eq!(sent(&world.latest(&payment).await.body), json!(true));
    }
}

#[tokio::test]
async fn only_a_digest_is_a_mark() {
    let world = World::new().await;
    let payment = world.begin("INV-1").await;
    let known = sent_path(&payment.id, "secret");
    let (path, digest) = known.rsplit_once('/').unwrap();
    for digest in [&digest[1..], &digest.to_uppercase(), &"g".repeat(64)] {
        let request = world.request(Method::PUT, &format!("{path}/{digest}"));
        let refused = Answer::to(request.bearer_auth(&payment.receipt)).await;
        refused.is_refused_as(ProblemCode::InvalidRequest);
    }
    assert_eq!(world.ledger(&[&payment.id]).await.payments[0].sent, 0);
}

/// A stranger who stores all marks can't take back that of the buyer, which comes after them.
#[tokio::test]
async fn only_the_merchant_removes_the_mark_after_eight() {
    let world = World::new().await;
    let payment = world.begin("INV-1").await;
    let secrets = ["1", "2", "3", "4", "5", "6", "7", "8"];
    for secret in secrets {
        assert_eq!(world.mark(&payment, secret).await, removable(secret == "1"));
    }
    let full = Mark {
        first: false,
        removable: false,
    };
    for secret in ["9", "9", "10"] {
        assert_eq!(world.mark(&payment, secret).await, full);
    }
    assert_eq!(world.ledger(&[&payment.id]).await.payments[0].sent, 9);
    for secret in secrets.into_iter().chain(["9"]) {
        world.unmark(&payment, secret).await;
    }
    let answer = world.cancel(&payment.id, &payment.receipt).await;
    answer.is_refused_as(ProblemCode::PaymentSent);
    let removed = world.unmark_all(&payment, MERCHANT_KEY).await;
    removed.has_no_content();
    world.cancel(&payment.id, &payment.receipt).await.succeeds();
}

/// Open pages stop asking for money. The shop is not told.
#[tokio::test]
async fn streams_and_records_say_that_money_may_have_been_sent() {
    let shop = Shop::open().await;
    let world = World::with(|config| {
        mapped_and_polled(config);
        shop.receives(config);
    })
    .await;
    let payment = world.begin("INV-1").await;
    let mut listener = world.listen(&payment).await;
    let before = listener.next().await;
    assert_eq!(sent(&before.data), Value::Null);

    for secret in ["first", "second"] {
        world.mark(&payment, secret).await;
    }
    let marked = listener.next().await;
    assert_eq!(sent(&marked.data), json!(true));
    assert_eq!(world.latest(&payment).await.body, marked.data);
    let list = world.by_merchant(Method::GET, path::LIST);
    let list: Value = serde_json::from_str(&Answer::to(list).await.body).unwrap();
    assert_eq!(list[0]["sent"], true);
    // A page that reconnects hears it, too.
    let id = before.id.unwrap().to_string();
    let mut again = world.listen_after(&payment, &id).await;
    assert_eq!(again.next().await, marked);

    for secret in ["first", "second"] {
        world.unmark(&payment, secret).await;
    }
    let removed = listener.next().await;
    assert_eq!(sent(&removed.data), Value::Null);
    assert_eq!(world.latest(&payment).await.body, removed.data);

    world.mark(&payment, "third").await;
    world.becomes(&payment, "Paid");
    world.until_it_is(&payment, "Paid").await;
    let told = shop.until_received(2).await;
    let kinds: Vec<_> = told.iter().map(|told| told.kind.as_str()).collect();
    assert_eq!(kinds, ["payment.created", "payment.paid"]);
    assert_eq!(told[1].json()["data"]["sent"], Value::Null);
}

/// Money may be on its way, so only the merchant frees the order.
#[tokio::test]
async fn a_marked_payment_that_is_closed_frees_its_order_only_when_it_is_released() {
    let world = World::with(mapped_and_polled).await;
    let payment = world.begin("INV-1").await;
    world.mark(&payment, "secret").await;
    world.becomes(&payment, "Expired");
    world.until_it_is(&payment, "Expired").await;
    for _ in 0..2 {
        let refused = world.pays_in("btc").await;
        refused.is_refused_as(ProblemCode::PaymentSent);
    }
    let order = order(json!({}));
    let closed = world.find(&order).await;
    assert_eq!(closed.payment().state, Some(PaymentState::Closed));
    assert_eq!(sent(&closed.body), json!(true));
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
