//! Tests of `database restored`: a backup of the database lacks a payment that the service has.

use std::fs;
use std::path::Path;
use std::process::Command;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tempfile::TempDir;
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Sandbox};

use crate::done::Done;
use crate::payments::KEY;
use crate::support::{Program, in_an_hour, sandbox, sign, with_sandbox};

const ORDER_KEY: &str = "order-secret-of-at-least-32-characters";

/// The program with a database in this directory, and these arguments.
fn with_database(sandbox: &Sandbox, directory: &Path, arguments: &[&str]) -> Command {
    let mut command = with_sandbox(sandbox, &["--upstream-timeout-seconds=2"]);
    command.args(["--upstream-settle-seconds=1", "--upstream-retries=0"]);
    command.args(["--poll-seconds=3600"]).args(arguments);
    command.env("TENDER_ORDER_KEY", ORDER_KEY);
    command.env("TENDER_MERCHANT_KEY", KEY);
    let database = directory.join("tender.db");
    let address = format!("sqlite:{}", database.display());
    command.env("TENDER_DATABASE_URL", address);
    command
}

/// Pays an order on a page that has not done it before. Returns the transactionId.
async fn pay(proxy: &Program, invoice: &str) -> String {
    let claims = json!({
        "token": "usdtt", "quantity": "25.00", "invoiceNumber": invoice, "exp": in_an_hour(),
    });
    let body = json!({ "order": sign(&claims, ORDER_KEY), "paymentToken": "trx" });
    let client = reqwest::Client::new();
    let answer = client.post(proxy.url(path::PAYMENT)).json(&body).send();
    let answer: Value = answer.await.unwrap().json().await.unwrap();
    answer["transactionId"].as_str().unwrap().to_owned()
}

/// What the shop is told of an order.
async fn told(proxy: &Program, invoice: &str) -> Value {
    let client = reqwest::Client::new();
    let url = proxy.url(&format!("{}?invoiceNumber={invoice}", path::ORDERS));
    let answer = client.get(url).bearer_auth(KEY).send();
    answer.await.unwrap().json().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_order_that_a_backup_lacks_gets_no_second_payment() {
    let (sandbox, [here, backup]) = (sandbox().await, [(); 2].map(|()| TempDir::new().unwrap()));
    let start = || Program::start(with_database(&sandbox, here.path(), &[]));
    let restored = || {
        let command = ["database", "restored"];
        Done::of(&mut with_database(&sandbox, here.path(), &command))
    };
    // All of the database is in its file, because the proxy was stopped.
    let copy = |from: &TempDir, to: &TempDir| {
        let file = |directory: &TempDir| directory.path().join("tender.db");
        fs::copy(file(from), file(to)).unwrap();
    };
    let log = here.path().join("tender.db-wal");
    let created = || {
        let requests = sandbox.controls().state().requests;
        requests
            .get(&Endpoint::Create)
            .map_or(0, |calls| calls.received)
    };

    let proxy = start();
    let first = pay(&proxy, "INV-1").await;
    restored()
        .is(1)
        .reports("is in use by another tender-proxy");
    proxy.stop();
    copy(&here, &backup);
    let proxy = start();
    let second = pay(&proxy, "INV-2").await;
    assert!(told(&proxy, "INV-2").await.get("memorySince").is_none());
    proxy.stop();
    copy(&backup, &here);

    fs::write(&log, "of the database before").unwrap();
    restored().is(1).reports("move it away");
    fs::remove_file(&log).unwrap();
    sandbox.controls().inject(
        Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "")
            .on(Endpoint::List)
            .once(),
    );
    restored().is(1).reports("503");
    // The settings name an empty list, another mode, or another database.
    let with = |further: &[&str]| {
        let arguments = [further, &["database", "restored"]].concat();
        Done::of(&mut with_database(&sandbox, here.path(), &arguments))
    };
    with(&["--first-page=3"])
        .is(1)
        .reports("none of the payments in the database");
    with(&["--test-mode=true"])
        .is(1)
        .reports("was used for real payments");
    let unused = TempDir::new().unwrap();
    fs::write(unused.path().join("tender.db"), "").unwrap();
    let of_unused = ["database", "restored"];
    let of_unused = Done::of(&mut with_database(&sandbox, unused.path(), &of_unused));
    of_unused.is(1).reports("no proxy has used it");
    let expected = "Pages of the payment service's list that were read: 1\nPayments that the backup lacks: 1\n";
    assert_eq!(restored().is(0).out, expected);
    assert!(!log.exists());

    let proxy = start();
    let answer = told(&proxy, "INV-2").await;
    assert_eq!(answer["payments"], json!([]));
    assert!(answer["memorySince"].is_string(), "{answer}");
    assert_eq!(pay(&proxy, "INV-1").await, first);
    assert_eq!(pay(&proxy, "INV-2").await, second);
    assert_eq!(created(), 2);
    assert_eq!(
        told(&proxy, "INV-2").await["payments"][0]["transactionId"],
        second
    );
    pay(&proxy, "INV-3").await;
    assert_eq!(created(), 3);
    proxy.stop();
}
