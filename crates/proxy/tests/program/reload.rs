//! Tests of reloading keys and the meaning of statuses with SIGHUP.

use std::fs;
use std::time::Duration;

use axum::http::StatusCode;
use reqwest::{Client, Response};
use serde_json::{Value, json};
use tempfile::TempDir;
use tender_protocol::{Status, path};
use tender_sandbox::{Config, Endpoint, Fault, Sandbox};

use crate::shop::{SECRET, Shop};
use crate::support::{PATIENCE, Program, command, in_an_hour, sign};

/// The files of the proxy, and the program.
struct World {
    directory: TempDir,
    sandbox: Sandbox,
    program: Program,
    http: Client,
}

impl World {
    /// Starts the proxy with the first keys and these settings.
    async fn new(more: &str) -> Self {
        let mut sandbox = Config::on_free_ports();
        sandbox.require_header = Some("X-Key: first".parse().unwrap());
        let sandbox = Sandbox::start(sandbox).await.unwrap();
        let directory = TempDir::new().unwrap();
        let mut command = command();
        command
            .arg("--config")
            .arg(directory.path().join("proxy.toml"));
        write(&directory, &sandbox, "first", more);
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
            "token": "btc", "quantity": 1, "invoiceNumber": name, "exp": in_an_hour(),
        });
        let order = sign(&claims, &key("order", name));
        let body = json!({ "order": order, "paymentToken": "trx" });
        let request = self.http.post(self.program.url(path::PAYMENT)).json(&body);
        request.send().await.unwrap()
    }

    /// The record of a payment as its buyer gets it.
    async fn read(&self, id: &str, receipt: &str) -> Value {
        let url = self.program.url(&format!("{}/{id}", path::PAYMENT));
        let answer = self.http.get(url).bearer_auth(receipt).send();
        answer.await.unwrap().json().await.unwrap()
    }

    fn set_status(&self, transaction_id: &str, id: &str, text: &str) {
        let (status, controls) = (Status::new(id, text).unwrap(), self.sandbox.controls());
        controls.set_status(transaction_id, status).unwrap();
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
    let world = World::new("poll_seconds = 1").await;
    let created = world.create("first").await;
    assert_eq!(created.status(), StatusCode::OK);
    let created: Value = created.json().await.unwrap();
    let id = created["transactionId"].as_str().unwrap();
    let events = world.program.url(&format!("{}/{id}/events", path::PAYMENT));
    let events = world.http.get(events);
    let events = events.bearer_auth(created["receipt"].as_str().unwrap());
    let mut events = events.send().await.unwrap();
    until_event(&mut events, "Created").await;

    // These two settings need a restart. The second one contradicts another one.
    world.reload("second", "poll_seconds = 2\nmax_streams = 900");
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
        .until_logged("the earlier settings stay in use")
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

    world.set_status(id, "2", "Paid");
    until_event(&mut events, "Paid").await;
    // A setting that needs a restart is no change, nor is one that was written in another way.
    world.reload("first", "poll_seconds = 3\nstatus_paid = []");
    let unchanged = "the meaning of statuses have not changed";
    world.program.until_logged(unchanged).await;

    let log = world.program.stop();
    // After the keys were replaced twice.
    assert_eq!(log.matches("reloaded the keys").count(), 2, "{log}");
    assert_eq!(log.matches(unchanged).count(), 1, "{log}");
    assert!(log.contains("`poll_seconds` can't be used"), "{log}");
    assert_eq!(log.matches("`max_streams` (900)").count(), 1, "{log}");
    for name in ["first", "second", "broken"] {
        assert!(!log.contains(&key("order", name)), "{log}");
        assert!(!log.contains(&key("merchant", name)), "{log}");
    }
}

#[tokio::test]
async fn sighup_applies_the_meaning_of_statuses_or_nothing() {
    let shop = Shop::open().await;
    let other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    let notify = |secrets: &str| {
        let url = shop.url();
        format!("poll_seconds = 1\nnotify_url = {url:?}\nnotify_secret = {secrets}\n")
    };
    let (one, two) = (format!("{SECRET:?}"), format!("[{other:?}, {SECRET:?}]"));
    let (notify, notify_twice) = (notify(&one), notify(&two));
    let world = World::new(&notify).await;
    let created: Value = world.create("first").await.json().await.unwrap();
    let field = |name: &str| created[name].as_str().unwrap().to_owned();
    let (id, receipt) = (field("transactionId"), field("receipt"));
    world.set_status(&id, "2", "Completed");
    let received = shop.until_received(2).await;
    assert_eq!(received[1].json()["data"]["statusText"], "Completed");
    assert_eq!(received[1].signatures, 1);
    // The service shows the payment never again.
    let failing = Fault::respond(StatusCode::BAD_GATEWAY, "").on(Endpoint::List);
    world.sandbox.controls().inject(failing);

    for (mapping, error) in [
        (
            "status_paid = [\"Completed\", \"1\"]",
            "\"1\" is the status of a new payment",
        ),
        (
            "status_paid = [\"Completed\"]\nstatus_closed = [\"Completed\"]",
            "`Completed` is in `status_paid` and in `status_closed`",
        ),
    ] {
        world.reload("second", &format!("{notify}{mapping}"));
        world.program.until_logged(error).await;
    }
    assert_eq!(world.list("second").await, StatusCode::FORBIDDEN);
    assert_eq!(world.read(&id, &receipt).await["state"], Value::Null);

    // A mapping that fits no payment is told.
    let misspelt = format!("{notify}status_paid = [\"completed\"]");
    world.reload("first", &misspelt);
    let told = "no stored payment has the status `completed` of `status_paid`; the service sends `Completed`";
    world.program.until_logged(told).await;

    let mapped = format!("{notify_twice}status_paid = [\"Completed\"]");
    world.reload("first", &mapped);
    let received = shop.until_received(3).await;
    assert_eq!(received[2].kind, "payment.paid");
    // It is signed with all secrets, so that the shop can change its own at any time.
    assert_eq!(received[2].signatures, 2);
    assert_eq!(received[2].json()["data"]["state"], "paid");
    assert_eq!(world.read(&id, &receipt).await["state"], "paid");

    // What was paid stays paid.
    world.reload("second", &format!("{notify}status_closed = [\"2\"]"));
    world.until_accepted("second").await;
    assert_eq!(world.read(&id, &receipt).await["state"], "paid");
    let log = world.program.stop();
    assert!(!log.contains("whsec_"), "{log}");
    assert_eq!(shop.kinds().len(), 3, "{:?}", shop.kinds());
}

#[tokio::test]
async fn no_key_is_reloaded_for_another_address() {
    let world = World::new("").await;
    let elsewhere = "notify_url = \"http://127.0.0.1:9/hooks\"\nnotify_secret = \"whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw\"";
    world.reload("second", elsewhere);
    let error = "`notify_url` has another value";
    world.program.until_logged(error).await;
    assert_eq!(world.list("second").await, StatusCode::FORBIDDEN);
}
