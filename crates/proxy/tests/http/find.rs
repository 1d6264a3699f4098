//! Tests that a signed order leads to its payment, on any device.

use axum::http::StatusCode;
use reqwest::Method;
use serde_json::json;
use tender_protocol::{FoundFields, PaymentState, ProblemCode, path};
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::followed::{Followed, mapped, mapped_and_polled};
use crate::lost_responses::foreign;
use crate::support::{Answer, MERCHANT_KEY, World, order, paying, paying_in};

impl Answer {
    pub(crate) fn is_no_payment(&self) {
        assert_eq!(self.status, StatusCode::NO_CONTENT, "{}", self.body);
    }

    pub(crate) fn found(&self) -> FoundFields {
        assert_eq!(self.status, StatusCode::OK, "{}", self.body);
        FoundFields::parse(&self.body).unwrap()
    }
}

#[tokio::test]
async fn an_order_leads_to_its_payment_on_any_device() {
    let world = World::with(mapped).await;
    let order = order(json!({}));
    let none = world.find(&order).await;
    none.is_no_payment();
    let created = world.create(&paying_in("usdte", &order)).await;
    let answer = world.find(&order).await;
    assert_eq!(answer.header("cache-control"), "no-store");
    let found = answer.found();
    assert_eq!(answer.payment(), created.payment());
    assert_eq!(answer.payment().state, Some(PaymentState::Open));
    assert_eq!(found.payment_token_code.as_str(), "usdte");
    assert!(!found.sent && !found.outdated && !found.read_only);
    // It may cancel the payment, as the receipt of its creation may.
    let (id, receipt) = (created.transaction_id(), found.receipt);
    world.cancel(&id, &receipt).await.succeeds();
    let closed = world.find(&order).await;
    assert_eq!(closed.transaction_id(), id);
    assert_eq!(closed.payment().state, Some(PaymentState::Closed));
    assert_eq!(world.calls(Endpoint::Create), 1);
}

#[tokio::test]
async fn it_is_read_again_before_it_is_shown() {
    let mut world = World::persistent(mapped).await;
    let id = world.begin("INV-1").await.id;
    world.set_status(&id, "2", "Paid");
    // Another instance has not seen it in the list.
    assert!(world.replace_proxy(|_| {}).await.stop().await);
    let paid = world.find(&order(json!({}))).await;
    assert_eq!(paid.payment().state, Some(PaymentState::Paid));
    // Then only the database is asked.
    let calls = world.calls(Endpoint::List);
    world.find(&order(json!({}))).await.found();
    assert_eq!(world.calls(Endpoint::List), calls);
}

#[tokio::test]
async fn a_paid_payment_comes_first_and_a_released_one_never() {
    let world = World::with(mapped_and_polled).await;
    let order = order(json!({}));
    let created = Followed::from(&world.create(&paying_in("trx", &order)).await);
    let first = created.id.clone();
    let second = world
        .create(&paying_in("btc", &order))
        .await
        .transaction_id();
    assert_eq!(world.find(&order).await.transaction_id(), second);
    world.release(&second, MERCHANT_KEY).await;
    // The one before it is closed.
    let found = world.find(&order).await;
    assert_eq!(found.transaction_id(), first);
    assert_eq!(found.payment().state, Some(PaymentState::Closed));
    // It is paid after all.
    let third = world.create_in_another_tab(&paying_in("bnb", &order)).await;
    assert_eq!(
        world.find(&order).await.transaction_id(),
        third.transaction_id()
    );
    world.becomes(&created, "Paid");
    world.until_it_is(&created, "Paid").await;
    let paid = world.find(&order).await;
    assert_eq!(paid.transaction_id(), first);
    assert_eq!(paid.payment().state, Some(PaymentState::Paid));
}

