//! Tests of slow clients, and of clients with many connections.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, timeout};

use crate::prelude::*;
use crate::socket::{TIMEOUT, answers, code, connect, head, rest_of, status, world};

#[tokio::test]
async fn incomplete_headers_time_out() {
    let world = world().await;
    let headers = "GET /healthz HTTP/1.1\r\nhost: pay.example\r\nx-a: ";
    for sent in ["", "GET", headers] {
        let mut stream = connect(&world).await;
        let begin = Instant::now();
        stream.write_all(sent.as_bytes()).await.unwrap();
        let answer = rest_of(&mut stream).await;
        assert!(answer.is_empty() || status(&answer) == 408, "{answer}");
        assert!(begin.elapsed() >= TIMEOUT / 2, "{sent:?}");
    }
    // Each byte arrives in time, but together they take too long.
    let mut stream = connect(&world).await;
    let begin = Instant::now();
    let created = stream.write_all(b"GET /healthz HTTP/1.1\r\n").await;
    created.unwrap();
    while stream.write_all(b"a: b\r\n").await.is_ok() {
        assert!(begin.elapsed() < TIMEOUT * 30);
        tokio::time::sleep(TIMEOUT / 10).await;
    }
}

#[tokio::test]
async fn a_slow_body_times_out() {
    let world = world().await;
    let webhook = format!("/webhook/{WEBHOOK_SECRET}");
    for path in [path::PAYMENT, &webhook] {
        let mut stream = connect(&world).await;
        let begin = Instant::now();
        stream.write_all(dripping(path).as_bytes()).await.unwrap();
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
        assert!(begin.elapsed() < TIMEOUT * 30);
    }
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

fn dripping(path: &str) -> String {
    let headers = "content-type: application/json\r\ncontent-length: 9000\r\n";
    head(&format!("POST {path}"), headers)
}

/// Strangers neither get a body read nor learn more by sending one slowly.
#[tokio::test]
async fn credentials_are_checked_before_a_body_is_read() {
    let world = World::with(|config| {
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

/// The connections of a trusted proxy are those of all its clients, so requests are counted.
#[tokio::test]
async fn slow_requests_through_a_trusted_proxy_block_no_other_client() {
    let world = World::with(|config| {
        config.server.trusted_proxies = 1;
        config.server.request_timeout = Duration::from_hours(1);
    })
    .await;
    let from = |client: &str, request: String| {
        let forwarded = format!("\r\nx-forwarded-for: {client}\r\n");
        request.replacen("\r\n", &forwarded, 1)
    };
    let mut attack = JoinSet::new();
    // At most 100 requests of a client are in progress.
    for _ in 0..110 {
        let mut stream = connect(&world).await;
        let request = from("192.0.2.1", dripping(path::PAYMENT));
        attack.spawn(async move {
            let mut sent = stream.write_all(request.as_bytes()).await;
            while sent.is_ok() {
                tokio::time::sleep(TIMEOUT / 5).await;
                sent = stream.write_all(b" ").await;
            }
        });
    }
    for _ in 0..10 {
        let closed = timeout(TIMEOUT * 30, attack.join_next()).await;
        closed.expect("the proxy closes it").unwrap().unwrap();
    }
    let tokens = || head(&format!("GET {}", path::TOKENS), "");
    let refused = answers(&world, from("192.0.2.1", tokens()).as_bytes()).await;
    assert_eq!(code(&refused), ProblemCode::TooManyRequests);
    let answer = answers(&world, from("192.0.2.2", tokens()).as_bytes()).await;
    assert_eq!(status(&answer), 200, "{answer}");
}

/// The operator's address answers while all other connections are taken.
#[tokio::test]
async fn the_operator_is_answered_while_all_connections_are_taken() {
    let world = World::with(|config| {
        config.server.max_connections = 2;
        config.server.request_timeout = Duration::from_hours(1);
        config.server.metrics_listen = Some(([127, 0, 0, 1], 0).into());
    })
    .await;
    let operator = world.proxy.metrics_address().unwrap();
    let get = async |path: &str| {
        let mut stream = TcpStream::connect(operator).await.unwrap();
        let request = head(&format!("GET {path}"), "");
        stream.write_all(request.as_bytes()).await.unwrap();
        rest_of(&mut stream).await
    };
    let health = answers(&world, head("GET /healthz", "").as_bytes()).await;
    assert_eq!(status(&health), 200);
    let _idle = [connect(&world).await, connect(&world).await];
    for path in ["/healthz", "/readyz", "/metrics"] {
        let answer = get(path).await;
        assert_eq!(status(&answer), 200, "{answer}");
    }
    for path in [path::TOKENS, path::PAYMENT, "/v1/checkout.js", "/%FF"] {
        assert_eq!(code(&get(path).await), ProblemCode::NotFound);
    }
}
