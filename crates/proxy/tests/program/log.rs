//! Tests that the log is informative and contains no secrets.

use std::fs;
use std::process::Command;

use axum::http::StatusCode;
use jsonwebtoken::{EncodingKey, Header, encode};
use reqwest::Client;
use serde_json::{Value, json};
use tempfile::TempDir;
use tender_protocol::path;
use tender_sandbox::{Endpoint, Fault, Outcome, Sandbox};

use crate::support::{
    Program, in_an_hour, sandbox, sign, with_sandbox, with_service, without_service,
};

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
            "purchaseEmail": "buyer@hide.example", "exp": in_an_hour(),
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
        // A status that a warning names.
        let status = format!("--status-paid=Paid,{OVERRIDE}");
        let arguments = [
            "--merchant-key",
            key,
            "--log-format",
            format,
            "--allow-unsigned-orders",
        ];
        let mut command = without_service(&arguments);
        command.arg(status);
        let program = Program::start(command);
        let path = format!("/api/v1/payment/id{OVERRIDE}");
        let request = Client::new().get(program.url(&path));
        request.bearer_auth(key).send().await.unwrap();
        let log = program.stop();

        assert!(!log.contains(OVERRIDE), "{format}: {log}");
        for name in ["Paid,", "id"] {
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

/// The developer of the shop reads the answer in the console, and the operator the log.
#[tokio::test(flavor = "multi_thread")]
async fn a_refused_order_has_its_reason_in_the_answer_and_in_the_log() {
    let sandbox = sandbox().await;
    let mut command = with_sandbox(&sandbox, &["--database-url=sqlite::memory:"]);
    let key = SECRETS[0].1;
    command.env("TENDER_ORDER_KEY", format!("2026={key}"));
    let program = Program::start(command);
    let claims = |exp: Value| json!({ "token": "usdtt", "quantity": "25.00", "invoiceNumber": "INV-1", "exp": exp });
    let sign = |kid: &str, claims: Value, key: &str| {
        let header = Header {
            kid: Some(kid.to_owned()),
            ..Header::default()
        };
        encode(&header, &claims, &EncodingKey::from_secret(key.as_bytes())).unwrap()
    };
    let soon = || json!(in_an_hour());
    for (order, reason, level) in [
        (
            sign("2026", claims(soon()), "another-secret"),
            "was altered, or signed with another key. Compare the shop's key with the proxy's `order_key`.",
            "WARN",
        ),
        (
            sign("2026", claims(soon()), &format!("2026={key}")),
            "The order was signed with another key: the whole text `KID=SECRET`; the secret is only what follows",
            "WARN",
        ),
        (
            sign("2027", claims(soon()), key),
            "No key is configured for the order's `kid`; add it to the proxy's `order_key`, or sign with another key.",
            "WARN",
        ),
        (
            sign("2026", claims(json!(in_an_hour() * 1000)), key),
            "`exp` is in seconds since 1970; this looks like milliseconds",
            "WARN",
        ),
        (
            sign("2026", claims(json!(4_000_000_000_u64)), key),
            "`exp` is 2096-10-02T07:06:40Z, more than 400 days from now, and the proxy's clock says 2",
            "WARN",
        ),
        (
            sign("2026", claims(json!(in_an_hour() - 7200)), key),
            "; reload the page to get a new one. If it is new, one of the clocks is wrong.",
            "INFO",
        ),
    ] {
        let kid = if reason.contains("No key") {
            "2027"
        } else {
            "2026"
        };
        let body = json!({ "order": order, "paymentToken": "trx" });
        let request = Client::new().post(program.url(path::PAYMENT)).json(&body);
        let problem: Value = request.send().await.unwrap().json().await.unwrap();
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(reason), "{detail}");
        program.until_logged(detail).await;
        let log = program.log();
        let line = log.lines().find(|line| line.contains(detail)).unwrap();
        for text in [level, &format!("kid=\"{kid}\""), "an order was refused"] {
            assert!(line.contains(text), "{text}: {line}");
        }
    }
}

/// Which address was called, and which setting to look at.
#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_address_of_the_service_is_in_the_log() {
    let mut with_credentials = tender_sandbox::Config::on_free_ports();
    with_credentials.require_header = Some("X-Key: right".parse().unwrap());
    let sandbox = Sandbox::start(with_credentials).await.unwrap();
    let (base, rates) = (sandbox.base_url(), sandbox.rates_base_url());
    let key = SECRETS[2].1;
    for (base, rates, header, logged) in [
        (
            format!("{base}/wrong"),
            format!("{rates}/wrong"),
            "X-Key: right",
            [
                format!(
                    "GET {rates}/wrong/api/v1/rates/my-tokens: 404 Not Found; check `rates_base_url`"
                ),
                format!("GET {base}/wrong/api/v1/payment/list: 404 Not Found; check `base_url`"),
            ],
        ),
        (
            base.to_owned(),
            rates.to_owned(),
            "X-Key: wrong",
            [
                format!(
                    "GET {rates}/api/v1/rates/my-tokens: 401 Unauthorized; check `upstream_header`, the credentials"
                ),
                format!(
                    "GET {base}/api/v1/payment/list: 401 Unauthorized; check `upstream_header`, the credentials"
                ),
            ],
        ),
    ] {
        let memory = "--database-url=sqlite::memory:";
        let mut command = with_service(
            &base,
            &rates,
            &[memory, "--merchant-key", key, "--allow-unsigned-orders"],
        );
        command.args(["--upstream-header", header]);
        let program = Program::start(command);
        let client = Client::new();
        let answer = client.get(program.url(path::TOKENS)).send().await.unwrap();
        let problem: Value = answer.json().await.unwrap();
        let detail = "The payment service refused the request; the proxy's log has the reason.";
        assert_eq!(problem["detail"], detail);
        let list = client.get(program.url(path::LIST)).bearer_auth(key);
        list.send().await.unwrap();
        let log = program.stop();
        for line in logged {
            assert!(
                log.contains(&format!("the service refused {line}")),
                "{line}\n{log}"
            );
        }
    }
}
