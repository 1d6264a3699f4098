//! Tests of the notification of a new payment ("Events").

use reqwest::StatusCode;
use serde_json::json;
use tender_protocol::{Payment, path};
use tender_sandbox::{Config, Notification};
use tokio::net::TcpListener;

use crate::support::{Caller, order, webhook};

async fn caller_with(url: reqwest::Url) -> Caller {
    Caller::with(Config {
        webhook: Some(url),
        ..Config::on_free_ports()
    })
    .await
}

// "On creation, the service sends an automatic notification to the project's webhook."
// "On success, the service notifies the project's webhook automatically"
// "the notification carries the `invoiceNumber` so that the merchant can identify the payment"
// Not for a refused request, which creates no payment.
#[tokio::test]
async fn on_creation_the_webhook_is_notified() {
    let (url, mut arrivals) = webhook(StatusCode::OK).await;
    let caller = caller_with(url).await;
    let refused = caller
        .post(path::PAYMENT, &order(json!({ "quantity": 0 })))
        .await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let payment = caller.create(json!({ "invoiceNumber": "later" })).await;
    // The sandbox's own choice: the notification is the record.
    let first = Payment::parse(&arrivals.next().await).unwrap();
    assert_eq!(first, payment);
}

// The sandbox's own choice: "retry policy [...]: not shown".
#[tokio::test]
async fn a_refusing_webhook_is_not_called_again() {
    let (url, mut arrivals) = webhook(StatusCode::INTERNAL_SERVER_ERROR).await;
    let caller = caller_with(url).await;
    let payment = caller.create(json!({})).await;
    let outcome = caller.notification(&payment.transaction_id).await;
    assert_eq!(outcome, Ok(Notification::Answered { status: 500 }));
    assert_eq!(caller.get(path::LIST).await.payments(), [payment]);
    arrivals.next().await;
    assert!(arrivals.is_empty());
}

#[tokio::test]
async fn an_unreachable_webhook_has_no_effect() {
    // A free port without a server.
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let caller = caller_with(format!("http://{address}/secret").parse().unwrap()).await;
    let payment = caller.create(json!({})).await;
    let outcome = caller.notification(&payment.transaction_id).await;
    let Ok(Notification::Failed { reason }) = outcome else {
        panic!("{outcome:?}");
    };
    assert!(reason.contains("refused"), "{reason}");
    assert!(!reason.contains("secret"), "{reason}");
    assert_eq!(caller.get(path::LIST).await.payments(), [payment]);
}
