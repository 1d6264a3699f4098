//! HTTPS before the proxy, as shops have it.

use std::fs;
use std::process::Command;

use tender_programs::Server;

use super::nginx::{program, start};

const CONFIG: &str = "daemon off; master_process off; pid nginx.pid; error_log stderr crit;
events {}
http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path answers;
    server {
        listen ADDRESS ssl;
        ssl_certificate certificate.pem;
        ssl_certificate_key key.pem;
        location / {
            proxy_pass URL;
            proxy_set_header Host $http_host;
            proxy_buffering off;
        }
    }
}
";

/// nginx with a certificate that it has signed itself, which the browsers of the tests accept. Dropping it stops the process.
pub(crate) struct Tls(Server);

impl Tls {
    /// `None`, with a message, without nginx.
    pub(crate) async fn before(url: &str) -> Option<Self> {
        let nginx = program("NGINX", "nginx", "-v")?;
        let certified = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]).unwrap();
        let server = start(|folder, address| {
            let config = CONFIG.replace("ADDRESS", &address.to_string());
            let file = folder.join("nginx.conf");
            fs::write(&file, config.replace("URL", url)).unwrap();
            fs::write(folder.join("certificate.pem"), certified.cert.pem()).unwrap();
            let key = certified.signing_key.serialize_pem();
            fs::write(folder.join("key.pem"), key).unwrap();
            let mut nginx = Command::new(&nginx);
            // For nginx itself this variable means inherited sockets.
            nginx.env_remove("NGINX").arg("-p").arg(folder);
            nginx.arg("-c").arg(file);
            nginx
        });
        Some(Self(server.await))
    }

    pub(crate) fn origin(&self) -> String {
        self.0.url("").replace("http://", "https://")
    }
}
