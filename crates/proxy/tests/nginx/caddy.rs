//! A Caddy with the configuration of the documentation.
//!
//! Where Caddy is not installed its tests are left out, aloud; `CADDY` says where it is, if not on the path.

use std::fs;
use std::process::{Command, Stdio};

use crate::nginx_server::{Server, block, program};

/// What the page leaves to the operator: no certificate is asked for here.
const AROUND: &str = "{
    admin off
    auto_https off
    log {
        level ERROR
    }
}
";

/// It ends with the test.
pub(crate) struct Caddy(Server);

impl Caddy {
    /// With the Caddy block of a page, in which these texts are replaced; `None` where there is no Caddy.
    pub(crate) async fn start(page: &str, replacements: &[(&str, &str)]) -> Option<Self> {
        let program = program("CADDY", "caddy", "version")?;
        let site = block(page, "```caddyfile\n", replacements);
        let server = Server::start(|folder, address| {
            let site = site.replace("pay.shop.example", &format!("http://{address}"));
            let file = folder.join("Caddyfile");
            fs::write(&file, format!("{AROUND}{site}")).unwrap();
            let mut caddy = Command::new(&program);
            caddy
                .args(["run", "--adapter", "caddyfile", "--config"])
                .arg(file)
                .env("HOME", folder)
                .env_remove("XDG_DATA_HOME")
                .env_remove("XDG_CONFIG_HOME")
                .stderr(Stdio::null());
            caddy
        });
        Some(Self(server.await))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.0.url(path)
    }
}
