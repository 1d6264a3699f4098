//! Tests that a signed order leads to its payment, on any device, and of what its holder may see and do.

use jsonwebtoken::{Header, get_current_timestamp};
use tender_protocol::{FoundFields, PaymentState};

use crate::bodies::claims;
use crate::lost_responses::foreign;
use crate::prelude::*;

const DAY: u64 = 24 * 60 * 60;

/// The order of a test, signed again a time after its `exp`.
fn expired(ago: u64) -> String {
    order(json!({ "exp": get_current_timestamp() - ago }))
}

impl Answer {
    pub(crate) fn found(&self) -> FoundFields {
        self.succeeds();
        FoundFields::parse(&self.body).unwrap()
    }
}

#[tokio::test]
async fn an_order_leads_to_its_payment_on_any_device() {
    let world = World::with(mapped).await;
    let order = order(json!({}));
    world.find(&order).await.has_no_content();
    let created = world.create(&paying_in("usdte", &order)).await;
    let answer = world.find(&order).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let found = answer.found();
    assert_eq!(answer.payment(), created.payment());
    assert_eq!(answer.payment().state, Some(PaymentState::Open));
    assert_eq!(found.payment_token_code.as_str(), "usdte");
    assert!(!found.outdated && !found.read_only);
    answer.has_no("sent");
    // It may cancel the payment, as the receipt of its creation may.
    let (id, receipt) = (created.transaction_id(), found.receipt);
    world.cancel(&id, &receipt).await.succeeds();
    let closed = world.find(&order).await;
    assert_eq!(closed.transaction_id(), id);
    assert_eq!(closed.payment().state, Some(PaymentState::Closed));
    assert_eq!(world.calls(Endpoint::Create), 1);
}

#[tokio::test]
async fn a_paid_payment_comes_first_and_a_released_one_never() {
    let world = World::with(mapped_and_polled).await;
    let order = order(json!({}));
    let first = world.begin("INV-1").await;
    let second = world.pays_in("btc").await.transaction_id();
    assert_eq!(world.find(&order).await.transaction_id(), second);
    world.release(&second, MERCHANT_KEY).await;
    // The one before it is closed.
    let found = world.find(&order).await;
    assert_eq!(found.transaction_id(), first.id);
    assert_eq!(found.payment().state, Some(PaymentState::Closed));
    // It is paid after all.
    let third = world.create_in_another_tab(&paying_in("bnb", &order)).await;
    let found = world.find(&order).await;
    assert_eq!(found.transaction_id(), third.transaction_id());
    world.becomes(&first, "Paid");
    world.until_it_is(&first, "Paid").await;
    let paid = world.find(&order).await;
    assert_eq!(paid.transaction_id(), first.id);
    assert_eq!(paid.payment().state, Some(PaymentState::Paid));
}

/// The page names it in `replaces`, but does not show it as the order's.
#[tokio::test]
async fn a_payment_for_another_price_or_currency_is_outdated() {
    let world = World::new().await;
    let id = world.begin("INV-1").await.id;
    for (is_outdated, fields) in [
        (false, json!({ "quantity": "25" })),
        (false, json!({ "returnUrl": "https://shop.example" })),
        (true, json!({ "quantity": "26.00" })),
        (true, json!({ "token": "usdte" })),
        (true, json!({ "itemNumber": "2" })),
    ] {
        let found = world.find(&order(fields.clone())).await;
        assert_eq!(found.transaction_id(), id);
        assert_eq!(found.found().outdated, is_outdated, "{fields}");
    }
    let dearer = order(json!({ "quantity": "26.00" }));
    let receipt = world.find(&dearer).await.found().receipt;
    let replaced = world.replacing(&id, paying(&dearer)).bearer_auth(receipt);
    let replaced = Answer::to(replaced).await.transaction_id();
    assert_eq!(world.open(), [&*replaced]);
    let found = world.find(&dearer).await;
    assert_eq!(found.transaction_id(), replaced);
    assert!(!found.found().outdated);

    // The payer may choose another amount than the suggested one.
    let suggesting = |quantity: &str| {
        order(json!({ "itemNumber": "0", "quantity": quantity, "invoiceNumber": "INV-2" }))
    };
    let mut body = paying(&suggesting("5"));
    body["quantity"] = json!("7.5");
    let id = world.create(&body).await.transaction_id();
    let found = world.find(&suggesting("6")).await;
    assert_eq!(found.transaction_id(), id);
    assert!(!found.found().outdated);
}

#[tokio::test]
async fn fields_of_the_service_are_not_taken_for_those_of_the_proxy() {
    let world = World::new().await;
    let order = order(json!({}));
    let record = foreign(&json!({
        "sent": true, "outdated": true, "readOnly": true, "orderPaid": true, "paymentTokenCode": "btc",
    }));
    world.inject(responds(Endpoint::Create, StatusCode::OK, &record).once());
    world.create(&paying(&order)).await.record();
    let answer = world.find(&order).await;
    let found = answer.found();
    assert!(!found.outdated && !found.read_only);
    answer.has_no("sent");
    assert_eq!(found.payment_token_code.as_str(), "trx");
    answer.has_no("orderPaid");
}

#[tokio::test]
async fn an_expired_order_only_reads() {
    let world = World::with(mapped).await;
    let none = world.find(&expired(60)).await;
    none.is_refused_as(ProblemCode::OrderExpired);
    let created = world.pays_in("trx").await;
    let answer = world.find(&expired(29 * DAY)).await;
    assert_eq!(answer.payment(), created.payment());
    assert!(answer.found().read_only);
    let found = Followed::from(&answer);
    let Followed { id, receipt, .. } = &found;
    assert_eq!(world.latest(&found).await.transaction_id(), *id);
    let event = world.listen(&found).await.next().await;
    assert!(event.data.contains(id), "{}", event.data);

    let cancelled = world.cancel(id, receipt).await;
    cancelled.is_refused_for(ProblemCode::OrderExpired, "only be read");
    let other = paying_in("btc", &order(json!({})));
    let replaced = world.replacing(id, other).bearer_auth(receipt);
    for refused in [
        Answer::to(world.marks(&found, "secret")).await,
        Answer::to(replaced).await,
        world.create_in_another_tab(&paying(&expired(DAY))).await,
        world.find(&expired(30 * DAY + 60)).await,
    ] {
        refused.is_refused_as(ProblemCode::OrderExpired);
    }
    assert_eq!(world.open(), [&**id]);
    assert_eq!(world.calls(Endpoint::Cancel), 0);
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
    world.find(&other).await.has_no_content();
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
        answer.succeeds();
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
