//! An nginx with a configuration of the documentation.
//!
//! Where nginx is not installed its tests are left out, aloud; `NGINX` says where it is, if not on the path.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;
use tokio::net::TcpStream;

/// What every nginx needs around the locations of a page, in one process that ends with the test.
const AROUND: &str = "daemon off; master_process off; pid nginx.pid; error_log stderr crit;
events {}
http {
    access_log off;
    types { text/html html; text/javascript js; application/wasm wasm; application/json json; }
    client_body_temp_path body;
    proxy_temp_path answers;
    server {
        listen ADDRESS;
        LOCATIONS
    }
}
";

/// It ends with the test.
pub(crate) struct Nginx(Server);

/// A program that serves a configuration, until this is dropped.
pub(crate) struct Server {
    address: SocketAddr,
    process: Child,
    /// Its configuration, and what it writes.
    _folder: TempDir,
}

impl Nginx {
    /// With the first nginx block of a page, in which these texts are replaced; `None` where there is no
    /// nginx.
    pub(crate) async fn start(page: &str, replacements: &[(&str, &str)]) -> Option<Self> {
        let program = program("NGINX", "nginx", "-v")?;
        let locations = block(page, "```nginx\n", replacements);
        let server = Server::start(|folder, address| {
            let config = AROUND.replace("ADDRESS", &address.to_string());
            let file = folder.join("nginx.conf");
            fs::write(&file, config.replace("LOCATIONS", &locations)).unwrap();
            let mut nginx = Command::new(&program);
            // To nginx itself the variable means sockets that it inherits.
            nginx.env_remove("NGINX").arg("-p").arg(folder);
            nginx.arg("-c").arg(file);
            nginx
        });
        Some(Self(server.await))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        self.0.url(path)
    }
}

/// Where a program is; `None`, said aloud, where it is not.
pub(crate) fn program(variable: &str, name: &str, version: &str) -> Option<OsString> {
    let program = env::var_os(variable).unwrap_or_else(|| name.into());
    let mut known = Command::new(&program);
    known
        .arg(version)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if known.status().is_err() {
        let left_out = format!("LEFT OUT: the documentation's {name}, which is not here\n");
        std::io::stderr().write_all(left_out.as_bytes()).unwrap();
        return None;
    }
    Some(program)
}

/// The first block of a page that begins so, with these texts replaced.
pub(crate) fn block(page: &str, begin: &str, replacements: &[(&str, &str)]) -> String {
    let (_, block) = page.split_once(begin).unwrap();
    let mut block = block.split("```").next().unwrap().to_owned();
    for (from, to) in replacements {
        assert!(block.contains(from), "{from}");
        block = block.replace(from, to);
    }
    block
}

impl Server {
    /// The command gets a folder of its own, and where to listen.
    pub(crate) async fn start(command: impl Fn(&Path, SocketAddr) -> Command) -> Self {
        // The port is free until another test takes it: then another one is.
        for _ in 0..5 {
            if let Some(server) = Self::listen(&command).await {
                return server;
            }
        }
        panic!("it ends each time; above is what it said");
    }

    /// `None` where it ends before it listens.
    async fn listen(command: impl Fn(&Path, SocketAddr) -> Command) -> Option<Self> {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let folder = TempDir::new().unwrap();
        let mut server = Self {
            address,
            process: command(folder.path(), address).spawn().unwrap(),
            _folder: folder,
        };
        while server.process.try_wait().unwrap().is_none() {
            if TcpStream::connect(address).await.is_ok() {
                return Some(server);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        None
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
