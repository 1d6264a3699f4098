//! Tests of slow and hostile clients, with raw bytes on a socket.

use std::time::Duration;

use serde_json::{Value, json};
use tender_protocol::{ProblemCode, path};
use tender_proxy::Secret;
use tender_sandbox::Endpoint;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{Instant, timeout};

use crate::support::{MERCHANT_KEY, WEBHOOK_SECRET, World, order, paying};

/// The timeout for headers and bodies in these tests.
const TIMEOUT: Duration = Duration::from_secs(1);

async fn world() -> World {
    World::with(|config| {
        config.access.merchant_keys = vec![Secret::from(MERCHANT_KEY)];
        config.server.request_timeout = TIMEOUT;
    })
    .await
}

async fn connect(world: &World) -> TcpStream {
    TcpStream::connect(world.proxy.address()).await.unwrap()
}

/// Reads until the proxy closes the connection.
async fn rest_of(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset closes it as well.
    let read = timeout(TIMEOUT * 10, stream.read_to_end(&mut answer)).await;
    let _ = read.expect("the proxy ends the connection");
    String::from_utf8(answer).unwrap()
}

/// The response to these bytes.
async fn answers(world: &World, bytes: &[u8]) -> String {
    let mut stream = connect(world).await;
    // The proxy may close the connection before the end.
    let _ = stream.write_all(bytes).await;
    rest_of(&mut stream).await
}

fn status(answer: &str) -> u16 {
    let status = answer.strip_prefix("HTTP/1.1 ").unwrap_or("0");
    status.split(' ').next().unwrap().parse().unwrap()
}

/// The problem code of the only response.
fn code(answer: &str) -> ProblemCode {
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let problem: Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}"));
    serde_json::from_value(problem["code"].clone()).unwrap()
}

fn head(line: &str, headers: &str) -> String {
    format!("{line} HTTP/1.1\r\nhost: pay.example\r\nconnection: close\r\n{headers}\r\n")
}

/// A valid create request, with these headers instead of its `content-length`.
fn create(headers: &str, body: &str) -> Vec<u8> {
    let headers = format!("content-type: application/json\r\n{headers}");
    let head = head(&format!("POST {}", path::PAYMENT), &headers);
    format!("{head}{body}").into_bytes()
}

fn good_body() -> String {
    paying(&order(json!({}))).to_string()
}

#[tokio::test]
async fn incomplete_headers_time_out() {
    let world = world().await;
    for begun in [
        "",
        "GET",
        "GET /healthz HTTP/1.1\r\nhost: pay.example\r\nx-a: ",
    ] {
        let mut stream = connect(&world).await;
        let begin = Instant::now();
        stream.write_all(begun.as_bytes()).await.unwrap();
        let answer = rest_of(&mut stream).await;
        assert!(answer.is_empty() || status(&answer) == 408, "{answer}");
        assert!(begin.elapsed() >= TIMEOUT / 2, "{begun:?}");
    }
}

/// Each byte arrives in time, but together they take too long.
#[tokio::test]
async fn slow_headers_time_out() {
    let world = world().await;
    let mut stream = connect(&world).await;
    let begin = Instant::now();
    stream
        .write_all(b"GET /healthz HTTP/1.1\r\n")
        .await
        .unwrap();
    while stream.write_all(b"a: b\r\n").await.is_ok() {
        assert!(begin.elapsed() < TIMEOUT * 5);
        tokio::time::sleep(TIMEOUT / 10).await;
    }
}

#[tokio::test]
async fn a_slow_body_times_out() {
    let world = world().await;
    let mut stream = connect(&world).await;
    let begin = Instant::now();
    let request = create("content-length: 1000\r\n", "{");
    stream.write_all(&request).await.unwrap();
    let (mut reader, mut writer) = stream.split();
    let drip = async {
        while writer.write_all(b" ").await.is_ok() {
            tokio::time::sleep(TIMEOUT / 10).await;
        }
    };
    let mut answer = vec![0; 4096];
    let length = tokio::select! {
        length = reader.read(&mut answer) => length.unwrap(),
        () = drip => 0,
    };
    let answer = String::from_utf8_lossy(&answer[..length]).into_owned();
    assert_eq!(status(&answer), 408, "{answer}");
    assert_eq!(code(&answer), ProblemCode::RequestTimeout);
    assert!(begin.elapsed() < TIMEOUT * 5);
}

