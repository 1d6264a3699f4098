//! Tests of endpoint 3, "Cancel a payment".

use reqwest::StatusCode;
use serde_json::json;
use tender_protocol::{Payment, Status, path};
use tender_sandbox::{Config, Notification};

use crate::support::{Caller, webhook};

// "A merchant cancels a payment by its transaction identifier."
#[tokio::test]
async fn it_cancels_only_the_payment_with_this_identifier() {
    let caller = Caller::new().await;
    let kept = caller.create(json!({})).await;
    let gone = caller.create(json!({})).await;
    // "[cancelling] does not check the wallet balance"
    let controls = caller.controls();
    controls
        .send(&gone.transaction_id, &gone.quantity_pay)
        .unwrap();
    // "Response: a JSON array of payment records."
    // "The response of cancel shows a record with statusId "1" and statusText "Created""
    let answer = caller.cancel(&gone.transaction_id).await;
    assert_eq!(answer.content_type, "application/json");
    assert_eq!(answer.json()[0]["statusId"], "1");
    assert_eq!(answer.json()[0]["statusText"], "Created");
    assert_eq!(answer.payments(), std::slice::from_ref(&gone));
    // The sandbox's own choice of the status.
    let cancelled = Payment {
        status: Status::new("3", "Cancelled").unwrap(),
        ..gone.clone()
    };
    let listed = [cancelled.clone(), kept];
    assert_eq!(caller.get(path::LIST).await.payments(), listed);

    // The sandbox's own choice: a second cancel changes nothing.
    let again = caller.cancel(&gone.transaction_id).await;
    assert_eq!(again.payments(), [cancelled]);
    assert_eq!(caller.get(path::LIST).await.payments(), listed);
}

// "cancelling does not send a notification to the merchant"
#[tokio::test]
async fn it_does_not_send_a_notification() {
    let (url, mut arrivals) = webhook(StatusCode::OK).await;
    let config = Config {
        webhook: Some(url),
        ..Config::on_free_ports()
    };
    let caller = Caller::with(config).await;
    let cancelled = caller.create(json!({ "invoiceNumber": "one" })).await;
    let first = arrivals.next().await;
    assert!(first.contains(r#""invoiceNumber":"one""#), "{first}");
    caller.cancel(&cancelled.transaction_id).await.payments();
    // A notification of the cancel would arrive before that of a later payment.
    let later = caller.create(json!({ "invoiceNumber": "two" })).await;
    let next = arrivals.next().await;
    assert!(next.contains(r#""invoiceNumber":"two""#), "{next}");
    let answered = caller.notification(&later.transaction_id).await;
    assert_eq!(answered, Ok(Notification::Answered { status: 200 }));
    assert!(arrivals.is_empty());
}

// "transactionId | string | required: yes"
#[tokio::test]
async fn the_transaction_id_is_required() {
    let caller = Caller::new().await;
    for missing in [json!({}), json!({ "transactionId": "" })] {
        let answer = caller.post(path::CANCEL, &missing).await;
        answer.assert_refused(400, "missing_field", Some("transactionId"));
    }
    for wrong in [json!(1), json!(["a"]), json!(true)] {
        let answer = caller
            .post(path::CANCEL, &json!({ "transactionId": wrong }))
            .await;
        answer.assert_refused(400, "invalid_field", Some("transactionId"));
    }
}

// The sandbox's own choice.
#[tokio::test]
async fn an_unknown_payment_is_an_error() {
    let caller = Caller::new().await;
    let answer = caller.cancel("00000000-0000-0000-0000-000000000000").await;
    answer.assert_refused(404, "unknown_payment", None);
}

// "the status after cancellation is not stated by that response", so it is configurable.
#[tokio::test]
async fn the_status_after_cancel_is_configurable() {
    let config = Config {
        cancelled_status: Status::new("9", "Voided").unwrap(),
        ..Config::on_free_ports()
    };
    let caller = Caller::with(config).await;
    let payment = caller.create(json!({})).await;
    caller.cancel(&payment.transaction_id).await.payments();
    let listed = caller.get(path::LIST).await.payments();
    assert_eq!(
        (listed[0].status.id(), listed[0].status.text()),
        ("9", "Voided")
    );
}
