//! A TLS server with a self-signed certificate.

use std::net::SocketAddr;
use std::sync::Arc;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::pki_types::PrivateKeyDer;

/// Forwards connections, with a certificate for this host. Returns its port and the certificate in PEM.
pub(crate) async fn tls(host: &str, to: SocketAddr) -> (u16, String) {
    let made = rcgen::generate_simple_self_signed([host.to_owned()]).unwrap();
    let key = PrivateKeyDer::try_from(made.signing_key.serialize_der()).unwrap();
    let server = ServerConfig::builder().with_no_client_auth();
    let server = server.with_single_cert(vec![made.cert.der().clone()], key);
    let acceptor = TlsAcceptor::from(Arc::new(server.unwrap()));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        loop {
            let (stream, _) = listener.accept().await.unwrap();
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                // A client that does not trust the certificate aborts the handshake.
                if let Ok(mut stream) = acceptor.accept(stream).await {
                    let mut server = TcpStream::connect(to).await.unwrap();
                    // The client may end the connection in any way.
                    let _ = copy_bidirectional(&mut stream, &mut server).await;
                }
            });
        }
    });
    (port, made.cert.pem())
}