#[tokio::test]
async fn an_idle_connection_is_closed() {
    let world = world().await;
    let mut stream = connect(&world).await;
    let request = b"GET /healthz HTTP/1.1\r\nhost: pay.example\r\n\r\n";
    for _ in 0..2 {
        stream.write_all(request).await.unwrap();
        let mut answer = [0; 4096];
        let length = stream.read(&mut answer).await.unwrap();
        assert!(answer[..length].starts_with(b"HTTP/1.1 200 OK"));
    }
    assert_eq!(rest_of(&mut stream).await, "");
}

#[tokio::test]
async fn the_number_of_connections_is_limited() {
    let world = World::with(|config| {
        config.server.max_connections = 2;
        config.server.request_timeout = TIMEOUT;
    })
    .await;
    let _idle = [connect(&world).await, connect(&world).await];
    let request = head("GET /healthz", "");
    let begin = Instant::now();
    // Until the idle connections are closed.
    let answer = answers(&world, request.as_bytes()).await;
    assert_eq!(status(&answer), 200, "{answer}");
    assert!(begin.elapsed() >= TIMEOUT / 2);
}

/// A request whose body drips, one byte at a time, until the proxy closes the connection.
async fn drip(mut stream: TcpStream, head: String) {
    if stream.write_all(head.as_bytes()).await.is_ok() {
        while stream.write_all(b" ").await.is_ok() {
            tokio::time::sleep(TIMEOUT / 5).await;
        }
    }
}

fn dripping(path: &str) -> String {
    let headers = "content-type: application/json\r\ncontent-length: 9000\r\n";
    head(&format!("POST {path}"), headers)
}

/// Strangers neither get a body read nor learn more by sending one slowly.
#[tokio::test]
async fn credentials_are_checked_before_a_body_is_read() {
    let world = World::with(|config| {
        config.access.merchant_keys = vec![Secret::from(MERCHANT_KEY)];
        config.access.webhook_secrets = vec![Secret::from(WEBHOOK_SECRET)];
        // A proxy that waited for the body would wait for longer than the test.
        config.server.request_timeout = Duration::from_hours(1);
    })
    .await;
    for (path, expected) in [
        ("/webhook/a-guess", ProblemCode::NotFound),
        (path::CANCEL, ProblemCode::CredentialsMissing),
    ] {
        let answer = answers(&world, dripping(path).as_bytes()).await;
        assert_eq!(code(&answer), expected, "{path}");
    }
}

#[tokio::test]
async fn a_slow_notification_times_out() {
    let world = World::with(|config| {
        config.access.webhook_secrets = vec![Secret::from(WEBHOOK_SECRET)];
        config.server.request_timeout = TIMEOUT;
    })
    .await;
    let path = format!("/webhook/{WEBHOOK_SECRET}");
    let mut stream = connect(&world).await;
    stream.write_all(dripping(&path).as_bytes()).await.unwrap();
    let answer = rest_of(&mut stream).await;
    assert_eq!(code(&answer), ProblemCode::RequestTimeout);
}

/// One address takes at most its own connections, whatever it does with them, so others are served.
#[tokio::test]
async fn hundreds_of_dripping_connections_stop_nobody() {
    let world = World::with(|config| {
        config.server.listen = ([0, 0, 0, 0], 0).into();
        config.server.max_connections = 60;
        config.server.max_connections_per_address = 50;
        config.server.request_timeout = Duration::from_hours(1);
    })
    .await;
    let port = world.proxy.address().port();
    let mut attack = tokio::task::JoinSet::new();
    for _ in 0..300 {
        let stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
        attack.spawn(drip(stream, dripping(path::PAYMENT)));
    }
    // All but 50 are closed by the proxy.
    for _ in 0..250 {
        let closed = timeout(TIMEOUT * 30, attack.join_next()).await;
        closed
            .expect("the proxy closes connections")
            .unwrap()
            .unwrap();
    }
    // The connections of another address are accepted.
    let socket = tokio::net::TcpSocket::new_v4().unwrap();
    socket.bind(([127, 0, 0, 2], 0).into()).unwrap();
    let proxy = ([127, 0, 0, 1], port).into();
    let mut stream = socket.connect(proxy).await.unwrap();
    let request = head(&format!("GET {}", path::TOKENS), "");
    stream.write_all(request.as_bytes()).await.unwrap();
    assert_eq!(status(&rest_of(&mut stream).await), 200);
    assert_eq!(attack.len(), 50);
}

