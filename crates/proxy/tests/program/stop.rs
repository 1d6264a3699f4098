//! Tests of stopping with SIGTERM.

use axum::http::StatusCode;
use reqwest::Client;
use serde_json::json;
use tender_protocol::path;
use tender_sandbox::{Config, Endpoint, Fault, Outcome, Sandbox};

use crate::support::{Program, command};

#[tokio::test]
async fn sigterm_waits_for_requests_in_progress() {
    let sandbox = Sandbox::start(Config::on_free_ports()).await.unwrap();
    let mut command = command();
    let urls = [
        "--base-url",
        sandbox.base_url(),
        "--rates-base-url",
        sandbox.rates_base_url(),
    ];
    command.args(urls).arg("--allow-unsigned-orders");
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
    for (flags, words) in [
        (
            ["--listen", &address, "--database-url", "sqlite::memory:"],
            ["can't listen on", &*address],
        ),
        (
            [
                "--listen",
                "127.0.0.1:0",
                "--database-url",
                "sqlite:/nowhere/a.db",
            ],
            ["can't use SQLite in /nowhere/a.db", "`database_url`"],
        ),
        (
            [
                "--listen",
                "127.0.0.1:0",
                "--database-url",
                "postgres://me:hunter2@127.0.0.1:1/a",
            ],
            ["can't use PostgreSQL", "`database_url`"],
        ),
    ] {
        let urls = [
            "--base-url=http://127.0.0.1:1",
            "--rates-base-url=http://127.0.0.1:1",
        ];
        let mut command = command();
        let command = command.args(urls).arg("--allow-unsigned-orders");
        let output = command.args(flags).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(words.iter().all(|words| log.contains(words)), "{log}");
        assert!(!log.contains("hunter2"), "{log}");
    }
}
