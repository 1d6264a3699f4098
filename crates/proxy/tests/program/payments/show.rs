//! `payments show`.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_sandbox::{Endpoint, Fault};

use super::World;
use crate::done::Done;

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_shown_with_what_the_proxy_knows() {
    let secret = "a-webhook-secret-of-the-tests-32-characters-or-more";
    let world = World::with(&["--webhook-secret", secret]).await;
    let address = world.proxy.url(&format!("/webhook/{secret}"));
    let controls = world.sandbox.controls();
    controls.set_webhook(Some(address.parse().unwrap()));
    let id = world
        .pay(json!({ "invoiceNumber": "INV-1042", "purchaseEmail": "ada@example.com" }))
        .await;
    controls.notification(&id).await.unwrap();
    world.pay_often(25).await;

    let shown = world.run(&["show", &id, "--json"]).is(0).json();
    let listed = world.run(&["list", "--json", "--page", "2"]).json();
    let listed = listed.as_array().unwrap().iter();
    let listed = listed.filter(|record| record["transactionId"] == json!(id));
    assert_eq!(listed.collect::<Vec<_>>(), [&shown["payment"]]);
    let known = &shown["known"];
    assert_eq!(known["attempts"], 1);
    assert_eq!(known["notifications"].as_u64().unwrap(), 1);
    let notified = known["notifiedAt"].as_str().unwrap();

    let text = world.run(&["show", &id]).is(0).out.clone();
    for line in [
        format!("transactionId  {id}"),
        "status         Created (1)".to_owned(),
        "quantity       25.00 USDTT".to_owned(),
        "buyer          ada@example.com".to_owned(),
        format!("notification   {notified}"),
        "attempts       1, the first at 20".to_owned(),
    ] {
        assert!(text.contains(&line), "{line}\n{text}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_limits_the_search() {
    let world = World::new().await;
    let ids = world.pay_often(45).await;
    let done = world.run(&["show", &ids[0], "--pages", "2"]);
    done.is(3).reports("the newest 40 payments (2 pages)");
    assert_eq!(done.out, "");
    world.run(&["show", &ids[0], "--pages", "3"]).is(0);
    let done = world.run(&["show", "no\u{1b}one"]);
    done.is(3)
        .reports("the list of 45 payments")
        .reports(r"no\u{1b}one");
    assert!(!done.err.contains('\u{1b}'));

    // A proxy that only forwards the service's routes has no ledger.
    let mut command = world.command(&["show", &ids[44], "--json"]);
    command.env("TENDER_PROXY", world.sandbox.base_url());
    let shown: Value = Done::of(&mut command).is(0).json();
    assert_eq!(shown["payment"]["transactionId"], json!(ids[44]));
    assert_eq!(shown["known"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_record_is_shown_in_json() {
    let world = World::new().await;
    let record = r#"{"transactionId":"t","quantity":{}}"#;
    let list = Fault::respond(StatusCode::OK, format!("[{record}]"));
    world.inject(list.on(Endpoint::List));
    world
        .run(&["show", "t"])
        .is(1)
        .reports("--json shows the record unchanged");
    let shown = world.run(&["show", "t", "--json"]);
    assert_eq!(
        shown.is(0).out,
        format!("{{\"payment\":{record},\"known\":null}}\n")
    );
}
