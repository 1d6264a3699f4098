//! Tests that an order has at most one open payment.

use futures_util::future::join_all;
use tender_protocol::Status;

use crate::prelude::*;

#[tokio::test]
async fn another_token_amount_or_price_replaces_the_open_payment() {
    let world = World::new().await;
    let chosen = |quantity: &str| {
        let order = order(json!({ "itemNumber": "0", "quantity": null }));
        let mut body = paying_in("trx", &order);
        body["quantity"] = json!(quantity);
        body
    };
    let mut last = String::new();
    for body in [
        paying_in("trx", &order(json!({}))),
        paying_in("btc", &order(json!({}))),
        paying_in("trx", &order(json!({}))),
        paying_in("trx", &order(json!({ "quantity": "7" }))),
        chosen("5"),
        chosen("6"),
        chosen("6.50"),
    ] {
        let answer = world.create(&body).await;
        let token = answer.payment().payment_token.to_lowercase();
        assert_eq!(body["paymentToken"], token);
        assert_ne!(answer.transaction_id(), last);
        last = answer.transaction_id();
        assert_eq!(world.open(), [&*last]);
        // A repeat changes nothing.
        assert_eq!(world.create(&body).await.transaction_id(), last);
    }
    let same = world.create(&chosen("6.5")).await;
    assert_eq!(same.transaction_id(), last);
    assert_eq!(world.payments().len(), 7);
    assert_eq!(world.calls(Endpoint::Cancel), 6);
}

/// It is in another tab, or in a page of an older version.
#[tokio::test]
async fn a_payment_is_replaced_only_by_name() {
    let world = World::new().await;
    let Followed { id, receipt, .. } = world.begin("INV-1").await;
    let other = world.begin("INV-2").await;
    let another_tab = paying_in("btc", &order(json!({})));
    let elsewhere = world.create_in_another_tab(&another_tab).await;
    elsewhere.is_refused_as(ProblemCode::PaymentOpen);
    let replacing = |id: &str| world.replacing(id, another_tab.clone());
    let unnamed = Answer::to(replacing(&id)).await;
    unnamed.is_refused_as(ProblemCode::CredentialsMissing);
    for (replaces, code) in [
        (&id, ProblemCode::CredentialsInvalid),
        (&other.id, ProblemCode::PaymentOpen),
    ] {
        let request = replacing(replaces).bearer_auth(&other.receipt);
        Answer::to(request).await.is_refused_as(code);
    }
    assert_eq!(world.calls(Endpoint::Cancel), 0);
    let second = Answer::to(replacing(&id).bearer_auth(receipt)).await;
    assert_ne!(second.transaction_id(), id);
    assert_eq!(world.calls(Endpoint::Cancel), 1);
}

#[tokio::test]
async fn a_payment_that_cannot_be_cancelled_is_not_replaced() {
    let world = World::new().await;
    let first = world.begin("INV-1").await;
    let refusal = responds(Endpoint::Cancel, StatusCode::CONFLICT, "{}");
    world.inject(refusal.times(2.try_into().unwrap()));
    let answer = world.cancel(&first.id, &first.receipt).await;
    answer.is_refused_as(ProblemCode::ServiceRefused);
    let answer = world.pays_in("btc").await;
    answer.is_refused_as(ProblemCode::EarlierPaymentOpen);
    assert_eq!(world.open(), [&*first.id]);
    // A clear refusal: the buyer can still pay it.
    assert_eq!(world.pays_in("trx").await.transaction_id(), first.id);
    assert_eq!(world.calls(Endpoint::Create), 1);
    // After a response that is not as documented, the list says whether the payment is cancelled.
    world.inject(Fault::new(Outcome::Html).on(Endpoint::Cancel).once());
    let second = world.pays_in("btc").await.transaction_id();
    assert_eq!(world.open(), [second]);
    assert_eq!(world.calls(Endpoint::Cancel), 3);
}

/// The response of the earlier payment was lost.
#[tokio::test]
async fn a_payment_with_a_lost_response_is_found_and_cancelled() {
    let mut sandbox = tender_sandbox::Config::on_free_ports();
    // The service's document shows a cancelled payment with the status "Created".
    sandbox.cancelled_status = Status::Created;
    let world = World::before(sandbox, |_| {}).await;
    let lose = async |endpoint, outcome, token| {
        world.inject(Fault::new(outcome).on(endpoint).once());
        let answer = world.pays_in(token).await;
        answer.is_refused_as(ProblemCode::ServiceUnreachable);
    };
    lose(Endpoint::Create, Outcome::DropAnswer, "usdtt").await;
    // Without the list the state is unknown, and nothing is created.
    lose(Endpoint::List, Outcome::DropRequest, "usdte").await;
    assert_eq!(world.calls(Endpoint::Create), 1);

    // The page does not know the payment that is found, so it can't replace it before it has got it.
    let answer = world.pays_in("usdte").await;
    answer.is_refused_as(ProblemCode::PaymentOpen);
    world.pays_in("usdtt").await.record();
    assert_eq!(world.calls(Endpoint::Create), 1);
    let second = world.pays_in("usdte").await.payment();
    assert_eq!(second.payment_token, "USDTE");
    assert_eq!(world.calls(Endpoint::Cancel), 1);
    assert_eq!(world.payments().len(), 2);
    // Choosing the first token again does not find its cancelled payment.
    lose(Endpoint::Create, Outcome::DropRequest, "usdtt").await;
    world.pays_in("usdtt").await.record();
    assert_eq!(world.payments().len(), 3);
}

#[tokio::test]
async fn of_many_concurrent_choices_one_stays_open() {
    let world = World::new().await;
    let order = order(json!({}));
    world.inject(Fault::new(Outcome::Handle).hold_ms(30));
    let choices = ["trx", "btc", "bnb"].map(|token| paying_in(token, &order));
    let buyers = choices.iter().cycle().take(18);
    let buyers = buyers.map(|body| world.create_in_another_tab(body));
    let mut paid = Vec::new();
    for answer in join_all(buyers).await {
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
    let choice = paying_in("trx", &order(json!({ "exp": 4_000_000_000_u64 })));
    let created = world.create_once("key-1", &choice).await;
    // Signed again, with another key and another buyer field, it is the same choice and belongs to the same attempt.
    let mut again = paying_in("trx", &order(json!({ "exp": 4_000_000_001_u64 })));
    again["purchaseName"] = json!("A");
    let repeated = world.create_once("key-2", &again).await;
    assert_eq!(repeated.payment(), created.payment());
    let order = order(json!({}));
    let second = world.create_once("key-3", &paying_in("btc", &order)).await;
    for (key, choice) in [("key-1", choice), ("key-2", again)] {
        let late = world.create_once(key, &choice).await;
        late.is_refused_as(ProblemCode::AttemptEnded);
        let other = world.create_once(key, &paying_in("bnb", &order)).await;
        other.is_refused_as(ProblemCode::AttemptMismatch);
    }
    assert_eq!(world.open(), [second.transaction_id()]);
}
