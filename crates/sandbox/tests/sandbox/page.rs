//! Tests of the page with the controls.

use reqwest::StatusCode;
use reqwest::header::CONTENT_TYPE;
use serde_json::{Value, json};
use tender_protocol::Status;
use tender_sandbox::{Endpoint, Outcome};

use crate::support::Caller;

/// Sends a form as a browser does, and returns the page that follows.
async fn submit(caller: &Caller, form: &str, fields: &str) -> (StatusCode, String) {
    let url = format!("{}/sandbox/page/{form}", caller.base_url());
    let request = reqwest::Client::new()
        .post(url)
        .header(CONTENT_TYPE, "application/x-www-form-urlencoded")
        .body(fields.to_owned());
    let answer = request.send().await.unwrap();
    (answer.status(), answer.text().await.unwrap())
}

#[tokio::test]
async fn the_page_shows_payments_and_sets_their_status() {
    let caller = Caller::new().await;
    let url = format!("{}/sandbox/page", caller.base_url());
    let empty = reqwest::get(&url).await.unwrap();
    assert_eq!(empty.headers()[CONTENT_TYPE], "text/html; charset=utf-8");
    assert!(
        empty
            .text()
            .await
            .unwrap()
            .contains("There is no payment yet")
    );

    let payment = caller
        .create(json!({ "invoiceNumber": "<b>INV&1</b>", "quantity": 48.5 }))
        .await;
    let page = caller.get("/sandbox/page").await.body;
    assert!(page.contains("48.50 USDT"), "{page}");
    assert!(page.contains("&lt;b&gt;INV&amp;1"), "{page}");
    assert!(!page.contains("<b>INV"), "{page}");
    let amount = format!("{} {}", payment.quantity_pay, payment.payment_token);
    assert!(page.contains(&amount), "{page}");

    let id = &payment.transaction_id;
    let fields = format!("transactionId={id}&statusId=9&statusText=+On+hold+");
    let (status, page) = submit(&caller, "status", &fields).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("On hold (9)"), "{page}");
    let entry = caller.controls().payment(&payment.transaction_id).unwrap();
    assert_eq!(entry.payment.status, Status::new("9", "On hold").unwrap());

    let unknown = "transactionId=none&statusId=2&statusText=Paid";
    let (status, _) = submit(&caller, "status", unknown).await;
    assert_eq!(status, StatusCode::NOT_FOUND);

    let (status, page) = submit(&caller, "reset", "").await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("There is no payment yet"), "{page}");
}

#[tokio::test]
async fn the_page_adds_and_clears_faults() {
    let caller = Caller::new().await;
    let fields = "endpoint=%22create%22&outcome=%22dropAnswer%22&times=1&delayMs=1500";
    let (status, page) = submit(&caller, "fault", fields).await;
    assert_eq!(status, StatusCode::OK);
    assert!(page.contains("<td>executed, but the response is lost</td>"));
    let faults = caller.controls().state().faults;
    assert_eq!(faults.len(), 1);
    assert_eq!(faults[0].endpoint, Some(Endpoint::Create));
    assert_eq!(faults[0].outcome, Outcome::DropAnswer);
    assert_eq!(
        (faults[0].times.unwrap().get(), faults[0].delay_ms),
        (1, 1500)
    );

    let everything = "endpoint=null&outcome={\"respond\":{\"status\":500}}&times=null&delayMs=0";
    let (_, page) = submit(&caller, "fault", everything).await;
    for cell in ["all", "until cleared", "not executed: HTTP 500"] {
        assert!(page.contains(&format!("<td>{cell}</td>")), "{page}");
    }
    // The values of the page's form, without what a browser decodes.
    for option in page.split("<option value='").skip(1) {
        let (value, _) = option.split_once('\'').unwrap();
        assert!(value.starts_with(['"', '{']), "{value}");
        serde_json::from_str::<Value>(value).unwrap();
    }
    let faults = caller.controls().state().faults;
    assert_eq!((faults[1].endpoint, faults[1].times), (None, None));

    for [endpoint, outcome, times] in [
        ["null", r#"{"respond":{"status":100}}"#, "null"],
        ["null", r#"{"respond":{"status":600}}"#, "null"],
        ["null", r#""explode""#, "null"],
        [r#""payment""#, r#""handle""#, "null"],
        ["null", r#""handle""#, "0"],
    ] {
        let invalid = format!("endpoint={endpoint}&outcome={outcome}&times={times}&delayMs=0");
        let (status, _) = submit(&caller, "fault", &invalid).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{invalid}");
    }
    assert_eq!(caller.controls().state().faults, faults);

    submit(&caller, "clear-faults", "").await;
    assert_eq!(caller.controls().state().faults, []);
}