/// The connections of a trusted proxy are those of all its clients, so requests are counted.
#[tokio::test]
async fn dripping_requests_through_a_trusted_proxy_stop_nobody() {
    let world = World::with(|config| {
        config.server.trusted_proxies = 1;
        config.server.max_connections_per_address = 2;
        config.server.request_timeout = Duration::from_hours(1);
    })
    .await;
    let from = |client: &str, request: String| {
        let forwarded = format!("\r\nx-forwarded-for: {client}\r\n");
        request.replacen("\r\n", &forwarded, 1)
    };
    let mut attack = tokio::task::JoinSet::new();
    for _ in 0..20 {
        let stream = connect(&world).await;
        let request = from("192.0.2.1", dripping(path::PAYMENT));
        attack.spawn(drip(stream, request));
    }
    for _ in 0..18 {
        let closed = timeout(TIMEOUT * 30, attack.join_next()).await;
        closed
            .expect("the proxy closes connections")
            .unwrap()
            .unwrap();
    }
    let tokens = || head(&format!("GET {}", path::TOKENS), "");
    let refused = answers(&world, from("192.0.2.1", tokens()).as_bytes()).await;
    assert_eq!(code(&refused), ProblemCode::TooManyRequests);
    let answer = answers(&world, from("192.0.2.2", tokens()).as_bytes()).await;
    assert_eq!(status(&answer), 200, "{answer}");
}

/// Health is answered at its own address while all other connections are taken.
#[tokio::test]
async fn health_is_answered_while_all_connections_are_taken() {
    let world = World::with(|config| {
        config.server.max_connections = 2;
        config.server.request_timeout = Duration::from_hours(1);
        config.server.health_listen = Some(([127, 0, 0, 1], 0).into());
    })
    .await;
    let health = world.proxy.health_address().unwrap();
    let get = async |path: &str| {
        let mut stream = TcpStream::connect(health).await.unwrap();
        let request = head(&format!("GET {path}"), "");
        stream.write_all(request.as_bytes()).await.unwrap();
        rest_of(&mut stream).await
    };
    assert_eq!(
        status(&answers(&world, head("GET /healthz", "").as_bytes()).await),
        200
    );
    let _idle = [connect(&world).await, connect(&world).await];
    for path in ["/healthz", "/readyz"] {
        let answer = get(path).await;
        assert_eq!(status(&answer), 200, "{answer}");
    }
    for path in [path::TOKENS, "/metrics", "/%FF"] {
        assert_eq!(code(&get(path).await), ProblemCode::NotFound);
    }
}

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

#[tokio::test]
async fn invalid_http_is_refused() {
    let world = world().await;
    for bytes in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /healthz HTTP/9.9\r\n\r\n",
        b"GET /healthz\r\n\r\n",
        b"GET /health\x00z HTTP/1.1\r\nhost: a\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nhost: a\r\nno colon\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nhost: a\r\nx: a\x00b\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nhost: a\r\n folded: b\r\n\r\n",
        b"GET /healthz HTTP/1.1\r\nhost : a\r\n\r\n",
        b"GET  /healthz  HTTP/1.1\r\nhost: a\r\n\r\n",
    ] {
        let answer = answers(&world, bytes).await;
        let status = status(&answer);
        assert!(status == 0 || (400..500).contains(&status), "{answer}");
    }
}

/// Headers that two servers in a row may interpret differently.
#[tokio::test]
async fn repeated_singleton_headers_are_refused() {
    let world = world().await;
    let length = format!("content-length: {}\r\n", good_body().len());
    for twice in [
        "content-type: application/json\r\n".to_owned(),
        "host: other.example\r\n".to_owned(),
        "authorization: Bearer a\r\nauthorization: Bearer b\r\n".to_owned(),
        "idempotency-key: a\r\nidempotency-key: b\r\n".to_owned(),
    ] {
        let request = create(&format!("{length}{twice}"), &good_body());
        let answer = answers(&world, &request).await;
        assert_eq!(code(&answer), ProblemCode::InvalidRequest, "{twice}");
    }
    let without_host = "GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n";
    let answer = answers(&world, without_host.as_bytes()).await;
    assert_eq!(code(&answer), ProblemCode::InvalidRequest);
    assert_eq!(world.calls(Endpoint::Create), 0);
}

