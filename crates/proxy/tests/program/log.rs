//! Tests that the log is informative and contains no secrets.

use std::fs;
use std::process::Command;

use axum::http::StatusCode;
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Outcome, Sandbox};

use crate::support::{Program, sandbox, sign, with_sandbox, without_service};

/// The settings with secrets, and a value for each.
const SECRETS: [(&str, &str); 4] = [
    ("order_key", "order-secret-of-at-least-32-characters"),
    ("receipt_key", "receipt-secret-of-at-least-32-characters"),
    ("merchant_key", "merchant-secret-of-at-least-32-characters"),
    ("upstream_header", "X-Key: upstream-secret-of-some-length"),
];

#[derive(Clone, Copy, Debug)]
enum Way {
    Flag,
    Environment,
    ConfigFile,
    OwnFile,
}

fn give(command: &mut Command, way: Way, directory: &TempDir) {
    let mut lines = Vec::new();
    for (name, secret) in SECRETS {
        let own_file = directory.path().join(name);
        fs::write(&own_file, secret).unwrap();
        let flag = format!("--{}", name.replace('_', "-"));
        match way {
            Way::Flag => _ = command.args([&flag, secret]),
            Way::Environment => _ = command.env(format!("TENDER_{}", name.to_uppercase()), secret),
            Way::ConfigFile => lines.push(format!("{name} = {secret:?}")),
            Way::OwnFile => _ = command.arg(format!("{flag}-file")).arg(own_file),
        }
    }
    let path = directory.path().join("proxy.toml");
    fs::write(&path, lines.join("\n")).unwrap();
    command.arg("--config").arg(path);
}

#[tokio::test]
async fn secrets_are_never_logged() {
    let directory = TempDir::new().unwrap();
    for (way, format) in [
        (Way::Flag, "text"),
        (Way::Environment, "json"),
        (Way::ConfigFile, "text"),
        (Way::OwnFile, "json"),
    ] {
        let sandbox = sandbox().await;
        let arguments = ["--log-level", "trace", "--log-format", format];
        let mut command = with_sandbox(&sandbox, &arguments);
        give(&mut command, way, &directory);
        let program = Program::start(command);
        let mut hidden = busy_day(&program, &sandbox).await;
        hidden.extend(SECRETS.map(|(_, secret)| secret.trim_start_matches("X-Key: ").to_owned()));
        let log = program.stop();

        for hidden in hidden {
            assert!(!log.contains(&hidden), "{way:?} {hidden}: {log}");
        }
        // The expected lines are present.
        for shown in [
            "POST",
            "/api/v1/payment/cancel",
            "service-failed",
            "order-signature-invalid",
            "stopping",
        ] {
            assert!(log.contains(shown), "{shown}: {log}");
        }
        if format == "json" {
            for line in log.lines() {
                serde_json::from_str::<Value>(line).unwrap();
            }
        }
    }
}

/// Sends requests with everything that must not be logged, and returns those values.
async fn busy_day(program: &Program, sandbox: &Sandbox) -> Vec<String> {
    let http = Client::new();
    let order = |key: &str| {
        let claims = json!({
            "token": "btc", "quantity": 1, "invoiceNumber": "invoice-to-hide",
            "purchaseEmail": "buyer@hide.example", "exp": 4_000_000_000_u64,
        });
        sign(&claims, key)
    };
    let pay = async |order: &str| {
        let body = json!({ "order": order, "paymentToken": "trx", "purchaseName": "Name-To-Hide" });
        let url = program.url(path::PAYMENT) + "?query=to-hide";
        let request = http
            .post(url)
            .json(&body)
            .header("idempotency-key", "key-to-hide");
        request.send().await.unwrap()
    };
    let (good, forged) = (order(SECRETS[0].1), order("forged"));
    assert_eq!(pay(&forged).await.status(), StatusCode::FORBIDDEN);
    for fault in [
        Fault::respond(StatusCode::BAD_GATEWAY, "answer-to-hide"),
        Fault::new(Outcome::DropAnswer),
    ] {
        sandbox.controls().inject(fault.on(Endpoint::Create).once());
        assert_eq!(pay(&good).await.status(), StatusCode::BAD_GATEWAY);
    }
    let created: Value = pay(&good).await.json().await.unwrap();
    let receipt = created["receipt"].as_str().unwrap().to_owned();
    for (credential, path, status) in [
        (&*good, path::PAYMENT, StatusCode::OK),
        (&forged, path::PAYMENT, StatusCode::FORBIDDEN),
        (
            SECRETS[2].1,
            "/api/v1/orders?invoiceNumber=invoice-to-hide",
            StatusCode::OK,
        ),
    ] {
        let request = http.get(program.url(path)).bearer_auth(credential);
        assert_eq!(request.send().await.unwrap().status(), status, "{path}");
    }
    for (token, status) in [
        ("bearer-to-hide", StatusCode::FORBIDDEN),
        (SECRETS[2].1, StatusCode::OK),
        (&receipt, StatusCode::OK),
    ] {
        let body = json!({ "transactionId": created["transactionId"] });
        let request = http
            .post(program.url(path::CANCEL))
            .json(&body)
            .bearer_auth(token);
        assert_eq!(request.send().await.unwrap().status(), status);
    }
    for path in [
        "/path-to-hide",
        "/v1/file-to-hide",
        "/api/v1/payment?receipt=query-to-hide",
    ] {
        http.get(program.url(path)).send().await.unwrap();
    }
    vec![
        good,
        forged,
        receipt,
        "hide".to_owned(),
        "Name-To-Hide".to_owned(),
    ]
}

