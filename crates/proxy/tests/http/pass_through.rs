//! Tests that requests and responses are passed on with all digits, and what is not passed on.

use axum::http::HeaderName;
use axum::response::Redirect;
use serde_json::value::{RawValue, to_raw_value};
use tender_sandbox::RequiredHeader;

use crate::bodies::claims;
use crate::prelude::*;
use crate::recorder::Recorder;

/// Amounts as the page writes them, and as the service gets them.
const AMOUNTS: [(&str, &str); 7] = [
    ("1e-8", "0.00000001"),
    ("0.00000001", "0.00000001"),
    ("1.10000000", "1.10000000"),
    ("\"1.10000000\"", "1.10000000"),
    ("123456789012.12345678", "123456789012.12345678"),
    (
        "123456789012345678901234567890",
        "123456789012345678901234567890",
    ),
    (
        "0.123456789012345678901234567890",
        "0.123456789012345678901234567890",
    ),
];

const CREATED: &str = r#"{"transactionId":"t","token":"USDTT","paymentToken":"TRX",
    "quantity":123456789012345678901234567890.10,"quantityPay":1e-8,"priceUsd":1.10000000,
    "statusId":"1","statusText":"Created","wallet":"w","new":{"a":[1.0,null]},"itemNumber":null}"#;

/// The record of a payment of this quantity.
fn created(quantity: &str) -> String {
    CREATED.replace("123456789012345678901234567890.10", quantity)
}