/// A closed payment that the merchant has released may have been marked, so nothing else says that it is released.
#[tokio::test]
async fn a_payment_that_was_released_when_it_was_closed_is_not_shown() {
    let world = World::with(mapped_and_polled).await;
    let order = order(json!({}));
    let created = world.create(&paying(&order)).await;
    let id = created.transaction_id();
    world
        .sent(Method::POST, &id, &created.receipt(), json!({}))
        .await;
    let created = Followed::from(&created);
    world.becomes(&created, "Expired");
    world.until_it_is(&created, "Expired").await;
    let refused = world.create(&paying_in("btc", &order)).await;
    refused.is_refused_as(ProblemCode::PaymentSent);
    let closed = world.find(&order).await;
    assert_eq!(closed.payment().state, Some(PaymentState::Closed));
    assert!(closed.found().sent);
    world.release(&id, MERCHANT_KEY).await;
    let none = world.find(&order).await;
    none.is_no_payment();
}

/// The page names it in `replaces`, but does not show it as the order's.
#[tokio::test]
async fn a_payment_for_another_price_or_currency_is_outdated() {
    let world = World::new().await;
    let first = order(json!({}));
    let id = world.create(&paying(&first)).await.transaction_id();
    for (is_outdated, fields) in [
        (false, json!({ "quantity": "25" })),
        (
            false,
            json!({ "quantity": "25.00", "returnUrl": "https://shop.example" }),
        ),
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
    let mut body = paying(&dearer);
    body["replaces"] = json!(id);
    let replaced = world.post(path::PAYMENT, &body).bearer_auth(receipt);
    let replaced = Answer::to(replaced).await.transaction_id();
    assert_eq!(world.open(), [&*replaced]);
    let found = world.find(&dearer).await;
    assert_eq!(found.transaction_id(), replaced);
    assert!(!found.found().outdated);
}

#[tokio::test]
async fn the_amount_that_the_payer_chose_is_not_outdated() {
    let world = World::new().await;
    let suggesting = |quantity: &str| order(json!({ "itemNumber": "0", "quantity": quantity }));
    let mut body = paying(&suggesting("5"));
    body["quantity"] = json!("7.5");
    let id = world.create(&body).await.transaction_id();
    let found = world.find(&suggesting("6")).await;
    assert_eq!(found.transaction_id(), id);
    assert!(!found.found().outdated);
}

/// No buyer was shown a payment, so a create request finds out what became of it.
#[tokio::test]
async fn an_attempt_in_doubt_is_no_payment() {
    let world = World::new().await;
    let order = order(json!({}));
    let lost = Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once();
    world.inject(lost);
    let created = world.create(&paying(&order)).await;
    created.is_refused_as(ProblemCode::ServiceUnreachable);
    let none = world.find(&order).await;
    none.is_no_payment();
    let created = world.create(&paying(&order)).await;
    assert_eq!(world.calls(Endpoint::Create), 1);
    let found = world.find(&order).await;
    assert_eq!(found.transaction_id(), created.transaction_id());
}

/// The buyer may have sent money, and is shown the payment with the state `unknown`.
#[tokio::test]
async fn a_payment_whose_cancellation_is_in_doubt_is_unknown() {
    let world = World::with(mapped).await;
    let payment = world.begin("INV-1").await;
    // Nothing is cancelled: the list, which is polled, would show it.
    world.inject(Fault::new(Outcome::DropRequest).on(Endpoint::Cancel));
    let answer = world.cancel(&payment.id, &payment.receipt).await;
    assert!(answer.status.is_server_error());
    let found = world.find(&order(json!({}))).await;
    assert_eq!(found.transaction_id(), payment.id);
    assert_eq!(found.payment().state, Some(PaymentState::Unknown));
}

#[tokio::test]
async fn fields_of_the_service_are_not_taken_for_those_of_the_proxy() {
    let world = World::new().await;
    let order = order(json!({}));
    let record = foreign(&json!({
        "sent": true, "outdated": true, "readOnly": true, "orderPaid": true, "paymentTokenCode": "btc",
    }));
    let odd = Fault::respond(StatusCode::OK, record.to_string());
    world.inject(odd.on(Endpoint::Create).once());
    world.create(&paying(&order)).await.record();
    let answer = world.find(&order).await;
    let found = answer.found();
    assert!(!found.sent && !found.outdated && !found.read_only);
    assert_eq!(found.payment_token_code.as_str(), "trx");
    answer.has_no("orderPaid");
}
