//! The nginx configurations of the documentation, in a real nginx: before the proxy, and in its place.
//!
//! Where nginx is not installed this is left out, aloud; `NGINX` says where it is, if not on the path.

use std::env;
use std::fs;
use std::io::Write as _;
use std::net::{SocketAddr, TcpListener};
use std::process::{Child, Command, Stdio};

use axum::http::StatusCode;
use reqwest::{Client, RequestBuilder};
use serde_json::json;
use tempfile::TempDir;
use tender_protocol::path;
use tender_sandbox::{Endpoint, RequiredHeader, Sandbox};
use tokio::net::TcpStream;

use crate::support::{Answer, World, order, paying, plain};

const OPERATIONS: &str = include_str!("../../../../docs/operations.md");
const PROXY: &str = include_str!("../../../../docs/proxy.md");

/// What every nginx needs around the locations of a page, in one process that ends with the test.
const AROUND: &str = "daemon off; master_process off; pid nginx.pid; error_log stderr crit;
events {}
http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path answers;
    server {
        listen ADDRESS;
        LOCATIONS
    }
}
";

struct Nginx {
    address: SocketAddr,
    process: Child,
    /// Its configuration, and what it writes.
    _folder: TempDir,
}

impl Nginx {
    /// With the first nginx block of a page, in which these texts are replaced; `None` where there is no
    /// nginx.
    async fn start(page: &str, replacements: &[(&str, &str)]) -> Option<Self> {
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

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    fn get(&self, path: &str) -> RequestBuilder {
        Client::new().get(self.url(path))
    }

    fn post(&self, path: &str, body: &serde_json::Value) -> RequestBuilder {
        Client::new().post(self.url(path)).json(body)
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[tokio::test]
async fn before_the_proxy_it_hides_nobody_and_lets_nobody_hide() {
    let world = World::with(|config| {
        config.trusted_proxies = 1;
        config.rate_limit_tokens = 2;
        config.token_cache = std::time::Duration::ZERO;
    })
    .await;
    let address = world.proxy.address().to_string();
    let Some(nginx) = Nginx::start(OPERATIONS, &[("127.0.0.1:8081", &address)]).await else {
        return;
    };
    let created = Answer::to(nginx.post(path::PAYMENT, &paying(&order(json!({}))))).await;
    let body = json!({ "transactionId": created.transaction_id() });
    let cancel = nginx
        .post(path::CANCEL, &body)
        .bearer_auth(created.receipt());
    assert_eq!(Answer::to(cancel).await.status, StatusCode::OK);

    // The budget is that of who called nginx, whatever that one claims to be.
    for number in 0..4 {
        let claimed = format!("198.51.100.{number}");
        let request = nginx.get(path::TOKENS).header("x-forwarded-for", claimed);
        let status = Answer::to(request).await.status;
        assert_eq!(status == StatusCode::OK, number < 2, "{status}");
    }
    // What is the operator's is not for everyone.
    for path in ["/healthz", "/readyz", "/metrics"] {
        let answer = Answer::to(nginx.get(path)).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND);
        assert!(answer.body.contains("nginx"), "{}", answer.body);
    }
    let long = nginx.post(path::PAYMENT, &json!({ "x": "x".repeat(20 << 10) }));
    assert_eq!(Answer::to(long).await.status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn in_place_of_the_proxy_it_forwards_two_routes_with_a_credential() {
    let mut config = tender_sandbox::Config::on_free_ports();
    let required: RequiredHeader = "X-Credential: of the merchant".parse().unwrap();
    config.require_header = Some(required);
    let sandbox = Sandbox::start(config).await.unwrap();
    let files = TempDir::new().unwrap();
    fs::create_dir(files.path().join("v1")).unwrap();
    fs::write(files.path().join("v1/checkout.js"), "// the loader").unwrap();
    fs::write(
        files.path().join("v1/glue-0123456789abcdef.js"),
        "// hashed",
    )
    .unwrap();
    let root = files.path().to_str().unwrap();
    let replacements = [
        ("https://rates.service.example", sandbox.rates_base_url()),
        ("https://payments.service.example", sandbox.base_url()),
        ("\"...\"", "\"of the merchant\""),
        ("/srv/tender/dist", root),
    ];
    let (_, section) = PROXY.split_once("## The smallest other proxy").unwrap();
    let Some(nginx) = Nginx::start(section, &replacements).await else {
        return;
    };
    let tokens = Answer::to(nginx.get(path::TOKENS)).await;
    assert_eq!(tokens.status, StatusCode::OK);
    // As the service's document has it, and as the page sends it without an order: a number.
    let body = plain(json!({ "quantity": 25 }));
    let created = Answer::to(nginx.post(path::PAYMENT, &body)).await;
    assert_eq!(created.payment().quantity, "25".parse().unwrap());
    assert_eq!(sandbox.controls().state().payments.len(), 1);

    let loader = Answer::to(nginx.get("/v1/checkout.js")).await;
    assert_eq!(loader.body, "// the loader");
    let hashed = Answer::to(nginx.get("/v1/glue-0123456789abcdef.js")).await;
    assert!(
        hashed.header("cache-control").contains("immutable"),
        "{hashed:?}"
    );

    // What it does not forward, the service never hears of, whoever asks.
    let body = json!({ "transactionId": created.transaction_id() });
    let cancel = Answer::to(nginx.post(path::CANCEL, &body)).await;
    assert_eq!(cancel.status, StatusCode::NOT_FOUND);
    let list = Answer::to(nginx.get(path::LIST)).await;
    assert_eq!(list.status, StatusCode::NOT_FOUND);
    let requests = sandbox.controls().state().requests;
    assert!(!requests.contains_key(&Endpoint::Cancel) && !requests.contains_key(&Endpoint::List));
}
