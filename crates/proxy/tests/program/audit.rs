//! Tests of the audit log.

use reqwest::redirect::Policy;
use reqwest::{Client, Method};
use serde_json::{Value, json};
use tender_protocol::path;

use crate::support::{Program, in_an_hour, sandbox, sign, with_sandbox};

const ORDER_KEY: &str = "order-secret-of-at-least-32-characters";
const MERCHANT_KEYS: [&str; 2] = [
    "merchant-secret-of-at-least-32-characters",
    "another-merchant-secret-of-32-characters",
];

async fn send(program: &Program, method: Method, path: &str, token: &str, body: &Value) -> Value {
    let request = Client::new().request(method, program.url(path));
    let request = request.header("x-forwarded-for", "203.0.113.7");
    let response = request.bearer_auth(token).json(body).send().await.unwrap();
    // An answer without a body is null.
    response.json().await.unwrap_or_default()
}

/// Action, outcome, key, and payment or order of each line of the audit log.
fn lines(log: &str) -> Vec<[String; 4]> {
    let lines = log.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines = lines.filter(|line: &Value| line["message"] == "audit");
    lines
        .map(|line| {
            assert_eq!(line["client"], "203.0.113.7", "{line}");
            assert_eq!(line["span"]["id"].as_str().unwrap().len(), 16, "{line}");
            let id = if line["order"].is_null() {
                "transaction_id"
            } else {
                "order"
            };
            let fields = ["action", "outcome", "key", id];
            fields.map(|field| line[field].as_str().unwrap_or("none").to_owned())
        })
        .collect()
}

#[tokio::test]
async fn creates_cancels_and_merchant_reads_are_logged() {
    let sandbox = sandbox().await;
    let mut command = with_sandbox(&sandbox, &["--trusted-proxies=1", "--log-format=json"]);
    command.env("TENDER_ORDER_KEY", format!("2026={ORDER_KEY}"));
    command.env("TENDER_MERCHANT_KEY", MERCHANT_KEYS.join("\n"));
    command.args(["--payment-links", "--payment-link-max-quantity=btc=2"]);
    command.args(["--public-url", "https://pay.shop.example"]);
    let program = Program::start(command);

    let claims = json!({
        "token": "btc", "quantity": 1, "invoiceNumber": "INV-1", "exp": in_an_hour(),
        "purchaseEmail": "ada@buyer.example",
    });
    let order = sign(&claims, ORDER_KEY);
    let paying = json!({ "order": order, "paymentToken": "trx", "purchaseName": "Ada" });
    let created = send(&program, Method::POST, path::PAYMENT, "-", &paying).await;
    let receipt = created["receipt"].as_str().unwrap();
    let id = created["transactionId"].as_str().unwrap();
    let payment = format!("{}/{id}", path::PAYMENT);
    let none = json!({});
    let [first, second] = MERCHANT_KEYS;
    let cancelled = json!({ "transactionId": id });
    let altered = json!({ "order": format!("{order}a"), "paymentToken": "trx" });
    send(&program, Method::POST, path::PAYMENT, "-", &altered).await;
    send(&program, Method::GET, path::LIST, second, &none).await;
    send(&program, Method::GET, &payment, first, &none).await;
    send(&program, Method::GET, &payment, receipt, &none).await;
    send(&program, Method::GET, path::TOKENS, "-", &none).await;
    send(&program, Method::GET, path::PAYMENT, &order, &none).await;
    send(&program, Method::GET, path::PAYMENT, "-", &none).await;
    send(&program, Method::POST, path::CANCEL, receipt, &cancelled).await;
    send(&program, Method::POST, path::CANCEL, "wrong", &cancelled).await;
    let release = format!("{payment}{}", path::RELEASE);
    send(&program, Method::POST, &release, first, &none).await;
    let nothing = json!({ "ids": [] });
    send(&program, Method::POST, path::RESEND, first, &nothing).await;
    let link = json!({
        "token": "btc", "quantity": 2, "invoiceNumber": "Ada", "expires": "7d",
    });
    let signed = send(&program, Method::POST, path::ORDERS, second, &link).await;
    send(&program, Method::POST, path::ORDERS, second, &nothing).await;
    let log = program.stop();

    let lines = lines(&log);
    let expected = [
        ["create", "ok", "2026", id],
        ["create", "order-signature-invalid", "none", "none"],
        ["read", "ok", "merchant_key 2", "none"],
        ["read", "ok", "merchant_key 1", id],
        ["find", "ok", "2026", id],
        ["find", "order-malformed", "none", "none"],
        ["cancel", "ok", "receipt", id],
        ["cancel", "credentials-invalid", "none", "none"],
        ["release", "ok", "merchant_key 1", id],
        ["resend", "ok", "merchant_key 1", "none"],
        ["sign", "ok", "merchant_key 2", "2 btc for 7d"],
        ["sign", "invalid-request", "merchant_key 2", "none"],
    ];
    assert_eq!(lines, expected.map(|fields| fields.map(str::to_owned)));
    for hidden in [
        "ada@",
        "Ada",
        receipt,
        &order,
        signed["order"].as_str().unwrap(),
        ORDER_KEY,
        first,
        second,
    ] {
        assert!(!log.contains(hidden), "{hidden}: {log}");
    }
}

#[tokio::test]
async fn the_payment_page_is_logged_with_the_key_of_its_order() {
    let sandbox = sandbox().await;
    let mut command = with_sandbox(&sandbox, &["--trusted-proxies=1", "--log-format=json"]);
    command.env("TENDER_ORDER_KEY", format!("2026={ORDER_KEY}"));
    let program = Program::start(command);
    let claims = json!({
        "token": "btc", "quantity": 1, "invoiceNumber": "INV-1", "exp": in_an_hour(),
    });
    let order = sign(&claims, ORDER_KEY);
    let page = program.url(&format!("{}?order={order}", path::PAY));
    let client = Client::builder().redirect(Policy::none()).build().unwrap();
    let submit = async |fields: &'static str, cookie: &str| {
        let request = client.post(&page).body(fields);
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        let request = request.header("x-forwarded-for", "203.0.113.7");
        let response = request.header("cookie", cookie).send().await.unwrap();
        let cookie = response.headers().get("set-cookie");
        cookie.map_or(String::new(), |cookie| cookie.to_str().unwrap().to_owned())
    };
    submit("payment-token=trx", "").await;
    let cookie = submit("action=mark", "").await;
    let (cookie, _) = cookie.split_once(';').unwrap();
    submit("action=remove", cookie).await;
    submit("action=cancel", "").await;

    let lines = lines(&program.stop());
    let expected = ["create", "mark", "unmark", "cancel"].map(|action| [action, "ok", "2026"]);
    let found: Vec<_> = lines
        .iter()
        .map(|[action, outcome, key, _]| [action, outcome, key].map(String::as_str))
        .collect();
    assert_eq!(found, expected);
}
