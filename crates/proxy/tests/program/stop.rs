//! Tests of stopping with SIGTERM.

use axum::http::StatusCode;
use reqwest::Client;
use serde_json::json;
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Outcome};

use crate::support::{Program, sandbox, with_sandbox, without_service};

#[tokio::test]
async fn sigterm_waits_for_requests_in_progress() {
    let sandbox = sandbox().await;
    let mut command = with_sandbox(&sandbox);
    command.arg("--allow-unsigned-orders");
    let program = Program::start(command);
    // The database is at the documented path.
    assert!(program.directory().join("tender.db").is_file());

    sandbox
        .controls()
        .inject(Fault::new(Outcome::Handle).delay_ms(500));
    let order =
        json!({ "token": "btc", "quantity": 1, "paymentToken": "btc", "invoiceNumber": "I" });
    let request = Client::new().post(program.url(path::PAYMENT)).json(&order);
    let buyer = tokio::spawn(request.send());
    let called = || {
        sandbox
            .controls()
            .state()
            .requests
            .contains_key(&Endpoint::Create)
    };
    while !called() {
        tokio::task::yield_now().await;
    }
    program.terminate();
    assert_eq!(buyer.await.unwrap().unwrap().status(), StatusCode::OK);
    let (status, log) = program.end();
    assert!(status.success(), "{log}");
}

#[test]
fn a_failed_start_says_why() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let free = "127.0.0.1:0";
    for (listen, database, words) in [
        (&*address, "sqlite::memory:", ["can't listen on", &*address]),
        (
            free,
            "sqlite:/nowhere/a.db",
            ["can't use SQLite in /nowhere/a.db", "`database_url`"],
        ),
        (
            free,
            "postgres://me:hunter2@127.0.0.1:1/a",
            ["can't use PostgreSQL", "`database_url`"],
        ),
    ] {
        let mut command = without_service();
        command.args(["--listen", listen, "--database-url", database]);
        let output = command.arg("--allow-unsigned-orders").output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(words.iter().all(|words| log.contains(words)), "{log}");
        assert!(!log.contains("hunter2"), "{log}");
    }
}
