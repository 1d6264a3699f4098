//! The sample shop over real HTTP: its order page turns by notification alone.

use clap::Parser as _;
use reqwest::{Client, Response, StatusCode};
use tender_shop::{Config, Running, Shop};

use crate::delivery::{self, Delivery, ORDER_KEY, OTHER_SECRET, SECRET, in_test_mode, paid};

const PACKING: &str = "Paid, we are packing";

/// The page's sources lie as the build lays them out: `index.html` beside `shop/`.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

struct World {
    shop: Running,
    client: Client,
}

impl World {
    /// A shop with these flags, and an order `INV-1` of 48.50 USDT.
    async fn with(flags: &[&str]) -> Self {
        let order_key = format!("--order-key={ORDER_KEY}");
        let always = ["tender-shop", "--listen=127.0.0.1:0", &order_key];
        let flags = always.iter().chain(flags).copied();
        let config = Config::parse_from(flags.chain(["--dist", SOURCES]));
        let world = Self {
            shop: Shop::start(config).await.unwrap(),
            client: Client::builder().no_proxy().build().unwrap(),
        };
        let checkout = world.get("/?invoice=INV-1").await;
        assert_eq!(checkout.status(), StatusCode::OK);
        world
    }

    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.shop.address)
    }

    async fn get(&self, path: &str) -> Response {
        self.client.get(self.url(path)).send().await.unwrap()
    }

    async fn post(&self, delivery: &Delivery) -> StatusCode {
        delivery::post(&self.client, &self.url("/notifications"), delivery).await
    }

    /// Whether the order's page says that it is paid. It reloads until then.
    async fn is_paid(&self) -> bool {
        let page = self.get("/order/INV-1").await;
        assert_eq!(page.status(), StatusCode::OK);
        assert_eq!(page.headers()["cache-control"], "no-store");
        let reloads = page.headers().contains_key("refresh");
        let text = page.text().await.unwrap();
        assert!(text.contains("<p class=\"reference\">INV-1</p>") && !text.contains("<script"));
        let is_paid = text.contains(PACKING);
        assert_eq!(reloads, !is_paid);
        is_paid
    }
}

async fn world() -> World {
    World::with(&["--notify-secret", SECRET]).await
}

#[tokio::test]
async fn the_order_page_turns_by_notification_alone() {
    let world = world().await;
    assert!(!world.is_paid().await);
    let delivery = Delivery::of(&paid("INV-1", "t-1", "48.5"));
    for _ in 0..2 {
        assert_eq!(world.post(&delivery).await, StatusCode::NO_CONTENT);
        assert!(world.is_paid().await);
    }
}

#[tokio::test]
async fn a_forged_notification_changes_nothing() {
    let world = world().await;
    let event = paid("INV-1", "t-1", "48.50");
    let changed = event.replace("48.50", "48.5");
    for (status, delivery) in [
        (400, Delivery::of(&event).signed_with(OTHER_SECRET)),
        (400, Delivery::of(&event).at(-360)),
        (400, Delivery::of(&event).at(360)),
        (400, Delivery::of(&event).but_sends(&changed)),
        (400, Delivery::of(&event).but_has("webhook-signature", "v1")),
        (413, Delivery::of(&" ".repeat(70_000))),
        // The proxy signed it, but it is no notification.
        (422, Delivery::of("{}")),
        (422, Delivery::of(r#"{"type":"payment.paid","data":{}}"#)),
    ] {
        assert_eq!(world.post(&delivery).await.as_u16(), status, "{delivery:?}");
    }
    assert!(!world.is_paid().await);
}

#[tokio::test]
async fn only_a_paid_payment_of_the_order_pays_it() {
    let world = world().await;
    let event = paid("INV-1", "t-1", "48.50");
    for other in [
        event.replace("payment.paid", "payment.updated"),
        event.replace("payment.paid", "payment.pending"),
        event.replace("payment.paid", "payment.underpaid"),
        event.replace("payment.paid", "payment.closed"),
        event.replace(r#""state":"paid""#, r#""state":"open""#),
        event.replace(r#""state":"paid""#, r#""state":"pending""#),
        event.replace(r#""state":"paid""#, r#""state":"underpaid""#),
        paid("INV-2", "t-1", "48.50"),
        paid("INV-1", "t-1", "48.49"),
        event.replace("usdtt", "kxp"),
        event.replace(r#""order""#, r#""ordered""#),
        in_test_mode(&event),
        r#"{"type":"payment.of-a-newer-version"}"#.to_owned(),
    ] {
        // A repeat would not change that.
        let status = world.post(&Delivery::of(&other)).await;
        assert_eq!(status, StatusCode::NO_CONTENT, "{other}");
        assert!(!world.is_paid().await, "{other}");
    }
    // The buyer may pay again after a payment was closed.
    world.post(&Delivery::of(&event)).await;
    assert!(world.is_paid().await);
}

#[tokio::test]
async fn a_shop_takes_payments_of_test_mode_if_it_is_told_to() {
    let world = World::with(&["--notify-secret", SECRET, "--allow-test-mode"]).await;
    let event = in_test_mode(&paid("INV-1", "t-1", "48.50"));
    world.post(&Delivery::of(&event)).await;
    assert!(world.is_paid().await);
}

#[tokio::test]
async fn a_shop_without_a_secret_takes_no_notifications() {
    let world = World::with(&[]).await;
    let status = world
        .post(&Delivery::of(&paid("INV-1", "t-1", "48.50")))
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(!world.is_paid().await);
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

/// The way back from the checkout, as the page's order says.
#[tokio::test]
async fn an_order_leads_back_to_its_page() {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Claims {
        return_url: Option<String>,
    }
    for (flags, url) in [
        (&[][..], None),
        (
            &["--origin", "https://shop.example"],
            Some("https://shop.example/order/INV-1"),
        ),
    ] {
        let world = World::with(flags).await;
        let page = world.get("/?invoice=INV-1").await.text().await.unwrap();
        let (_, order) = page.split_once(" order=\"").unwrap();
        let (order, _) = order.split_once('"').unwrap();
        let claims = jsonwebtoken::dangerous::insecure_decode::<Claims>(order);
        let own = world.url("/order/INV-1");
        let url = url.unwrap_or(&own);
        assert_eq!(claims.unwrap().claims.return_url.as_deref(), Some(url));
    }
}
