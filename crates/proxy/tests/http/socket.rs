//! Test support: raw bytes on a socket to the proxy.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::timeout;

use crate::prelude::*;

/// The timeout for headers and bodies in these tests.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(1);

pub(crate) async fn world() -> World {
    World::with(|config| config.server.request_timeout = TIMEOUT).await
}

pub(crate) async fn connect(world: &World) -> TcpStream {
    TcpStream::connect(world.proxy.address()).await.unwrap()
}

/// Reads until the proxy closes the connection.
pub(crate) async fn rest_of(stream: &mut TcpStream) -> String {
    let mut answer = Vec::new();
    // A reset closes it as well.
    let read = timeout(TIMEOUT * 10, stream.read_to_end(&mut answer)).await;
    let _ = read.expect("the proxy ends the connection");
    String::from_utf8(answer).unwrap()
}

/// The response to these bytes.
pub(crate) async fn answers(world: &World, bytes: &[u8]) -> String {
    let mut stream = connect(world).await;
    // The proxy may close the connection before the end.
    let _ = stream.write_all(bytes).await;
    rest_of(&mut stream).await
}

pub(crate) fn status(answer: &str) -> u16 {
    let status = answer.strip_prefix("HTTP/1.1 ").unwrap_or("0");
    status.split(' ').next().unwrap().parse().unwrap()
}

/// The problem code of the only response.
pub(crate) fn code(answer: &str) -> ProblemCode {
    assert_eq!(answer.matches("HTTP/1.1 ").count(), 1, "{answer}");
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let problem: Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("{answer}"));
    serde_json::from_value(problem["code"].clone()).unwrap()
}

pub(crate) fn head(line: &str, headers: &str) -> String {
    format!("{line} HTTP/1.1\r\nhost: pay.example\r\nconnection: close\r\n{headers}\r\n")
}

/// A valid create request, with these headers instead of its `content-length`.
pub(crate) fn create(headers: &str, body: &str) -> Vec<u8> {
    let headers = format!("content-type: application/json\r\n{headers}");
    let head = head(&format!("POST {}", path::PAYMENT), &headers);
    format!("{head}{body}").into_bytes()
}
