//! The sample shop over real HTTP: its order page turns by notification alone.

use clap::Parser as _;
use reqwest::{Client, Response, StatusCode};
use tender_shop::{Config, Running, Shop};

use crate::contract::{Expected, contract};
use crate::delivery::{self, Delivery, ORDER_KEY, paid};

const PACKING: &str = "Paid, we are packing";

/// The page's sources lie as the build lays them out: `index.html` beside `shop/`.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

pub(crate) struct World {
    pub(crate) shop: Running,
    client: Client,
}

/// A configuration with these flags.
pub(crate) fn config(flags: &[&str]) -> Config {
    let order_key = format!("--order-key={ORDER_KEY}");
    let mut always = vec!["tender-shop", "--listen=127.0.0.1:0", &order_key];
    always.extend([
        "--proxy=https://pay.shop.example",
        "--logos=https://logos.example",
    ]);
    always.extend(["--dist", SOURCES]);
    Config::parse_from([&always[..], flags].concat())
}

impl World {
    /// A shop with these flags, and an order `INV-1` of 48.50 USDT.
    pub(crate) async fn with(flags: &[&str]) -> Self {
        let world = Self {
            shop: Shop::start(config(flags)).await.unwrap(),
            client: Client::builder().no_proxy().build().unwrap(),
        };
        world.place("INV-1").await;
        world
    }

    /// Places an order of 48.50 USDT.
    async fn place(&self, invoice: &str) {
        self.page(&format!("/?invoice={invoice}")).await;
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.shop.address)
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        self.client.get(self.url(path)).send().await.unwrap()
    }

    /// The text of a page that exists.
    pub(crate) async fn page(&self, path: &str) -> String {
        let answer = self.get(path).await;
        assert_eq!(answer.status(), StatusCode::OK, "{path}");
        answer.text().await.unwrap()
    }

    async fn post(&self, delivery: &Delivery) -> StatusCode {
        let address = self.url("/notifications");
        let response = delivery::post(&self.client, &address, delivery).await;
        response.status()
    }

    /// Whether the order's page says that it is paid. It reloads until then.
    async fn is_paid(&self, invoice: &str) -> bool {
        let page = self.get(&format!("/order/{invoice}")).await;
        assert_eq!(page.status(), StatusCode::OK);
        assert_eq!(page.headers()["cache-control"], "no-store");
        let reloads = page.headers().contains_key("refresh");
        let text = page.text().await.unwrap();
        let reference = format!("<p class=\"reference\">{invoice}</p>");
        assert!(text.contains(&reference) && !text.contains("<script"));
        let is_paid = text.contains(PACKING);
        assert_eq!(reloads, !is_paid);
        is_paid
    }
}

async fn world() -> World {
    World::with(&["--notify-secret", &contract().secret]).await
}

#[tokio::test]
async fn the_order_page_turns_by_notification_alone() {
    let world = world().await;
    assert!(!world.is_paid("INV-1").await);
    for (name, delivery) in contract().deliveries(true) {
        let status = world.post(&delivery).await;
        assert_eq!(status, StatusCode::NO_CONTENT, "{name}");
        assert!(world.is_paid("INV-1").await);
    }
}

#[tokio::test]
async fn a_forged_notification_changes_nothing() {
    let world = world().await;
    for (name, delivery) in contract().deliveries(false) {
        let status = world.post(&delivery).await;
        assert_eq!(status, StatusCode::UNAUTHORIZED, "{name}");
    }
    for (status, delivery) in [
        (413, Delivery::of(&" ".repeat(70_000))),
        // The proxy signed it, but it is no notification.
        (422, Delivery::of("{}")),
        (422, Delivery::of(r#"{"type":"payment.paid","data":{}}"#)),
    ] {
        assert_eq!(world.post(&delivery).await.as_u16(), status, "{delivery:?}");
    }
    assert!(!world.is_paid("INV-1").await);
}

#[tokio::test]
async fn only_a_paid_payment_of_the_order_pays_it() {
    let secret = contract().secret;
    let flags = ["--notify-secret", &secret, "--allow-test-mode"];
    each_event_is_understood(&World::with(&flags[..2]).await, false).await;
    each_event_is_understood(&World::with(&flags).await, true).await;
}

async fn each_event_is_understood(world: &World, allow_test_mode: bool) {
    for case in contract().events(allow_test_mode) {
        // All of its orders have one price, and none is cancelled.
        let order = case.order.as_ref();
        if order.is_some_and(|order| order.quantity != "48.50" || order.cancelled) {
            continue;
        }
        if let Some(order) = order {
            world.place(&order.invoice_number).await;
        }
        for body in case.earlier.iter().chain([&case.body]) {
            let status = world.post(&Delivery::of(body)).await;
            assert_eq!(status, StatusCode::NO_CONTENT, "{}", case.name);
        }
        let Expected { fulfil, question } = &case.expected;
        let is_paid = *fulfil || question.as_deref() == Some("second payment");
        if let Some(order) = order {
            let found = world.is_paid(&order.invoice_number).await;
            assert_eq!(found, is_paid, "{}", case.name);
        }
    }
}

#[tokio::test]
async fn a_shop_without_a_secret_takes_no_notifications() {
    let world = World::with(&[]).await;
    let status = world
        .post(&Delivery::of(&paid("INV-1", "t-1", "48.50")))
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(!world.is_paid("INV-1").await);
}

#[tokio::test]
async fn an_order_that_was_not_placed_has_no_page() {
    let world = world().await;
    for path in ["/order/INV-2", "/order/inv-1"] {
        assert_eq!(
            world.get(path).await.status(),
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
    let hostile = world.get("/order/%3Cscript%3E").await;
    assert_eq!(hostile.status(), StatusCode::BAD_REQUEST);
}