/// The end of a request is never ambiguous: none of these creates a payment or gets a second
/// response.
#[tokio::test]
async fn requests_cannot_be_smuggled() {
    let world = world().await;
    let body = good_body();
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let inner = head("GET /healthz", "");
    let length = body.len();
    for (headers, body) in [
        // Two content lengths.
        (
            format!("content-length: {length}\r\ncontent-length: 0\r\n"),
            body.clone(),
        ),
        (format!("content-length: {length}, 0\r\n"), body.clone()),
        // Two transfer encodings, and invalid ones.
        (
            "transfer-encoding: chunked\r\ntransfer-encoding: identity\r\n".to_owned(),
            chunked.clone(),
        ),
        (
            "transfer-encoding: xchunked\r\n".to_owned(),
            chunked.clone(),
        ),
        (
            "transfer-encoding: identity, gzip\r\n".to_owned(),
            chunked.clone(),
        ),
        (
            "transfer-encoding : chunked\r\n".to_owned(),
            chunked.clone(),
        ),
        // Invalid content lengths.
        (format!("content-length: +{length}\r\n"), body.clone()),
        (format!("content-length: 0x{length:x}\r\n"), body.clone()),
        ("content-length: -1\r\n".to_owned(), body.clone()),
        (
            "content-length: 99999999999999999999\r\n".to_owned(),
            body.clone(),
        ),
        // Invalid chunks.
        (
            "transfer-encoding: chunked\r\n".to_owned(),
            format!("+{chunked}{inner}"),
        ),
        (
            "transfer-encoding: chunked\r\n".to_owned(),
            format!("fffffffffffffffff\r\n{body}\r\n0\r\n\r\n{inner}"),
        ),
    ] {
        let request = create(&headers, &body);
        let answer = answers(&world, &request).await;
        let status = status(&answer);
        assert!(
            status == 0 || (400..500).contains(&status),
            "{headers}{answer}"
        );
        assert!(
            answer.matches("HTTP/1.1 ").count() <= 1,
            "{headers}{answer}"
        );
        assert_eq!(world.calls(Endpoint::Create), 0, "{headers}");
    }
}

/// With both a length and chunks, the chunks count (RFC 9112, section 6.1), in either order.
/// Nothing after them is read, and the connection is closed.
#[tokio::test]
async fn a_content_length_with_chunks_cannot_smuggle() {
    let world = world().await;
    let body = good_body();
    let chunked = format!("{:x}\r\n{body}\r\n0\r\n\r\n", body.len());
    let hidden = format!("GET {} HTTP/1.1\r\nhost: a\r\n\r\n", path::TOKENS);
    for lengths in [
        format!(
            "content-length: {}\r\ntransfer-encoding: chunked\r\n",
            chunked.len()
        ),
        "content-length: 4\r\ntransfer-encoding: chunked\r\n".to_owned(),
        "transfer-encoding: chunked\r\ncontent-length: 4\r\n".to_owned(),
        "transfer-encoding: chunked\r\n".to_owned(),
    ] {
        let request = String::from_utf8(create(&lengths, &format!("{chunked}{hidden}"))).unwrap();
        let request = request.replace("connection: close\r\n", "");
        let answer = answers(&world, request.as_bytes()).await;
        assert_eq!(status(&answer), 200, "{answer}");
        assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    }
    assert_eq!(world.calls(Endpoint::Create), 1);
    assert_eq!(world.calls(Endpoint::Tokens), 0);
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

/// Other spellings of a path are not accepted, and none leaves the widget's directory.
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
        "/v1/../../../../../../etc/passwd",
        "/v1/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
        "/v1/..\\..\\etc\\passwd",
        "/v1//checkout.js",
        "/v1/./checkout.js",
        "/v1/checkout.js%00.txt",
        "/api/v1//payment/list",
        "/api/v1/payment/%2e%2e/rates/my-tokens",
        "/metrics",
        "*",
    ] {
        let headers = format!("authorization: Bearer {MERCHANT_KEY}\r\n");
        let answer = answers(&world, head(&format!("GET {path}"), &headers).as_bytes()).await;
        let status = status(&answer);
        assert!([400, 404, 405].contains(&status), "{path}: {answer}");
        assert!(!answer.contains("root:"), "{path}");
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

/// Exactly one bearer token.
#[tokio::test]
async fn only_bearer_credentials_are_accepted() {
    let world = world().await;
    for value in [
        "",
        "Bearer",
        "Bearer ",
        "Basic dXNlcjpwYXNz",
        "bearer:x",
        "Bearer\tx",
        "Bearer \u{e9}",
    ] {
        let headers = format!("authorization: {value}\r\n");
        let list = format!("GET {}", path::LIST);
        let answer = answers(&world, head(&list, &headers).as_bytes()).await;
        let status = status(&answer);
        assert!([401, 403].contains(&status), "{value}: {answer}");
    }
    let two = format!("authorization: Bearer {MERCHANT_KEY} {MERCHANT_KEY}\r\n");
    let answer = answers(
        &world,
        head(&format!("GET {}", path::LIST), &two).as_bytes(),
    )
    .await;
    assert_eq!(code(&answer), ProblemCode::CredentialsInvalid);
}
