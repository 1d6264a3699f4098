//! Tests of what a holder of an order may see of its payment, and do.

use axum::http::StatusCode;
use jsonwebtoken::{Header, get_current_timestamp};
use reqwest::Method;
use serde_json::json;
use tender_protocol::{ProblemCode, path};
use tender_sandbox::Endpoint;

use crate::bodies::claims;
use crate::followed::{Followed, mapped};
use crate::support::{Answer, MERCHANT_KEY, World, order, paying, paying_in, sign};

const DAY: u64 = 24 * 60 * 60;

/// The order of a test, signed again a time after its `exp`.
fn expired(ago: u64) -> String {
    order(json!({ "exp": get_current_timestamp() - ago }))
}

#[tokio::test]
async fn an_expired_order_only_reads() {
    let world = World::with(mapped).await;
    let none = world.find(&expired(60)).await;
    none.is_refused_as(ProblemCode::OrderExpired);
    let created = world.create(&paying(&order(json!({})))).await;
    let id = created.transaction_id();
    let answer = world.find(&expired(29 * DAY)).await;
    let found = answer.found();
    assert_eq!(answer.payment(), created.payment());
    assert!(found.read_only);
    assert_eq!(world.read(&id, &found.receipt).await.transaction_id(), id);
    let event = world.listen(&Followed::from(&answer)).await.next().await;
    assert!(event.data.contains(&id), "{}", event.data);

    let cancelled = world.cancel(&id, &found.receipt).await;
    cancelled.is_refused_for(ProblemCode::OrderExpired, "only be read");
    let marked = world
        .sent(Method::POST, &id, &found.receipt, json!({}))
        .await;
    marked.is_refused_as(ProblemCode::OrderExpired);
    let mut body = paying_in("btc", &order(json!({})));
    body["replaces"] = json!(id);
    let replaced = world.post(path::PAYMENT, &body).bearer_auth(&found.receipt);
    Answer::to(replaced)
        .await
        .is_refused_as(ProblemCode::OrderExpired);
    let again = world.create_in_another_tab(&paying(&expired(DAY))).await;
    again.is_refused_as(ProblemCode::OrderExpired);
    assert_eq!(world.open(), [&*id]);
    assert_eq!(world.calls(Endpoint::Cancel), 0);

    let late = world.find(&expired(30 * DAY + 60)).await;
    late.is_refused_as(ProblemCode::OrderExpired);
}

#[tokio::test]
async fn only_an_order_of_the_shop_leads_to_its_payment() {
    let world = World::new().await;
    let order = order(json!({}));
    let created = world.create(&paying(&order)).await;
    let (head, _) = order.rsplit_once('.').unwrap();
    let forged = sign(
        &Header::default(),
        &claims(json!({})),
        "a key of another shop, 32 characters or more",
    );
    for (credential, code) in [
        (&*forged, ProblemCode::OrderSignatureInvalid),
        (&format!("{head}."), ProblemCode::OrderSignatureInvalid),
        (&created.receipt(), ProblemCode::OrderSignatureInvalid),
        (MERCHANT_KEY, ProblemCode::OrderMalformed),
    ] {
        world.find(credential).await.is_refused_as(code);
    }
    let missing = world.get(path::PAYMENT).await;
    missing.is_refused_as(ProblemCode::CredentialsMissing);
    let in_query = world.get(&format!("{}?order={order}", path::PAYMENT)).await;
    in_query.is_refused_as(ProblemCode::CredentialsMissing);
    let other = crate::support::order(json!({ "invoiceNumber": "INV-2" }));
    let other = world.find(&other).await;
    other.is_no_payment();
}

/// The order's other holder may have got it by a forwarded link.
#[tokio::test]
async fn who_has_only_the_order_does_not_see_the_buyer() {
    let world = World::with(mapped).await;
    let order = order(json!({}));
    let mut body = paying(&order);
    body["purchaseEmail"] = json!("ada@buyer.example");
    body["purchaseName"] = json!("Ada");
    let created = world.create_once("key-1", &body).await;
    let id = created.transaction_id();
    let hides = |answer: &Answer| {
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
        answer.has(&id);
        answer.has_no("Ada");
        answer.has_no("ada@");
    };
    let found = world.find(&order).await;
    hides(&found);
    // A repeated request gets them only if it sends them.
    let repeated = world.create_in_another_tab(&paying(&order)).await;
    hides(&repeated);
    let own = world.create_once("key-1", &body).await.payment();
    assert_eq!(own.purchase_name.as_deref(), Some("Ada"));
    for answer in [&found, &repeated] {
        let followed = Followed::from(answer);
        hides(&world.latest(&followed).await);
        let event = world.listen(&followed).await.next().await;
        assert!(event.data.contains(&id) && !event.data.contains("ada@"));
    }
    let own = world.read(&id, &created.receipt()).await;
    own.has("ada@");
    hides(&world.cancel(&id, &found.receipt()).await);
}
