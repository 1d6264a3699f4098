//! Caddy with the documented configuration.
//!
//! The tests are skipped with a message if Caddy is not installed. `CADDY` sets its path.

use std::fs;
use std::process::{Command, Stdio};

use tender_programs::Server;

use crate::nginx_server::{block, program, start};

/// The log of requests, which the page leaves to the operator.
const LOG: &str = "{\n    log {\n        output file access.log\n    }";

/// The parts of the configuration that the page leaves to the operator, without a certificate.
const AROUND: &str = "{
    admin off
    auto_https off
    log {
        level ERROR
    }
}
";

/// Starts Caddy with the Caddy block of a page, after these replacements; `None` without Caddy.
pub(crate) async fn start_caddy(page: &str, replacements: &[(&str, &str)]) -> Option<Server> {
    let program = program("CADDY", "caddy", "version")?;
    let site = block(page, "```caddyfile\n", replacements);
    let server = start(|folder, address| {
        let site = site.replace("pay.shop.example", &format!("http://{address}"));
        let site = site.replacen('{', LOG, 1);
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
    Some(server.await)
}
