//! Tests of reloading the keys with SIGHUP.

use std::fs;
use std::time::Duration;

use axum::http::StatusCode;
use jsonwebtoken::{EncodingKey, Header, encode};
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tempfile::TempDir;
use tender_protocol::{Status, path};
use tender_sandbox::{Config, Sandbox};

use crate::support::{PATIENCE, Program, command};

/// The files of the proxy, and the program.
struct World {
    directory: TempDir,
    sandbox: Sandbox,
    program: Program,
    http: Client,
}

impl World {
    async fn new() -> Self {
        let mut sandbox = Config::on_free_ports();
        sandbox.require_header = Some("X-Key: first".parse().unwrap());
        let sandbox = Sandbox::start(sandbox).await.unwrap();
        let directory = TempDir::new().unwrap();
        let mut command = command();
        command
            .arg("--config")
            .arg(directory.path().join("proxy.toml"));
        write(&directory, &sandbox, "first", "poll_seconds = 1");
        Self {
            program: Program::start(command),
            http: Client::new(),
            directory,
            sandbox,
        }
    }

    fn reload(&self, name: &str, more: &str) {
        write(&self.directory, &self.sandbox, name, more);
        self.program.reload();
    }

    async fn create(&self, name: &str) -> Response {
        let claims = json!({
            "token": "btc", "quantity": 1, "invoiceNumber": name, "exp": 4_000_000_000_u64,
        });
        let key = EncodingKey::from_secret(key("order", name).as_bytes());
        let order = encode(&Header::default(), &claims, &key).unwrap();
        let body = json!({ "order": order, "paymentToken": "trx" });
        let request = self.http.post(self.program.url(path::PAYMENT)).json(&body);
        request.send().await.unwrap()
    }

    async fn list(&self, name: &str) -> StatusCode {
        let request = self.http.get(self.program.url(path::LIST));
        let request = request.bearer_auth(key("merchant", name));
        request.send().await.unwrap().status()
    }

    /// Waits until the merchant key with this name is accepted.
    async fn until_accepted(&self, name: &str) {
        let accepted = async {
            while self.list(name).await == StatusCode::FORBIDDEN {
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, accepted).await.unwrap();
    }
}

fn key(kind: &str, name: &str) -> String {
    format!("{kind}-key-{name}-of-at-least-32-characters")
}

/// Writes the configuration, with keys of this name.
fn write(directory: &TempDir, sandbox: &Sandbox, name: &str, more: &str) {
    let file = |kind: &str, content: String| {
        let path = directory.path().join(kind);
        fs::write(&path, content).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let settings = format!(
        "base_url = {:?}\nrates_base_url = {:?}\ndatabase_url = \"sqlite::memory:\"\n\
         rate_limit_failures = 0\norder_key_file = {:?}\nmerchant_key_file = {:?}\n\
         upstream_header_file = {:?}\n{more}\n",
        sandbox.base_url(),
        sandbox.rates_base_url(),
        file("order", key("order", name)),
        file("merchant", key("merchant", name)),
        file("header", format!("X-Key: {name}")),
    );
    file("proxy.toml", settings);
}

/// Reads the stream until an event contains this text.
async fn until_event(stream: &mut Response, text: &str) {
    let found = async {
        let mut events = String::new();
        while !events.contains(text) {
            let chunk = stream.chunk().await.unwrap();
            events += str::from_utf8(&chunk.expect("the stream has ended")).unwrap();
        }
    };
    tokio::time::timeout(PATIENCE, found).await.unwrap();
}

#[tokio::test]
async fn sighup_replaces_the_keys_and_keeps_streams_open() {
    let world = World::new().await;
    let created = world.create("first").await;
    assert_eq!(created.status(), StatusCode::OK);
    let created: Value = created.json().await.unwrap();
    let id = created["transactionId"].as_str().unwrap();
    let events = world.program.url(&format!("{}/{id}/events", path::PAYMENT));
    let events = world.http.get(events);
    let events = events.bearer_auth(created["receipt"].as_str().unwrap());
    let mut events = events.send().await.unwrap();
    until_event(&mut events, "Created").await;

    // Only the poll interval needs a restart.
    world.reload("second", "poll_seconds = 2");
    world.until_accepted("second").await;
    assert_eq!(world.list("first").await, StatusCode::FORBIDDEN);
    assert_eq!(world.create("first").await.status(), StatusCode::FORBIDDEN);
    // The service refuses the second header.
    assert_eq!(
        world.create("second").await.status(),
        StatusCode::BAD_GATEWAY
    );

    // Errors leave the second keys in use.
    world.reload("broken", "poll_seconds = 0");
    world
        .program
        .until_logged("the earlier keys stay in use")
        .await;
    assert_eq!(world.list("second").await, StatusCode::BAD_GATEWAY);
    // So does an empty file, which may have been read while it was rewritten.
    write(
        &world.directory,
        &world.sandbox,
        "broken",
        "poll_seconds = 2",
    );
    fs::write(world.directory.path().join("order"), "").unwrap();
    world.program.reload();
    world.program.until_logged("order is empty").await;
    assert_eq!(world.list("second").await, StatusCode::BAD_GATEWAY);
    world.reload("first", "poll_seconds = 2");
    world.until_accepted("first").await;
    assert_eq!(world.list("broken").await, StatusCode::FORBIDDEN);

    let paid = Status::new("2", "Paid").unwrap();
    world.sandbox.controls().set_status(id, paid).unwrap();
    until_event(&mut events, "Paid").await;

    world.program.terminate();
    let (status, log) = world.program.end();
    assert!(status.success());
    for line in [
        "replaced the values of a setting setting=\"merchant_key\" before=1 now=1",
        "replaced the values of a setting setting=\"order_key\" before=1 now=1",
        "replaced the values of a setting setting=\"upstream_header\" before=1 now=1",
        "restart the proxy to apply it setting=\"poll_seconds\"",
        "`poll_seconds` can't be used",
    ] {
        assert!(log.contains(line), "{line}: {log}");
    }
    // Each reload says so until a restart.
    let unapplied = log.matches("restart the proxy to apply it");
    assert_eq!(unapplied.count(), 2, "{log}");
    for name in ["first", "second", "broken"] {
        assert!(!log.contains(&key("order", name)), "{log}");
        assert!(!log.contains(&key("merchant", name)), "{log}");
    }
}
