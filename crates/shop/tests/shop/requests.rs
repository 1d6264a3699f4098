//! Requests of strangers: none makes an order, ends a program, or shows what is inside.

use std::time::Duration;

use tender_programs::shops::{Example, GO, NODE, PHP, PYTHON, RUBY};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::programs::{BACKEND, QUICK_START, QUICK_START_IN_PHP, RUST};
use crate::receiver::Receiver;

/// Each is refused by all programs.
const REFUSED: [&str; 22] = [
    "HEAD /",
    "POST /",
    "GET /%",
    "GET /%00",
    "GET /%ff",
    "GET /%c0%af",
    "GET /.env",
    "GET /shop.js",
    "GET /..%2fdist-private/.env",
    "GET /..%2fdist-private%2f.env",
    "GET /../dist-private/.env",
    "GET /%2e%2e/%2e%2e/etc/passwd",
    "GET /..%5c..%5cetc%5cpasswd",
    "GET /orders/",
    "GET /orders/%",
    "GET /orders/%00",
    "GET /orders/INV-1%00",
    "GET /orders/%ff",
    "GET /orders/..%2fINV-1",
    "GET /orders/%3Cscript%3E",
    "GET /orders/INV-1/x",
    "GET /notifications",
];

/// The files of the server that the backend must not serve, and lines of stack traces.
const INSIDE: [&str; 7] = [
    "hidden",
    "root:",
    "    at ",
    "Traceback",
    "node_modules",
    "goroutine",
    "Stack trace",
];

/// The response to a request, as it was sent.
async fn response_to(shop: &Receiver, request: &str) -> String {
    let mut stream = TcpStream::connect(shop.program.address).await.unwrap();
    let request = format!("{request} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut response = Vec::new();
    stream.read_to_end(&mut response).await.unwrap();
    String::from_utf8_lossy(&response).into_owned()
}

async fn refuses_what_is_no_page(example: &Example) {
    let Some(shop) = Receiver::start(example, false).await else {
        return;
    };
    for request in REFUSED {
        let response = response_to(&shop, request).await;
        let status = response.split(' ').nth(1).unwrap_or_default();
        // A redirect leads to the path without its dots.
        let is_refused = ["301", "307", "400", "403", "404", "405"].contains(&status);
        // It answers HEAD itself, and makes nothing.
        let is_harmless = is_static(example) && request.starts_with("HEAD");
        assert!(is_refused || is_harmless, "{request}: {response}");
        for text in INSIDE {
            assert!(!response.contains(text), "{request}: {response}");
        }
        assert_eq!(shop.orders().await, 0, "{request}");
    }
}

fn is_static(example: &Example) -> bool {
    example.folder == BACKEND.folder
}

async fn outlives_its_connections(example: &Example) {
    let Some(shop) = Receiver::start(example, false).await else {
        return;
    };
    shop.sell("INV-1", "48.50").await;
    assert_eq!(shop.status_of("/orders/INV-1").await.unwrap(), 200);
    shop.close_connections().await;
    // It may notice that only when it uses one.
    let serves_again = async { while shop.status_of("/orders/INV-1").await.unwrap() != 200 {} };
    timeout(Duration::from_mins(1), serves_again).await.unwrap();
}

mod strangers {
    use super::*;

    in_languages!(refuses_what_is_no_page: node = NODE, python = PYTHON, ruby = RUBY, php = PHP, go = GO, rust = RUST,
        backend = BACKEND, quick_start = QUICK_START, quick_start_in_php = QUICK_START_IN_PHP);
}

mod restarts {
    use super::*;

    in_languages!(outlives_its_connections: node = NODE, python = PYTHON, ruby = RUBY, php = PHP, go = GO);
}
