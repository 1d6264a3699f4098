//! Tests of the command `health`.

use std::net::TcpListener;
use std::process::Output;

use crate::support::{Program, command, sandbox, with_sandbox};

/// Asks without blocking the servers of the test.
async fn ask(url: String) -> Output {
    let asked = tokio::task::spawn_blocking(|| command().arg("health").arg(url).output());
    asked.await.unwrap().unwrap()
}

#[tokio::test]
async fn the_exit_code_tells_whether_the_proxy_responds() {
    let sandbox = sandbox().await;
    let mut command = with_sandbox(&sandbox);
    command.arg("--allow-unsigned-orders");
    let program = Program::start(command);
    let healthy = ask(program.url("/healthz")).await;
    assert!(
        healthy.status.success() && healthy.stderr.is_empty(),
        "{healthy:?}"
    );

    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    for (url, cause) in [
        (program.url("/v1/nothing.js"), "404"),
        (format!("http://{closed}/healthz"), "onnect"),
    ] {
        let unhealthy = ask(url).await;
        assert_eq!(unhealthy.status.code(), Some(1), "{unhealthy:?}");
        let error = String::from_utf8(unhealthy.stderr).unwrap();
        assert!(error.contains(cause), "{error}");
    }
}
