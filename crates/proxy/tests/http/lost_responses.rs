//! Tests of attempts whose call to the service fails.

use futures_util::future::join_all;

use crate::log::Log;
use crate::prelude::*;

pub(crate) fn on_create(outcome: Outcome) -> Fault {
    Fault::new(outcome).on(Endpoint::Create).once()
}

/// Sends a create request while the service closes the connection without a response.
pub(crate) async fn lose(world: &World, outcome: Outcome, body: &Value) {
    world.inject(on_create(outcome));
    let answer = world.create(body).await;
    answer.is_refused_as(ProblemCode::ServiceUnreachable);
}

/// The payment was created, and the repeat finds it.
#[tokio::test]
async fn a_payment_without_a_usable_response_is_found() {
    use ProblemCode::{ServiceTimeout, ServiceUnreachable, ServiceUnreadable};
    let held = on_create(Outcome::Handle).hold_ms(60_000);
    for (fault, code) in [
        (on_create(Outcome::DropAnswer), ServiceUnreachable),
        (held, ServiceTimeout),
        (on_create(Outcome::Html), ServiceUnreadable),
        (on_create(Outcome::Truncate), ServiceUnreadable),
    ] {
        let world = World::with(|config| config.upstream.timeout = Duration::from_secs(2)).await;
        world.inject(fault);
        let body = paying(&order(json!({})));
        world.create(&body).await.is_refused_as(code);
        assert_eq!(world.payments().len(), 1);
        // No buyer was shown it, so a create request finds out what became of it.
        let none = world.find(&order(json!({}))).await;
        none.has_no_content();

        let found = world.create(&body).await;
        assert_eq!(world.transactions(), [found.transaction_id()]);
        assert_eq!(world.calls(Endpoint::Create), 1);
        // Once found, it is a result like any other.
        assert_eq!(world.create(&body).await.payment(), found.payment());
        // The first page, and the end of the list.
        assert_eq!(world.calls(Endpoint::List), 2);
        let known = world.find(&order(json!({}))).await;
        assert_eq!(known.payment(), found.payment());
        world.cancel_created(&found).await.succeeds();
    }
}

#[tokio::test]
async fn a_payment_missing_from_the_list_is_created() {
    for token in ["trx", "btc"] {
        let world = World::new().await;
        let body = paying(&order(json!({})));
        let failed = Fault::respond(StatusCode::BAD_GATEWAY, "{}");
        for fault in [Fault::new(Outcome::DropRequest), failed] {
            world.inject(fault.on(Endpoint::Create).once());
            assert!(world.create(&body).await.status.is_server_error());
        }
        assert_eq!(world.payments().len(), 0);
        let created = world.create(&paying_in(token, &order(json!({})))).await;
        assert_eq!(world.transactions(), [created.transaction_id()]);
        // While the list is empty, the page before it is read, too.
        assert_eq!(world.calls(Endpoint::List), 4);
        assert_eq!(world.calls(Endpoint::Cancel), 0);
    }
}

#[tokio::test]
async fn a_refusal_ends_the_attempt() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    world.inject(responds(Endpoint::Create, StatusCode::BAD_REQUEST, "{}").once());
    let refused = world.create_once("key-1", &plain(json!({}))).await;
    refused.is_refused_as(ProblemCode::ServiceRefused);
    // The key can be used with another body, and no search is needed.
    let other = plain(json!({ "quantity": "3" }));
    world.create_once("key-1", &other).await.record();
    assert_eq!(world.calls(Endpoint::List), 0);
}

/// A 4xx response that may follow an executed request is no refusal. Which ones are is tested with the rules of the ledger.
#[tokio::test]
async fn a_doubtful_refusal_does_not_end_the_attempt() {
    let world = World::new().await;
    let body = paying(&order(json!({})));
    world.inject(responds(Endpoint::Create, StatusCode::CONFLICT, "{}").once());
    let doubtful = world.create(&body).await;
    doubtful.is_refused_as(ProblemCode::ServiceRefused);
    world.inject(page(json!([foreign(&json!({}))])).once());
    let found = world.create(&body).await;
    assert_eq!(found.transaction_id(), "foreign");
    assert_eq!(world.calls(Endpoint::Create), 1);
}

#[tokio::test]
async fn an_unreachable_service_leaves_no_doubt() {
    let world = World::with(|config| {
        config.upstream.base_url = "http://127.0.0.1:1".parse().unwrap();
        config.orders.allow_unsigned = true;
    })
    .await;
    for body in [plain(json!({})), plain(json!({ "quantity": "3" }))] {
        let answer = world.create_once("key-1", &body).await;
        answer.is_refused_as(ProblemCode::ServiceUnreachable);
    }
}

/// A record that only the service's list has, with some fields replaced.
pub(crate) fn foreign(changed: &Value) -> Value {
    let mut payment = json!({
        "transactionId": "foreign", "token": "USDTT", "paymentToken": "TRX", "quantity": 25,
        "quantityPay": 80, "invoiceNumber": "INV-1",
        "statusId": "1", "statusText": "Created", "wallet": "T...",
    });
    for (name, value) in changed.as_object().unwrap() {
        payment[name] = value.clone();
    }
    payment
}

#[tokio::test]
async fn waiting_requests_share_a_failure() {
    let log = Log::default();
    let _logging = log.clone().collect();
    let world = World::new().await;
    let gate = Gate::closed();
    world.inject(on_create(Outcome::DropAnswer).behind(&gate));
    let body = paying(&order(json!({})));
    let buyers = join_all((0..10).map(|_| world.create_in_another_tab(&body)));
    let open = async {
        until(async || (log.lines_with("works on the same attempt") >= 9).then_some(())).await;
        gate.open();
    };
    let (answers, ()) = tokio::join!(buyers, open);
    for answer in answers {
        answer.is_refused_as(ProblemCode::ServiceUnreachable);
    }
    assert_eq!(world.calls(Endpoint::Create), 1);
    assert_eq!(world.calls(Endpoint::List), 0);
}
