//! Tests that TLS to the service is verified.

use std::fs;

use axum::http::StatusCode;
use tempfile::TempDir;
use tender_protocol::path;

use crate::support::{PROXY_VARIABLES, Program, sandbox, with_service};
use crate::tls_server::tls;

#[tokio::test]
async fn only_a_trusted_service_is_called() {
    let sandbox = sandbox().await;
    let rates = sandbox.rates_base_url().strip_prefix("http://").unwrap();
    let (port, certificate) = tls("127.0.0.1", rates.parse().unwrap()).await;
    let (_, other_certificate) = tls("127.0.0.1", rates.parse().unwrap()).await;
    let address = format!("https://127.0.0.1:{port}");
    let directory = TempDir::new().unwrap();
    for (trusted, status) in [
        (certificate, StatusCode::OK),
        (other_certificate, StatusCode::BAD_GATEWAY),
    ] {
        let file = directory.path().join("trusted.pem");
        fs::write(&file, trusted).unwrap();
        let mut command = with_service(&address, &address, &["--allow-unsigned-orders"]);
        command.env("SSL_CERT_FILE", &file);
        // The service's credentials are sent to no other proxy.
        for name in PROXY_VARIABLES {
            command.env(name, "http://127.0.0.1:9");
        }
        let program = Program::start(command);
        let answer = reqwest::get(program.url(path::TOKENS)).await.unwrap();
        assert_eq!(answer.status(), status);
    }
}