#[tokio::test]
async fn amounts_reach_the_service_with_all_digits() {
    for (written, sent) in AMOUNTS {
        // Its decimals are not known.
        let kxp = || json!({ "token": "kxp" });
        let quantity = format!(r#""quantity":{written}"#);
        let of = |body: Value| body.to_string().replace(r#""quantity":"25.00""#, &quantity);
        let page = of(plain(kxp()));
        let claims = RawValue::from_string(of(claims(kxp()))).unwrap();
        let key = jsonwebtoken::EncodingKey::from_secret(ORDER_SECRET.as_bytes());
        let order = jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).unwrap();

        for body in [page, paying(&order).to_string()] {
            let service = Recorder::answering(created(sent).replace("USDTT", "KXP")).await;
            let world = World::with(|config| {
                config.upstream.base_url = service.address.parse().unwrap();
                config.orders.allow_unsigned = true;
            })
            .await;
            let request = world.request(Method::POST, path::PAYMENT);
            let request = request.header("content-type", "application/json");
            Answer::to(request.body(body)).await.succeeds();

            let sent = format!(r#""quantity":{sent},"#);
            let body = service.only().body;
            assert!(body.contains(&sent), "{written}: {body}");
        }
    }
}

#[tokio::test]
async fn a_response_is_unchanged_except_for_the_receipt() {
    let world = World::new().await;
    world.inject(Fault::respond(StatusCode::OK, CREATED));
    let quantity = "123456789012345678901234567890.10";
    let order = order(json!({ "quantity": quantity }));
    let answer = world.create(&paying(&order)).await;
    let receipt = to_raw_value(&answer.receipt()).unwrap();
    let without_space = |text: &str| text.split_whitespace().collect::<String>();
    let fields = without_space(CREATED);
    let fields = fields.strip_suffix('}').unwrap();
    assert_eq!(
        without_space(&answer.body),
        format!("{fields},\"receipt\":{receipt}}}")
    );
}

#[tokio::test]
async fn the_service_gets_the_documented_fields_and_the_configured_headers() {
    let service = Recorder::answering(created("25.00")).await;
    let world = World::with(|config| {
        config.upstream.base_url = format!("{}/base", service.address).parse().unwrap();
        config.upstream.headers = ["x-key: one", "x-key: two"]
            .map(|header| header.parse().unwrap())
            .into();
    })
    .await;
    let mut body = paying(&order(
        json!({ "purchaseEmail": "a@shop.example", "itemNumber": "2" }),
    ));
    body["extra"] = json!("from the page");
    // An empty form field.
    body["purchaseName"] = json!(" ");
    let request = world.post(path::PAYMENT, &body);
    let request = request
        .header("cookie", "a=b")
        .header("idempotency-key", "k");
    let request = request.header("authorization", "Bearer x");
    Answer::to(request).await.succeeds();

    let sent = service.only();
    assert_eq!(sent.line, "POST /base/api/v1/payment");
    assert_eq!(
        sent.body,
        r#"{"token":"usdtt","quantity":25.00,"paymentToken":"trx","invoiceNumber":"INV-1","purchaseEmail":"a@shop.example","itemNumber":"2"}"#
    );
    let keys: Vec<_> = sent.headers.get_all("x-key").iter().collect();
    assert_eq!(keys, ["one", "two"]);
    let mut names: Vec<_> = sent.headers.keys().map(HeaderName::as_str).collect();
    names.sort_unstable();
    assert_eq!(
        names.join(" "),
        "accept content-length content-type host user-agent x-key"
    );
}

#[tokio::test]
async fn every_call_has_the_configured_headers() {
    let mut sandbox = tender_sandbox::Config::on_free_ports();
    let required: RequiredHeader = "Authorization: Bearer upstream".parse().unwrap();
    sandbox.require_header = Some(required);
    let world = World::before(sandbox.clone(), |config| {
        let header = "Authorization: Bearer upstream".parse().unwrap();
        config.upstream.headers.push(header);
    })
    .await;
    world.get(path::TOKENS).await.succeeds();
    let created = world.create(&paying(&order(json!({})))).await;
    world.cancel_created(&created).await.succeeds();

    let without = World::before(sandbox, |_| {}).await;
    let refused = without.get(path::TOKENS).await;
    refused.is_refused_as(ProblemCode::ServiceRefused);
}

#[tokio::test]
async fn errors_reveal_nothing_about_the_service() {
    const MARK: &str = "internal-detail";
    let world = World::new().await;
    let statuses = [200, 301, 302, 400, 401, 404, 429, 500, 503];
    for (number, status) in statuses.into_iter().enumerate() {
        let status = StatusCode::from_u16(status).unwrap();
        let body = format!(r#"{{"transactionId":["{MARK}"]}}"#);
        world.inject(Fault::respond(status, body).on(Endpoint::Create).once());
        let order = order(json!({ "invoiceNumber": format!("INV-{number}") }));
        let answer = world.create(&paying(&order)).await;
        answer.is_refused_as(match status.as_u16() {
            200 => ProblemCode::ServiceUnreadable,
            400..500 => ProblemCode::ServiceRefused,
            _ => ProblemCode::ServiceFailed,
        });
        let all = format!("{answer:?}");
        let address = world.sandbox.base_url().trim_start_matches("http://");
        assert!(!all.contains(MARK) && !all.contains(address), "{all}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let elsewhere = Recorder::answering(CREATED).await;
    let redirect = Redirect::temporary(&elsewhere.address);
    let service = Recorder::answering(redirect).await;
    let world = World::with(|config| {
        config.upstream.base_url = service.address.parse().unwrap();
        config.upstream.rates_base_url = service.address.parse().unwrap();
    })
    .await;
    let refused = world.get(path::TOKENS).await;
    refused.is_refused_as(ProblemCode::ServiceFailed);
    let answer = world.create(&paying(&order(json!({})))).await;
    answer.is_refused_as(ProblemCode::ServiceFailed);
    assert!(!answer.headers.contains_key("location"));
    assert!(elsewhere.requests().is_empty());
}

#[tokio::test]
async fn an_endless_response_is_aborted() {
    let world = World::new().await;
    let long = format!("[{}]", " ".repeat(5 << 20));
    world.inject(Fault::respond(StatusCode::OK, long));
    let refused = world.get(path::TOKENS).await;
    refused.is_refused_as(ProblemCode::ServiceUnreadable);
}
