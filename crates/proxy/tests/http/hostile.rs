//! Tests of hostile requests, with raw bytes on a socket.

use tokio::io::AsyncWriteExt;

use crate::prelude::*;
use crate::socket::{answers, code, connect, create, head, rest_of, status, world};

#[tokio::test]
async fn the_length_of_headers_is_limited() {
    let world = world().await;
    let many = "x: 1\r\n".repeat(70);
    let long = format!("x-long: {}\r\n", "x".repeat(20 << 10));
    for headers in [&many, &long] {
        let answer = answers(&world, head("GET /healthz", headers).as_bytes()).await;
        assert_eq!(status(&answer), 431, "{answer}");
    }
    for length in [20 << 10, 100 << 10] {
        let line = format!("GET /healthz?{}", "x".repeat(length));
        let answer = answers(&world, head(&line, "").as_bytes()).await;
        assert!([414, 431].contains(&status(&answer)), "{answer}");
    }
    let few = "x: 1\r\n".repeat(40);
    let answer = answers(&world, head("GET /healthz", &few).as_bytes()).await;
    assert_eq!(status(&answer), 200, "{answer}");
}

/// None of these creates a payment or gets a second response.
#[tokio::test]
async fn requests_cannot_be_smuggled() {
    let world = world().await;
    let body = paying(&order(json!({}))).to_string();
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let inner = head("GET /healthz", "");
    let length = body.len().to_string();
    let signed = format!("+{chunked}{inner}");
    let overflow = format!("fffffffffffffffff\r\n{body}\r\n0\r\n\r\n{inner}");
    for (headers, body) in [
        // Two content lengths.
        ("content-length: LENGTH\r\ncontent-length: 0", &body),
        ("content-length: LENGTH, 0", &body),
        // Two transfer encodings, and invalid ones.
        (
            "transfer-encoding: chunked\r\ntransfer-encoding: identity",
            &chunked,
        ),
        ("transfer-encoding: xchunked", &chunked),
        ("transfer-encoding: identity, gzip", &chunked),
        ("transfer-encoding : chunked", &chunked),
        // Invalid content lengths.
        ("content-length: +LENGTH", &body),
        ("content-length: 0xLENGTH", &body),
        ("content-length: -1", &body),
        ("content-length: 99999999999999999999", &body),
        // Invalid chunks.
        ("transfer-encoding: chunked", &signed),
        ("transfer-encoding: chunked", &overflow),
    ] {
        let headers = headers.replace("LENGTH", &length);
        let request = create(&format!("{headers}\r\n"), body);
        let answer = answers(&world, &request).await;
        let status = status(&answer);
        let is_refused = status == 0 || (400..500).contains(&status);
        assert!(is_refused, "{headers}{answer}");
        let count = answer.matches("HTTP/1.1 ").count();
        assert!(count <= 1, "{headers}{answer}");
        assert_eq!(world.calls(Endpoint::Create), 0, "{headers}");
    }
}

#[tokio::test]
async fn the_length_of_a_body_is_limited() {
    let world = world().await;
    let spaces = " ".repeat(17 << 10);
    let chunks = format!("{:x}\r\n{spaces}\r\n0\r\n\r\n", spaces.len());
    for (headers, body) in [
        (format!("content-length: {}\r\n", spaces.len()), &*spaces),
        ("content-length: 999999999999\r\n".to_owned(), ""),
        ("transfer-encoding: chunked\r\n".to_owned(), &*chunks),
    ] {
        let answer = answers(&world, &create(&headers, body)).await;
        assert_eq!(code(&answer), ProblemCode::PayloadTooLarge, "{headers}");
    }
}

/// A client that goes on sending after it was refused gets the answer instead of a reset, as servers in front of the proxy
/// need it.
#[tokio::test]
async fn the_rest_of_a_refused_body_is_read() {
    let world = world().await;
    let part = "x".repeat(16 << 10);
    let length = format!("content-length: {}\r\n", 40 * part.len());
    let json = format!("content-type: application/json\r\n{length}");
    for (path, headers, expected) in [
        (path::PAYMENT, &json, ProblemCode::PayloadTooLarge),
        (path::PAYMENT, &length, ProblemCode::UnsupportedMediaType),
        (path::CANCEL, &json, ProblemCode::CredentialsMissing),
        ("/nowhere", &json, ProblemCode::NotFound),
    ] {
        let mut stream = connect(&world).await;
        let head = head(&format!("POST {path}"), headers);
        stream.write_all(head.as_bytes()).await.unwrap();
        stream.readable().await.unwrap();
        for _ in 0..40 {
            stream.write_all(part.as_bytes()).await.unwrap();
        }
        assert_eq!(code(&rest_of(&mut stream).await), expected, "{path}");
    }
}

/// Other spellings of a path are not accepted.
#[tokio::test]
async fn other_spellings_of_a_path_are_not_found() {
    let world = world().await;
    for path in [
        "//healthz",
        "/./healthz",
        "/healthz/",
        "/%68ealthz/..",
        "/x/../healthz",
        "/healthz%00",
        "/healthz%2f",
        "/healthz;x",
        "/HEALTHZ",
        "/v1/../healthz",
        "/v1/%2e%2e/healthz",
        "/v1/..%2fhealthz",
        "/api/v1//payment/list",
        "/api/v1/payment/%2e%2e/rates/my-tokens",
        "/metrics",
        "*",
    ] {
        let headers = format!("authorization: Bearer {MERCHANT_KEY}\r\n");
        let answer = answers(&world, head(&format!("GET {path}"), &headers).as_bytes()).await;
        let status = status(&answer);
        assert!([400, 404, 405].contains(&status), "{path}: {answer}");
    }
    assert_eq!(world.calls(Endpoint::List), 0);
    assert_eq!(world.calls(Endpoint::Tokens), 0);
}

/// The proxy does not forward to other addresses.
#[tokio::test]
async fn it_is_not_an_open_proxy() {
    let world = world().await;
    let rates = world.sandbox.rates_base_url();
    let elsewhere = format!("GET {rates}/elsewhere");
    let answer = answers(&world, head(&elsewhere, "").as_bytes()).await;
    assert_eq!(status(&answer), 404, "{answer}");
    let answer = answers(&world, head("CONNECT pay.example:443", "").as_bytes()).await;
    assert!((400..500).contains(&status(&answer)), "{answer}");
    assert_eq!(world.calls(Endpoint::Tokens), 0);
}