/// What an operator needs to know is in the log once, however many requests show it.
#[tokio::test]
async fn shared_addresses_and_a_refused_origin_are_reported_once() {
    let arguments = ["--allow-unsigned-orders", "--database-url=sqlite::memory:"];
    let program = Program::start(without_service(&arguments));
    let client = Client::new();
    let origin = ("origin", "http://localhost:3000");
    for (path, (header, value), status) in [
        ("/healthz", ("x-forwarded-for", "192.0.2.1"), StatusCode::OK),
        ("/healthz", ("forwarded", "192.0.2.1"), StatusCode::OK),
        ("/healthz", ("x-forwarded-for", "192.0.2.1"), StatusCode::OK),
        (path::TOKENS, origin, StatusCode::FORBIDDEN),
        (path::TOKENS, origin, StatusCode::FORBIDDEN),
    ] {
        let request = client.get(program.url(path)).header(header, value);
        assert_eq!(request.send().await.unwrap().status(), status, "{header}");
    }
    let log = program.stop();
    for told in [
        "`trusted_proxies` is 0",
        "refuses requests from http://localhost:3000. It allows only its own.",
    ] {
        assert_eq!(log.matches(told).count(), 1, "{log}");
    }
}

/// Also the lines of a payment, which is created in a task of its own.
#[tokio::test]
async fn a_trusted_trace_is_in_each_line_of_its_request() {
    const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
    let sandbox = sandbox().await;
    for (trusted, lines) in [("--trusted-proxies=1", 3), ("--trusted-proxies=0", 0)] {
        let command = with_sandbox(&sandbox, &["--allow-unsigned-orders", trusted]);
        let program = Program::start(command);
        let payment = json!({ "token": "btc", "quantity": 1, "invoiceNumber": trusted, "paymentToken": "trx" });
        let request = Client::new()
            .post(program.url(path::PAYMENT))
            .json(&payment);
        let request = request.header("traceparent", format!("00-{TRACE}-00f067aa0ba902b7-01"));
        assert_eq!(request.send().await.unwrap().status(), StatusCode::OK);
        let log = program.stop();
        assert_eq!(log.matches(TRACE).count(), lines, "{log}");
    }
}

/// Characters that could mislead a reader.
#[tokio::test]
async fn characters_that_mislead_are_escaped_in_the_log() {
    // Changes the direction of the text after it (Unicode Standard Annex 9).
    const OVERRIDE: char = '\u{202e}';
    let key = SECRETS[2].1;
    for (format, escaped) in [("text", r"\u{202e}"), ("json", r"\u202e")] {
        let arguments = ["--merchant-key", key, "--log-format", format];
        let mut command = without_service(&arguments);
        // Two keys with the same `kid`, which a warning names.
        for secret in ["fedcba9876543210", "0f1e2d3c4b5a6978"] {
            command.args(["--order-key", &format!("kid{OVERRIDE}={secret}{secret}")]);
        }
        let program = Program::start(command);
        let path = format!("/api/v1/payment/id{OVERRIDE}");
        let request = Client::new().get(program.url(&path));
        request.bearer_auth(key).send().await.unwrap();
        let log = program.stop();

        assert!(!log.contains(OVERRIDE), "{format}: {log}");
        for name in ["kid", "id"] {
            assert!(log.contains(&format!("{name}{escaped}")), "{format}: {log}");
        }
        if format == "json" {
            let lines = log.lines().map(serde_json::from_str::<Value>);
            let ids = lines.map(|line| line.unwrap()["transaction_id"].clone());
            let id = Value::from(format!("id{OVERRIDE}"));
            assert_eq!(ids.filter(|logged| *logged == id).count(), 1, "{log}");
        }
    }
}
