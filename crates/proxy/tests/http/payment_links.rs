//! Payment links: orders that the proxy signs for the merchant.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::{PaymentLink, ProblemCode, path};
use tender_proxy::{Config, OrderKey, Secret};

use crate::bodies::claims;
use crate::hosted::Browser;
use crate::support::{Answer, MERCHANT_KEY, ORDER_SECRET, World, paying, sign as sign_by_shop};

/// The address of the proxy, as its operator has set it.
const PUBLIC: &str = "https://pay.shop.example/crypto";

pub(crate) fn with_links(config: &mut Config) {
    config.server.public_url = Some(PUBLIC.parse().unwrap());
    config.payment_links.is_on = true;
    config.payment_links.max_quantities = ["usdtt=500", "btc=0.01"]
        .map(|max| max.parse().unwrap())
        .into();
}

/// A request for a link, with some fields replaced.
fn link(fields: &Value) -> Value {
    let mut link = json!({
        "token": "usdtt", "quantity": "48.50", "invoiceNumber": "INV-1", "expires": "7d",
    });
    link.as_object_mut()
        .unwrap()
        .extend(fields.as_object().unwrap().clone());
    link
}

async fn ask(world: &World, fields: Value) -> Answer {
    let request = world.post(path::ORDERS, &link(&fields));
    Answer::to(request.bearer_auth(MERCHANT_KEY)).await
}

async fn sign(world: &World) -> PaymentLink {
    let answer = ask(world, json!({})).await;
    answer.succeeds();
    serde_json::from_str(&answer.body).unwrap()
}

#[tokio::test]
async fn a_link_is_paid_on_the_payment_page() {
    // Without an order key: the shop has no backend.
    let world = World::with(|config| {
        with_links(config);
        config.orders.keys.clear();
    })
    .await;
    let signed = sign(&world).await;
    let address = format!("{PUBLIC}{}?order={}", path::PAY, signed.order);
    assert_eq!(signed.url, address);
    let mut browser = Browser::new(&world);
    let form = browser.open(signed.url.strip_prefix(PUBLIC).unwrap()).await;
    form.has("48.50");
    browser.submit(&[("payment-token", "trx")]).await;
    let payment = world.payments().remove(0);
    assert_eq!(payment.quantity.to_string(), "48.50");
    assert_eq!(payment.invoice_number.as_deref(), Some("INV-1"));
}

#[tokio::test]
async fn links_are_off_by_default() {
    let world = World::new().await;
    let refused = ask(&world, json!({})).await;
    refused.is_refused_as(ProblemCode::NotFound);
    assert_eq!(world.ledger(&[]).await.payment_links, None);
}

/// What is said of each link that can't be signed.
#[tokio::test]
async fn bad_input_is_refused() {
    let world = World::with(with_links).await;
    for (fields, reason) in [
        (
            json!({ "quantity": "500.00000001" }),
            "`quantity` is more than 500 usdtt",
        ),
        (
            json!({ "token": "trx" }),
            "`token` must be one of btc, usdtt",
        ),
        (
            json!({ "token": "btc", "quantity": "0.011" }),
            "more than 0.01 btc",
        ),
        (json!({ "invoiceNumber": " " }), "`invoiceNumber` is empty"),
        (
            json!({ "expires": "31d" }),
            "`expires` is more than 30 days",
        ),
        (json!({ "expires": "0d" }), "write 7d, 12h or 30m"),
        (json!({ "expires": "-1d" }), "write 7d, 12h or 30m"),
        // The maximum would not hold: the payer would choose the amount.
        (json!({ "itemNumber": "0" }), "unknown field `itemNumber`"),
        (
            json!({ "returnUrl": "https://shop.example" }),
            "unknown field `returnUrl`",
        ),
    ] {
        let answer = ask(&world, fields).await;
        answer.is_refused_for(ProblemCode::InvalidRequest, reason);
    }
    let largest = json!({ "quantity": "500.00", "expires": "30d" });
    assert_eq!(ask(&world, largest).await.status, StatusCode::OK);
    // The merchant can read the limits.
    let limits = world.ledger(&[]).await.payment_links;
    let limits = serde_json::to_value(limits).unwrap();
    assert_eq!(limits["maxDays"], 30);
    let max = limits["maxQuantity"].to_string();
    assert_eq!(max, r#"{"btc":0.01,"usdtt":500}"#);
}

#[tokio::test]
async fn links_are_limited_as_creates_are() {
    let world = World::with(|config| {
        with_links(config);
        config.limits.create = 1;
    })
    .await;
    sign(&world).await;
    let answer = ask(&world, json!({})).await;
    answer.is_refused_as(ProblemCode::TooManyRequests);
}

#[tokio::test]
async fn a_link_is_valid_at_all_instances_until_its_key_is_given_up() {
    let mut world = World::persistent(with_links).await;
    let signed = paying(&sign(&world).await.order);
    let _first = world.replace_proxy(|_| {}).await;
    world.create(&signed).await.record();
    // A reload keeps the key.
    world.proxy.reload(&world.config);
    world.create(&signed).await.record();

    for give_up in [
        (|config| config.payment_links.kid = "links-2".to_owned()) as Change,
        |config| config.payment_links.is_on = false,
    ] {
        let _instance = world
            .replace_proxy(|config| {
                let name = Some("shop".to_owned());
                config.orders.keys = vec![OrderKey::hs256(name, &Secret::from(ORDER_SECRET))];
                give_up(config);
            })
            .await;
        let refused = world.create(&signed).await;
        refused.is_refused_as(ProblemCode::OrderKeyUnknown);
    }
    // The same name with another secret is another key.
    let header = jsonwebtoken::Header {
        kid: Some("payment-link".to_owned()),
        ..Default::default()
    };
    let _instance = world.replace_proxy(|_| {}).await;
    let secret = "a secret of a stranger, 32 characters or more";
    let forged = sign_by_shop(&header, &claims(json!({})), secret);
    let answer = world.create(&paying(&forged)).await;
    answer.is_refused_as(ProblemCode::OrderSignatureInvalid);
    world.begin("INV-2").await;
}

type Change = fn(&mut Config);

/// A program that uses the crate builds its configuration without the checks of the settings.
#[tokio::test]
async fn settings_that_contradict_each_other_start_no_proxy() {
    let world = World::new().await;
    let needs_maxima = "must have one highest price for each token";
    let contradictions: [(Change, &str); 5] = [
        (
            |config| config.server.public_url = None,
            "`public_url` is not set",
        ),
        (
            |config| config.server.hosted_page = false,
            "`hosted_page` is off",
        ),
        (
            |config| config.payment_links.max_quantities.clear(),
            needs_maxima,
        ),
        (
            |config| {
                let second = "btc=9".parse().unwrap();
                config.payment_links.max_quantities.push(second);
            },
            needs_maxima,
        ),
        // Anyone could forge such notifications.
        (
            |config| config.notifications.url = "https://shop.example/".parse().ok(),
            "`notify_url` needs `notify_secret`",
        ),
    ];
    for (change, reason) in contradictions {
        let mut config = world.config.clone();
        with_links(&mut config);
        change(&mut config);
        let error = tender_proxy::start(config).await.err().unwrap().to_string();
        assert!(error.contains(reason), "{error}");
    }
}
