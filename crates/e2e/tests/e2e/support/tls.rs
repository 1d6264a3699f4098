//! HTTPS before the proxy, as shops have it.

use super::nginx::{Nginx, block};

/// nginx with a certificate that it has signed itself, which the browsers of the tests accept. Dropping it stops the process.
pub(crate) struct Tls {
    pub(crate) nginx: Nginx,
    /// In PEM.
    pub(crate) certificate: String,
}

impl Tls {
    /// Before the proxy at this address; `None`, with a message, without nginx.
    pub(crate) async fn before(url: &str) -> Option<Self> {
        let forward =
            format!("proxy_pass {url}; proxy_set_header Host $http_host; proxy_buffering off;");
        Self::serve(&format!("location / {{ {forward} }}")).await
    }

    /// With the first nginx block of a page, after these replacements.
    pub(crate) async fn documented(page: &str, replacements: &[(&str, &str)]) -> Option<Self> {
        Self::serve(&block(page, "```nginx\n", replacements)).await
    }

    async fn serve(locations: &str) -> Option<Self> {
        let hosts = ["127.0.0.1", "pay.shop.example"].map(str::to_owned);
        let certified = rcgen::generate_simple_self_signed(hosts).unwrap();
        let certificate = certified.cert.pem();
        let tls = [certificate.clone(), certified.signing_key.serialize_pem()];
        let nginx = Nginx::serve(locations, Some(tls)).await?;
        Some(Self { nginx, certificate })
    }

    pub(crate) fn origin(&self) -> String {
        self.nginx.url("").replace("http://", "https://")
    }
}
