//! Tests of notifications with the real program: a kill, a reload, and `tender-proxy notifications`.

use std::fs;
use std::process::Command;
use std::time::Duration;

use axum::http::StatusCode;
use reqwest::Client;
use serde_json::json;
use tempfile::TempDir;
use tender_protocol::{Delivery, path};
use tender_sandbox::{Config, Sandbox};

use crate::shop::{Reply, SECRET, Shop};
use crate::support::{PATIENCE, Program, command};

const KEY: &str = "a-merchant-key-of-the-tests-32-characters-or-more";

/// The shop's backend, the payment service, and the files of the proxy.
struct World {
    shop: Shop,
    sandbox: Sandbox,
    directory: TempDir,
}

/// The result of a command.
struct Done {
    code: Option<i32>,
    out: String,
    err: String,
}

impl World {
    async fn new() -> Self {
        let directory = TempDir::new().unwrap();
        fs::write(directory.path().join("secrets"), SECRET).unwrap();
        Self {
            shop: Shop::open().await,
            sandbox: Sandbox::start(Config::on_free_ports()).await.unwrap(),
            directory,
        }
    }

    /// Starts the proxy, always with the same database.
    fn start(&self) -> Program {
        let path = |name: &str| self.directory.path().join(name).display().to_string();
        let mut command = command();
        command.args(["--base-url", self.sandbox.base_url()]);
        command.args(["--rates-base-url", self.sandbox.rates_base_url()]);
        command.args(["--database-url", &format!("sqlite:{}", path("tender.db"))]);
        command.args(["--notify-url", &self.shop.url()]);
        command.args(["--notify-secret-file", &path("secrets")]);
        command.args(["--notify-timeout-seconds", "1", "--allow-unsigned-orders"]);
        command.env("TENDER_MERCHANT_KEY", KEY);
        Program::start(command)
    }

    async fn pay(&self, proxy: &Program, invoice_number: &str) {
        let body = json!({
            "token": "usdtt", "quantity": "25.00", "paymentToken": "trx",
            "invoiceNumber": invoice_number,
        });
        let request = Client::new().post(proxy.url(path::PAYMENT)).json(&body);
        let answer = request.send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK);
    }
}

fn run(proxy: &Program, arguments: &[&str]) -> Done {
    let mut command = command();
    command.arg("notifications").args(arguments);
    command.env("TENDER_PROXY", proxy.url(""));
    command.env("TENDER_MERCHANT_KEY", KEY);
    done_of(&mut command)
}

fn done_of(command: &mut Command) -> Done {
    let output = command.output().unwrap();
    Done {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn list(proxy: &Program, arguments: &[&str]) -> Vec<Delivery> {
    let done = run(proxy, &[&["list", "--json"], arguments].concat());
    assert_eq!(done.code, Some(0), "{}", done.err);
    serde_json::from_str(&done.out).unwrap()
}

/// Waits until a notification is in this state.
async fn until_listed(proxy: &Program, state: &str) {
    let listed = async {
        while list(proxy, &["--state", state]).is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(PATIENCE, listed).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_proxy_sends_the_notification_again() {
    let world = World::new().await;
    world.shop.answers([Reply::Never]);
    let proxy = world.start();
    world.pay(&proxy, "INV-1").await;
    let first = world.shop.until_received(1).await;
    // By SIGKILL, while the notification is being sent.
    drop(proxy);
    let proxy = world.start();
    let received = world.shop.until_received(2).await;
    assert_eq!(received[1].id, first[0].id);
    assert_eq!(received[1].body, first[0].body);
    until_listed(&proxy, "delivered").await;
    assert_eq!(world.shop.received().len(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn notifications_are_listed_and_sent_again() {
    let world = World::new().await;
    world.shop.answers([Reply::Status(StatusCode::GONE)]);
    let proxy = world.start();
    assert_eq!(run(&proxy, &["list"]).err, "No notifications.\n");
    world.pay(&proxy, "INV-1").await;
    until_listed(&proxy, "given-up").await;
    world.pay(&proxy, "INV-2").await;
    until_listed(&proxy, "delivered").await;

    let all = list(&proxy, &[]);
    let [second, first] = &*all else {
        panic!("{all:?}");
    };
    assert_eq!(first.answer.as_deref(), Some("410 Gone"));
    assert_eq!(list(&proxy, &["--limit", "1"]).len(), 1);
    let of_first = list(&proxy, &["--payment", &first.transaction_id]);
    assert_eq!(of_first, std::slice::from_ref(first));
    let table = run(&proxy, &["list"]).out;
    let lines: Vec<_> = table.lines().collect();
    assert!(lines[0].starts_with("writtenAt"), "{table}");
    assert!(lines[1].contains("payment.created  delivered"), "{table}");
    assert!(lines[1].contains(&second.id), "{table}");
    assert!(lines[2].contains("410 Gone"), "{table}");

    let done = run(&proxy, &["resend", "--given-up"]);
    assert_eq!((done.code, &*done.out), (Some(0), ""));
    assert_eq!(done.err, "1 notification will be sent again.\n");
    let received = world.shop.until_received(3).await;
    assert_eq!(received[2].id, first.id);
    let done = run(&proxy, &["resend", &second.id, "msg_unknown"]);
    assert_eq!(done.code, Some(3));
    assert!(
        done.err.contains("1 notification not found"),
        "{}",
        done.err
    );
    let received = world.shop.until_received(4).await;
    assert_eq!(received[3].id, second.id);

    assert_eq!(run(&proxy, &["resend"]).code, Some(2));
    assert_eq!(run(&proxy, &["list", "--state", "lost"]).code, Some(2));
    let mut keyless = command();
    keyless.args(["notifications", "list", "--proxy", &proxy.url("")]);
    assert_eq!(done_of(&mut keyless).code, Some(4));
}

/// Each notification is signed with all secrets, so that the shop can change its own at any time.
#[tokio::test(flavor = "multi_thread")]
async fn sighup_replaces_the_secrets() {
    let world = World::new().await;
    let proxy = world.start();
    world.pay(&proxy, "INV-1").await;
    assert_eq!(world.shop.until_received(1).await[0].signatures, 1);
    let other = "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oD";
    let both = format!("{other}\n{SECRET}\n");
    fs::write(world.directory.path().join("secrets"), both).unwrap();
    proxy.reload();
    proxy.until_logged("reloaded the keys").await;
    world.pay(&proxy, "INV-2").await;
    assert_eq!(world.shop.until_received(2).await[1].signatures, 2);
    proxy.terminate();
    let (status, log) = proxy.end();
    assert!(status.success(), "{log}");
    assert!(!log.contains("whsec_"), "{log}");
}

#[test]
fn a_receiver_needs_a_secret() {
    let check = |arguments: &[&str]| {
        let mut command = command();
        command.args(["--check", "--allow-unsigned-orders"]);
        command.args(["--base-url", "https://pay.example"]);
        command.args(["--rates-base-url", "https://rates.example"]);
        done_of(command.args(arguments))
    };
    let secret = ["--notify-secret", SECRET];
    let url = ["--notify-url", "https://shop.example/hooks"];
    assert_eq!(check(&[url, secret].concat()).code, Some(0));
    let refused = check(&url);
    assert_eq!(refused.code, Some(2));
    assert!(refused.err.contains("`notify_url` needs `notify_secret`"));
    let private = ["--notify-url", "https://10.0.0.1/hooks"];
    assert_eq!(check(&[private, secret].concat()).code, Some(0));
}
