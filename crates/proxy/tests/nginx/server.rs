//! An nginx with a configuration of the documentation.
//!
//! Where nginx is not installed its tests are left out, aloud; `NGINX` says where it is, if not on the path.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
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
pub(crate) struct Nginx {
    address: SocketAddr,
    process: Child,
    /// Its configuration, and what it writes.
    _folder: TempDir,
}

impl Nginx {
    /// With the first nginx block of a page, in which these texts are replaced; `None` where there is no
    /// nginx.
    pub(crate) async fn start(page: &str, replacements: &[(&str, &str)]) -> Option<Self> {
        let program = env::var_os("NGINX").unwrap_or_else(|| "nginx".into());
        let known = Command::new(&program)
            .arg("-v")
            .stderr(Stdio::null())
            .status();
        if known.is_err() {
            let left_out = "LEFT OUT: the documentation's nginx, which is not here\n";
            std::io::stderr().write_all(left_out.as_bytes()).unwrap();
            return None;
        }
        let (_, block) = page.split_once("```nginx\n").unwrap();
        let mut locations = block.split("```").next().unwrap().to_owned();
        for (from, to) in replacements {
            assert!(locations.contains(from), "{from}");
            locations = locations.replace(from, to);
        }
        // The port is free until another test takes it: then another one is.
        for _ in 0..5 {
            if let Some(nginx) = Self::listen(&program, &locations).await {
                return Some(nginx);
            }
        }
        panic!("nginx ends each time; above is what it said");
    }

    /// `None` where it ends before it listens.
    async fn listen(program: &OsStr, locations: &str) -> Option<Self> {
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let config = AROUND.replace("ADDRESS", &address.to_string());
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("nginx.conf");
        fs::write(&file, config.replace("LOCATIONS", locations)).unwrap();
        let mut nginx = Command::new(program);
        // To nginx itself the variable means sockets that it inherits.
        let nginx = nginx.env_remove("NGINX").arg("-p").arg(folder.path());
        let mut nginx = Self {
            address,
            process: nginx.arg("-c").arg(file).spawn().unwrap(),
            _folder: folder,
        };
        while nginx.process.try_wait().unwrap().is_none() {
            if TcpStream::connect(address).await.is_ok() {
                return Some(nginx);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        None
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
