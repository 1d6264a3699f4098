//! HTTPS before the proxy, as shops have it.

use tender_programs::Server;

use super::nginx::serve_nginx;

/// nginx with a certificate that it has signed itself, which the browsers of the tests accept. Dropping it stops the process.
pub(crate) struct Tls {
    pub(crate) nginx: Server,
    /// In PEM.
    pub(crate) certificate: String,
}

impl Tls {
    /// With these locations; `None`, with a message, without nginx.
    pub(crate) async fn serve(locations: &str) -> Option<Self> {
        let hosts = ["127.0.0.1", "pay.shop.example"].map(str::to_owned);
        let certified = rcgen::generate_simple_self_signed(hosts).unwrap();
        let certificate = certified.cert.pem();
        let tls = [certificate.clone(), certified.signing_key.serialize_pem()];
        let nginx = serve_nginx(locations, Some(tls)).await?;
        Some(Self { nginx, certificate })
    }

    pub(crate) fn origin(&self) -> String {
        self.nginx.url("").replace("http://", "https://")
    }
}
