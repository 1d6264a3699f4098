//! Tests that TLS to the service is verified.

use std::fs;
use std::sync::Arc;

use axum::http::StatusCode;
use tempfile::TempDir;
use tender_protocol::path;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

use crate::support::{PROXY_VARIABLES, Program, with_service};

/// A service with a self-signed certificate for 127.0.0.1. Returns its URL and the certificate in
/// PEM.
async fn service() -> (String, String) {
    let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let certificates = vec![made.cert.der().clone()];
    let server = ServerConfig::builder().with_no_client_auth();
    let acceptor = TlsAcceptor::from(Arc::new(
        server.with_single_cert(certificates, key).unwrap(),
    ));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://{}", listener.local_addr().unwrap());
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            // A client that does not trust the certificate aborts the handshake.
            if let Ok(mut stream) = acceptor.accept(stream).await {
                let mut request = [0; 4096];
                let _ = stream.read(&mut request).await.unwrap();
                let answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\n[]";
                stream.write_all(answer.as_bytes()).await.unwrap();
                stream.shutdown().await.unwrap();
            }
        }
    });
    (address, made.cert.pem())
}

#[tokio::test]
async fn only_a_trusted_service_is_called() {
    let (address, certificate) = service().await;
    let (_, other_certificate) = service().await;
    let directory = TempDir::new().unwrap();
    for (trusted, status) in [
        (certificate, StatusCode::OK),
        (other_certificate, StatusCode::BAD_GATEWAY),
    ] {
        let file = directory.path().join("trusted.pem");
        fs::write(&file, trusted).unwrap();
        let mut command = with_service(&address, &address);
        command.arg("--allow-unsigned-orders");
        command.env("SSL_CERT_FILE", &file);
        // The service's credentials are sent to no other proxy.
        for name in PROXY_VARIABLES {
            command.env(name, "http://127.0.0.1:9");
        }
        let program = Program::start(command);
        let answer = reqwest::get(program.url(path::TOKENS)).await.unwrap();
        assert_eq!(answer.status(), status);
        program.terminate();
        program.end();
    }
}
