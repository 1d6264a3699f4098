//! Tests that an order has at most one open payment.

use axum::http::StatusCode;
use serde_json::json;
use tender_protocol::{ProblemCode, Status, path};
use tender_sandbox::{Endpoint, Fault, Outcome};
use tokio::task::JoinSet;

use crate::support::{Answer, World, order, paying_in};

#[tokio::test]
async fn another_token_replaces_the_open_payment() {
    let world = World::new().await;
    let order = order(json!({}));
    let mut last = String::new();
    for token in ["trx", "btc", "trx"] {
        let answer = world.create(&paying_in(token, &order)).await;
        assert_eq!(answer.payment().payment_token, token.to_uppercase());
        assert_ne!(answer.transaction_id(), last);
        last = answer.transaction_id();
        assert_eq!(world.open(), [&*last]);
        // A repeat changes nothing.
        let again = world.create(&paying_in(token, &order)).await;
        assert_eq!(again.transaction_id(), last);
    }
    assert_eq!(world.payments().len(), 3);
    assert_eq!(world.calls(Endpoint::Cancel), 2);
}

/// It is in another tab, or in a page of an older version.
#[tokio::test]
async fn a_payment_is_replaced_only_by_name() {
    let world = World::new().await;
    let first = world.create(&paying_in("trx", &order(json!({})))).await;
    let other = order(json!({ "invoiceNumber": "INV-2" }));
    let other = world.create_in_another_tab(&paying_in("trx", &other)).await;
    let (id, receipt) = (first.transaction_id(), first.receipt());
    let body = |replaces: &str| {
        let mut body = paying_in("btc", &order(json!({})));
        body["replaces"] = json!(replaces);
        body
    };
    let elsewhere = world
        .create_in_another_tab(&paying_in("btc", &order(json!({}))))
        .await;
    elsewhere.is_refused_as(ProblemCode::PaymentOpen);
    for (replaces, receipt, code) in [
        (&*id, None, ProblemCode::CredentialsMissing),
        (&*id, Some(other.receipt()), ProblemCode::CredentialsInvalid),
        (
            &*other.transaction_id(),
            Some(other.receipt()),
            ProblemCode::PaymentOpen,
        ),
    ] {
        let request = world.post(path::PAYMENT, &body(replaces));
        let request = match receipt {
            Some(receipt) => request.bearer_auth(receipt),
            None => request,
        };
        Answer::to(request).await.is_refused_as(code);
    }
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    let request = world.post(path::PAYMENT, &body(&id)).bearer_auth(receipt);
    let second = Answer::to(request).await;
    assert_ne!(second.transaction_id(), id);
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

#[tokio::test]
async fn another_amount_or_price_replaces_it_too() {
    let world = World::new().await;
    let chosen = |quantity: &str| {
        let order = order(json!({ "itemNumber": "0", "quantity": null }));
        let mut body = paying_in("trx", &order);
        body["quantity"] = json!(quantity);
        body
    };
    for quantity in ["5", "6", "6.50"] {
        let answer = world.create(&chosen(quantity)).await;
        assert_eq!(world.open(), [answer.transaction_id()]);
    }
    let same = world.create(&chosen("6.5")).await;
    assert_eq!(world.open(), [same.transaction_id()]);
    let repriced = order(json!({ "quantity": "7" }));
    let answer = world.create(&paying_in("trx", &repriced)).await;
    assert_eq!(world.open(), [answer.transaction_id()]);
    assert_eq!(world.payments().len(), 4);
}

#[tokio::test]
async fn a_payment_that_cannot_be_cancelled_is_not_replaced() {
    let world = World::new().await;
    let order = order(json!({}));
    let first = world.create(&paying_in("trx", &order)).await;
    let refusal = Fault::respond(StatusCode::CONFLICT, "{}").on(Endpoint::Cancel);
    world.inject(refusal.times(2.try_into().unwrap()));
    let answer = world.cancel_created(&first).await;
    answer.is_refused_as(ProblemCode::ServiceRefused);
    let answer = world.create(&paying_in("btc", &order)).await;
    answer.is_refused_as(ProblemCode::EarlierPaymentOpen);
    assert_eq!(world.open(), [first.transaction_id()]);
    // A clear refusal: the buyer can still pay it.
    let again = world.create(&paying_in("trx", &order)).await;
    assert_eq!(again.transaction_id(), first.transaction_id());
    assert_eq!(world.calls(Endpoint::Create), 1);
}

/// After a response that is not as documented, the list says whether the payment is cancelled.
#[tokio::test]
async fn a_cancel_with_an_odd_response_is_looked_up() {
    let world = World::new().await;
    let order = order(json!({}));
    world.create(&paying_in("trx", &order)).await.record();
    world.inject(Fault::new(Outcome::Html).on(Endpoint::Cancel).once());
    let second = world.create(&paying_in("btc", &order)).await;
    assert_eq!(world.open(), [second.transaction_id()]);
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

/// The response of the earlier payment was lost.
#[tokio::test]
async fn a_payment_with_a_lost_response_is_found_and_cancelled() {
    let mut sandbox = tender_sandbox::Config::on_free_ports();
    // The service's document shows a cancelled payment with the status "Created".
    sandbox.cancelled_status = Status::Created;
    let world = World::before(sandbox, |_| {}).await;
    let order = order(json!({}));
    let lost = Fault::new(Outcome::DropAnswer).on(Endpoint::Create).once();
    world.inject(lost);
    let answer = world.create(&paying_in("usdtt", &order)).await;
    answer.is_refused_as(ProblemCode::ServiceUnreachable);
    // Without the list the state is unknown, and nothing is created.
    world.inject(Fault::new(Outcome::DropRequest).on(Endpoint::List).once());
    let answer = world.create(&paying_in("usdte", &order)).await;
    answer.is_refused_as(ProblemCode::ServiceUnreachable);
    assert_eq!(world.calls(Endpoint::Create), 1);

    // The page does not know the payment that is found, so it can't replace it before it has got it.
    let answer = world.create(&paying_in("usdte", &order)).await;
    answer.is_refused_as(ProblemCode::PaymentOpen);
    world.create(&paying_in("usdtt", &order)).await.record();
    assert_eq!(world.calls(Endpoint::Create), 1);
    let second = world.create(&paying_in("usdte", &order)).await.payment();
    assert_eq!(second.payment_token, "USDTE");
    assert_eq!(world.calls(Endpoint::Cancel), 1);
    assert_eq!(world.payments().len(), 2);
    // Choosing the first token again does not find its cancelled payment.
    let lost = Fault::new(Outcome::DropRequest).on(Endpoint::Create).once();
    world.inject(lost);
    let answer = world.create(&paying_in("usdtt", &order)).await;
    answer.is_refused_as(ProblemCode::ServiceUnreachable);
    world.create(&paying_in("usdtt", &order)).await.record();
    assert_eq!(world.payments().len(), 3);
}

#[tokio::test]
async fn of_many_concurrent_choices_one_stays_open() {
    let world = World::new().await;
    let order = order(json!({}));
    let slow = Fault::new(Outcome::Handle).hold_ms(30);
    world.inject(slow);
    let mut buyers = JoinSet::new();
    for number in 0..18 {
        let token = ["trx", "btc", "bnb"][number % 3];
        let request = world.post(path::PAYMENT, &paying_in(token, &order));
        buyers.spawn(Answer::to(request));
    }
    let mut paid = Vec::new();
    for answer in buyers.join_all().await {
        if answer.status == StatusCode::OK {
            paid.push(answer.transaction_id());
        } else {
            // Only a page that knows the open payment may replace it.
            answer.is_refused_as(ProblemCode::PaymentOpen);
        }
    }
    let open = world.open();
    assert_eq!(open.len(), 1);
    assert!(paid.contains(&open[0]));
}

#[tokio::test]
async fn a_late_repeat_of_an_earlier_choice_changes_nothing() {
    let world = World::new().await;
    let order = order(json!({}));
    let created = world.create_once("key-1", &paying_in("trx", &order)).await;
    created.record();
    // Another key for the same choice belongs to the same attempt.
    let answer = world.create_once("key-2", &paying_in("trx", &order)).await;
    answer.record();
    let second = world.create_once("key-3", &paying_in("btc", &order)).await;
    for key in ["key-1", "key-2"] {
        let late = world.create_once(key, &paying_in("trx", &order)).await;
        late.is_refused_as(ProblemCode::AttemptEnded);
        let other = world.create_once(key, &paying_in("bnb", &order)).await;
        other.is_refused_as(ProblemCode::AttemptMismatch);
    }
    assert_eq!(world.open(), [second.transaction_id()]);
}
