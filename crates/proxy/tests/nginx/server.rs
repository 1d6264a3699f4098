//! An nginx with a configuration of the documentation.
//!
//! Where nginx is not installed its tests are left out, aloud; `NGINX` says where it is, if not on the path.

use std::env;
use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

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
        let free = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = free.local_addr().unwrap();
        drop(free);
        let config = AROUND.replace("ADDRESS", &address.to_string());
        let folder = TempDir::new().unwrap();
        let file = folder.path().join("nginx.conf");
        fs::write(&file, config.replace("LOCATIONS", &locations)).unwrap();
        let mut nginx = Command::new(program);
        let nginx = nginx.arg("-p").arg(folder.path()).arg("-c").arg(file);
        let process = nginx.spawn().unwrap();
        let mut nginx = Self {
            address,
            process,
            _folder: folder,
        };
        while TcpStream::connect(address).await.is_err() {
            assert!(nginx.process.try_wait().unwrap().is_none(), "nginx ended");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        Some(nginx)
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
