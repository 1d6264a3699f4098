//! Tests of the command `health`.

use std::net::TcpListener;

use crate::done::Done;
use crate::support::{Program, command, sandbox, with_sandbox};

#[tokio::test(flavor = "multi_thread")]
async fn the_exit_code_tells_whether_the_proxy_responds() {
    let sandbox = sandbox().await;
    let program = Program::start(with_sandbox(&sandbox, &["--allow-unsigned-orders"]));
    let ask = |url: &str| Done::of(command().args(["health", url]));
    assert_eq!(ask(&program.url("/healthz")).is(0).err, "");

    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    for (url, cause) in [
        (program.url("/v1/nothing.js"), "404"),
        (format!("http://{closed}/healthz"), "onnect"),
    ] {
        ask(&url).is(1).reports(cause);
    }
    for other in ["localhost:8081", "127.0.0.1:8081", "ftp://127.0.0.1"] {
        ask(other)
            .is(2)
            .reports("write an http or https address, such as http://");
    }
}
