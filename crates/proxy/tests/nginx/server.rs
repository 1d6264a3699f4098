//! nginx with the documented configurations.
//!
//! The tests are skipped with a message if nginx is not installed. `NGINX` sets its path.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Command, Stdio};

use tempfile::TempDir;
use tender_programs::{Server, free_address, left_out};

/// The configuration around the locations of a page, for a single process that ends with the test.
const AROUND: &str = "daemon off; master_process off; pid nginx.pid; error_log stderr crit;
events {}
http {
    access_log access.log;
    types { text/html html; text/javascript js; application/wasm wasm; application/json json; }
    client_body_temp_path body;
    proxy_temp_path answers;
    SERVERS
}
";

/// Around locations that a page shows without a server.
const SERVER: &str = "server {
    listen 443 ssl;
    ssl_certificate certificate;
    ssl_certificate_key key;
    LOCATIONS
}
";

/// The name of the server at port 80, which redirects to HTTPS.
pub(crate) const PLAIN: &str = "plain.test";

/// Starts nginx with the first nginx block of a page, after these replacements; `None` without nginx.
pub(crate) async fn start_nginx(page: &str, replacements: &[(&str, &str)]) -> Option<Server> {
    serve_nginx(&block(page, "```nginx\n", replacements), None).await
}

/// Starts nginx with these servers or locations; over TLS if there is a certificate and its key, in PEM.
pub(crate) async fn serve_nginx(block: &str, tls: Option<[String; 2]>) -> Option<Server> {
    let program = program("NGINX", "nginx", "-v")?;
    let servers = if block.contains("server {") {
        block.to_owned()
    } else {
        SERVER.replace("LOCATIONS", block)
    };
    let server = start(|folder, address| {
        if let Some([certificate, key]) = &tls {
            fs::write(folder.join("certificate.pem"), certificate).unwrap();
            fs::write(folder.join("key.pem"), key).unwrap();
        }
        let lines = servers.lines().map(|line| match line.trim() {
            "listen 80;" if tls.is_some() => format!("listen unix:{}/80;", folder.display()),
            "listen 80;" => format!("listen {address}; server_name {PLAIN};"),
            "listen 443 ssl;" if tls.is_some() => format!("listen {address} ssl;"),
            "listen 443 ssl;" => format!("listen {address} default_server;"),
            line if line.starts_with("ssl_certificate") && tls.is_none() => String::new(),
            line if line.starts_with("ssl_certificate ") => {
                "ssl_certificate certificate.pem;".to_owned()
            }
            line if line.starts_with("ssl_certificate_key ") => {
                "ssl_certificate_key key.pem;".to_owned()
            }
            line => line.to_owned(),
        });
        let lines: Vec<_> = lines.collect();
        let file = folder.join("nginx.conf");
        fs::write(&file, AROUND.replace("SERVERS", &lines.join("\n"))).unwrap();
        let mut nginx = Command::new(&program);
        // For nginx itself this variable means inherited sockets.
        nginx.env_remove("NGINX").arg("-p").arg(folder);
        nginx.arg("-c").arg(file);
        nginx
    });
    Some(server.await)
}

/// The path of a program; `None` with a message if it is not installed.
pub(crate) fn program(variable: &str, name: &str, version: &str) -> Option<OsString> {
    let program = env::var_os(variable).unwrap_or_else(|| name.into());
    let mut known = Command::new(&program);
    known
        .arg(version)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if known.status().is_err() {
        left_out(&format!("the documentation's {name}"));
        return None;
    }
    Some(program)
}

/// The first block of a page that starts with this text, after these replacements.
pub(crate) fn block(page: &str, begin: &str, replacements: &[(&str, &str)]) -> String {
    let (_, block) = page.split_once(begin).unwrap();
    let mut block = block.split("```").next().unwrap().to_owned();
    for (from, to) in replacements {
        assert!(block.contains(from), "{from}");
        block = block.replace(from, to);
    }
    block
}

/// Starts a server in its own folder, at a free address.
pub(crate) async fn start(command: impl FnOnce(&Path, SocketAddr) -> Command) -> Server {
    let folder = TempDir::new().unwrap();
    let address = free_address();
    let mut command = command(folder.path(), address);
    Server::start(address, folder, &mut command).await
}
