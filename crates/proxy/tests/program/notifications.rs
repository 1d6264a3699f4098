//! Tests of notifications with the real program: a kill, and `tender-proxy notifications`.

use std::time::Duration;

use axum::http::StatusCode;
use serde_json::json;
use tempfile::TempDir;
use tender_protocol::{Delivery, path};
use tender_sandbox::Sandbox;

use crate::done::Done;
use crate::payments::{KEY, create, start};
use crate::shop::{Reply, SECRET, Shop};
use crate::support::{PATIENCE, Program, command, sandbox, without_service};

/// The shop's backend, the payment service, and the files of the proxy.
struct World {
    shop: Shop,
    sandbox: Sandbox,
    directory: TempDir,
}

impl World {
    async fn new() -> Self {
        Self {
            shop: Shop::open().await,
            sandbox: sandbox().await,
            directory: TempDir::new().unwrap(),
        }
    }

    /// Starts the proxy, always with the same database.
    fn start(&self) -> Program {
        let database = self.directory.path().join("tender.db");
        let settings = [
            "--database-url",
            &format!("sqlite:{}", database.display()),
            "--notify-url",
            &self.shop.url(),
            "--notify-secret",
            SECRET,
            "--notify-timeout-seconds=1",
        ];
        start(&self.sandbox, &settings)
    }

    async fn pay(&self, proxy: &Program, invoice_number: &str) {
        let fields = json!({ "invoiceNumber": invoice_number });
        create(&proxy.url(path::PAYMENT), "25.00".into(), fields).await;
    }
}

fn run(proxy: &Program, arguments: &[&str]) -> Done {
    let mut command = command();
    command.arg("notifications").args(arguments);
    command.env("TENDER_PROXY", proxy.url(""));
    Done::of(command.env("TENDER_MERCHANT_KEY", KEY))
}

fn list(proxy: &Program, arguments: &[&str]) -> Vec<Delivery> {
    let done = run(proxy, &[&["list", "--json"], arguments].concat());
    serde_json::from_str(&done.is(0).out).unwrap()
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

/// What the shop answers to `notifications test`, and what is printed.
#[tokio::test(flavor = "multi_thread")]
async fn a_test_event_shows_what_the_shop_answers() {
    let shop = Shop::open().await;
    let address = format!("http://{}", shop.address());
    let test = |url: &str, arguments: &[&str]| {
        let mut command = without_service(&[&["notifications", "test"], arguments].concat());
        command.env("TENDER_ALLOW_UNSIGNED_ORDERS", "true");
        command.env("TENDER_NOTIFY_SECRET", SECRET);
        Done::of(command.env("TENDER_NOTIFY_URL", url))
    };
    let done = test(&shop.url(), &[]);
    let received = shop.received();
    let [event] = &received[..] else {
        panic!("{}{}", done.out, done.err);
    };
    assert_eq!((&*event.kind, event.signatures), ("test", 1));
    assert_eq!(event.json()["data"], json!({}));
    let id = &event.id;
    let line = format!("{address} accepted the event {id} of the type `test`: 204 No Content\n");
    assert_eq!(done.is(0).out, line);

    let reason = "the signature\n does not match";
    shop.answers([Reply::Text(StatusCode::UNAUTHORIZED, reason)]);
    let done = test(&shop.url(), &[]);
    let answer = "of the type `test`: 401 Unauthorized: the signature does not match\n";
    assert!(done.is(1).out.ends_with(answer), "{}", done.out);
    assert!(
        done.out.starts_with(&format!("{address} did not accept")),
        "{}",
        done.out
    );
    shop.answers([Reply::Status(StatusCode::GONE)]);
    let done = test(&shop.url(), &["--json"]);
    let json = done.is(1).json();
    assert_eq!(
        (&json["accepted"], &json["answer"]),
        (&json!(false), &json!("410 Gone"))
    );

    let done = test("http://127.0.0.1:9/hooks?secret=hunter2", &[]);
    assert!(
        done.is(1).out.contains("error sending request"),
        "{}",
        done.out
    );
    assert!(!done.out.contains("hunter2"));
    test("", &[]).is(1).reports("`notify_url` is not set");
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
    run(&proxy, &["list"]).is(0).reports("No notifications.\n");
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
    done.is(0).reports(
        "1 notification will be sent again, after any earlier one of the same payment that",
    );
    assert_eq!(done.out, "");
    let received = world.shop.until_received(3).await;
    assert_eq!(received[2].id, first.id);
    let done = run(&proxy, &["resend", &second.id, "msg_unknown"]);
    done.is(3).reports("1 notification not found");
    let received = world.shop.until_received(4).await;
    assert_eq!(received[3].id, second.id);

    // As from `$(...)` when nothing waits.
    let done = run(&proxy, &["resend"]);
    done.is(0)
        .reports("No ids were given, so nothing is sent; --given-up sends all");
    assert_eq!(
        run(&proxy, &["resend", "--json"]).json(),
        json!({ "resent": 0 })
    );
    run(&proxy, &["list", "--state", "lost"]).is(2);
    run(&proxy, &["list", "--limit", "0"]).is(2);
    let mut keyless = command();
    keyless.args(["notifications", "list", "--proxy", &proxy.url("")]);
    Done::of(&mut keyless).is(4);
}
