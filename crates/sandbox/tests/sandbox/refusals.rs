//! Tests that invalid requests get a clear JSON error. The document shows no errors, so all of them
//! are the sandbox's own choice.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tender_protocol::path;
use tender_sandbox::Config;

use crate::support::{Caller, order};

#[tokio::test]
async fn an_invalid_field_is_named() {
    let caller = Caller::new().await;
    let too_long = format!("1{}", "0".repeat(128));
    // A valid amount whose value in TRX has too many digits.
    let too_large = "9".repeat(128);
    // Listed but not accepted, unknown, in upper case, padded.
    let other_codes =
        ["eth", "usdc", "usdtb", "doge", "BTC", " btc"].map(|code| format!("{code:?}"));
    let other_codes: Vec<_> = other_codes.iter().map(String::as_str).collect();
    for (code, field, values) in [
        ("missing_field", "token", &["null", r#""""#][..]),
        ("missing_field", "quantity", &["null"]),
        ("missing_field", "paymentToken", &["null"]),
        ("missing_field", "invoiceNumber", &["null", r#"" ""#]),
        ("invalid_field", "token", &["1"]),
        ("invalid_field", "paymentToken", &[r#"["btc"]"#]),
        ("invalid_field", "quantity", &[r#""10""#, "true", "{}"]),
        ("invalid_field", "quantity", &["0", "0.00", "-1", "-0.5"]),
        (
            "invalid_field",
            "quantity",
            &["1e999", &too_long, &too_large],
        ),
        ("invalid_field", "invoiceNumber", &["1042"]),
        ("invalid_field", "purchaseEmail", &["1"]),
        ("invalid_field", "purchaseName", &["false"]),
        ("invalid_field", "itemNumber", &["0"]),
        ("token_not_accepted", "token", &other_codes),
        ("token_not_accepted", "paymentToken", &other_codes),
    ] {
        for value in values {
            let order = order(json!({ field: "VALUE" })).to_string();
            let body = order.replace(r#""VALUE""#, value);
            let answer = caller.call(Method::POST, path::PAYMENT, &body).await;
            answer.assert_refused(400, code, Some(field));
        }
    }
    let absent = order(json!({ "token": null }));
    let answer = caller.post(path::PAYMENT, &absent).await;
    answer.assert_refused(400, "missing_field", Some("token"));
    // In BTC it has few enough digits, but in US dollars too many.
    let answer = caller.price(&too_large, "btc", "btc").await;
    answer.assert_refused(400, "invalid_field", Some("quantity"));
    assert!(caller.controls().state().payments.is_empty());
}

#[tokio::test]
async fn a_body_must_be_a_json_object() {
    let caller = Caller::new().await;
    for path in [path::PAYMENT, path::CANCEL] {
        for body in ["", "token=btc", "{", "[]", "null", "\"text\"", "{} {}"] {
            let answer = caller.call(Method::POST, path, body).await;
            answer.assert_refused(400, "invalid_json", None);
        }
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_refused() {
    let caller = Caller::new().await;
    let name = "n".repeat(3 << 20);
    let answer = caller
        .post(path::PAYMENT, &order(json!({ "purchaseName": name })))
        .await;
    answer.assert_refused(413, "unreadable_body", None);
}

#[tokio::test]
async fn another_method_or_path_is_refused() {
    let caller = Caller::new().await;
    for (method, path) in [
        (Method::GET, path::PAYMENT),
        (Method::PUT, path::PAYMENT),
        (Method::GET, path::CANCEL),
        (Method::POST, path::LIST),
        (Method::GET, "/sandbox/payments/none/send"),
    ] {
        let answer = caller.call(method, path, "").await;
        answer.assert_refused(405, "method_not_allowed", None);
    }
    // "The version is a path segment: every endpoint path starts with `/api/v1/`."
    for path in [path::TOKENS, path::LIST, path::CANCEL, path::PAYMENT] {
        assert!(path.starts_with("/api/v1/"));
    }
    let others = [
        "/",
        "/api/payment",
        "/api/v1/payments",
        "/api/v2/payment",
        "/sandbox",
    ];
    for path in others {
        caller
            .get(path)
            .await
            .assert_refused(404, "not_found", None);
    }
}

#[tokio::test]
async fn a_required_header_must_be_present_and_correct() {
    let config = Config {
        require_header: Some("X-Api-Key: demo key".parse().unwrap()),
        ..Config::on_free_ports()
    };
    let caller = Caller::with(config).await;
    for path in [path::LIST, path::PAYMENT, path::CANCEL] {
        let method = if path == path::LIST {
            Method::GET
        } else {
            Method::POST
        };
        let answer = caller.call(method, path, "{}").await;
        answer.assert_refused(401, "unauthorized", None);
        assert!(!answer.body.contains("demo key"));
    }
    let tokens = caller.get_rates(path::TOKENS).await;
    tokens.assert_refused(401, "unauthorized", None);

    let http = reqwest::Client::new();
    for (key, expected) in [("wrong", 401), ("demo key", 200)] {
        for url in [
            format!("{}{}", caller.base_url(), path::LIST),
            format!("{}{}", caller.rates_base_url(), path::TOKENS),
        ] {
            let answer = http.get(url).header("x-api-key", key).send().await.unwrap();
            assert_eq!(answer.status(), expected);
        }
    }
    // The controls and images are not part of the service.
    assert_eq!(caller.get("/sandbox/state").await.status, StatusCode::OK);
    let logo = caller.get_rates("/logos/btc.svg").await;
    assert_eq!(logo.status, StatusCode::OK);
}
