//! The shop over real HTTP, with the repository's own page.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a helper of a test may stop it too"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use reqwest::StatusCode;
use tender_protocol::request::OrderClaims;
use tender_shop::{Config, Running, Shop, StartError};
use tokio::net::TcpListener;
use tokio::time::timeout;

const SECRET: &str = "an order secret of the tests, 32 characters";
const PROXY: &str = "https://pay.shop.example";

/// The page's sources lie as the build lays them out: `index.html` beside `shop/`.
fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn config(dist: PathBuf) -> Config {
    Config {
        listen: "127.0.0.1:0".parse().unwrap(),
        proxy: PROXY.parse().unwrap(),
        order_key: format!("demo={SECRET}").parse().unwrap(),
        origin: None,
        notify_secret: None,
        allow_test_mode: false,
        merchant_key: None,
        office_password: "demo".to_owned(),
        logos: vec!["https://logos.example".parse().unwrap()],
        sandbox: None,
        docs: None,
        dist,
    }
}

async fn open() -> Running {
    Shop::start(config(sources())).await.unwrap()
}

async fn get(shop: &Running, path: &str) -> reqwest::Response {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let address = format!("http://{}{path}", shop.address);
    client.get(address).send().await.unwrap()
}

async fn page(shop: &Running, path: &str) -> String {
    let answer = get(shop, path).await;
    assert_eq!(answer.status(), StatusCode::OK, "{path}");
    answer.text().await.unwrap()
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> &'a str {
    let (_, rest) = text.split_once(before).expect(before);
    rest.split_once(after).expect(after).0
}

/// The row of the order summary with this name.
fn row<'a>(page: &'a str, name: &str) -> &'a str {
    between(page, &format!("<dt>{name}</dt><dd>"), "</dd>")
}

/// The claims of the page's order, read as the proxy reads them.
fn claims(page: &str) -> OrderClaims {
    let order = between(page, "order=\"", "\"");
    let key = DecodingKey::from_secret(SECRET.as_bytes());
    let order = jsonwebtoken::decode(order, &key, &Validation::new(Algorithm::HS256)).unwrap();
    assert_eq!(order.header.kid.as_deref(), Some("demo"));
    order.claims
}

/// A minor-unit count, so that the test does not add decimals in binary.
fn hundredths(price: &str) -> u32 {
    let digits = price.strip_suffix(" USDT").expect(price).replace('.', "");
    digits.parse().unwrap()
}

#[tokio::test]
async fn the_page_shows_the_price_that_its_order_signs() {
    let shop = open().await;
    let page = page(&shop, "/").await;

    let claims = claims(&page);
    assert_eq!(claims.token.as_str(), "usdtt");
    assert_eq!(claims.item_number, None);
    let quantity = claims.quantity.unwrap();
    assert!(!quantity.is_zero());
    assert_eq!(row(&page, "Total"), format!("{quantity} USDT"));
    assert_eq!(
        hundredths(row(&page, "1 print")) + hundredths(row(&page, "Shipping")),
        hundredths(row(&page, "Total")),
    );
}

#[tokio::test]
async fn an_order_is_valid_for_an_hour() {
    #[derive(serde::Deserialize)]
    struct Expiry {
        exp: u64,
    }

    let shop = open().await;
    let before = jsonwebtoken::get_current_timestamp();
    let page = page(&shop, "/").await;
    let after = jsonwebtoken::get_current_timestamp();
    let order = between(&page, "order=\"", "\"");
    let Expiry { exp } = jsonwebtoken::dangerous::insecure_decode(order)
        .unwrap()
        .claims;
    assert!((before + 3600..=after + 3600).contains(&exp), "{exp}");
}

#[tokio::test]
async fn every_page_view_has_its_own_invoice() {
    let shop = open().await;
    let first = page(&shop, "/").await;
    let second = page(&shop, "/").await;

    let invoice = claims(&first).invoice_number;
    assert_ne!(invoice, claims(&second).invoice_number);
    assert!(first.contains(&format!("<p class=\"reference\">{invoice}</p>")));
    assert!(first.contains(&format!("href=\"/pay/{invoice}\"")));
}

#[tokio::test]
async fn the_url_can_set_the_invoice() {
    let shop = open().await;
    let page = page(&shop, "/?invoice=INV-1042").await;
    assert_eq!(claims(&page).invoice_number, "INV-1042");
    assert!(page.contains("href=\"/pay/INV-1042\""));

    let hostile = get(&shop, "/?invoice=%3Cscript%3E").await;
    assert_eq!(hostile.status(), StatusCode::BAD_REQUEST);
    let hostile = get(&shop, "/pay/%3Cscript%3E").await;
    assert_eq!(hostile.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_payer_may_choose_the_amount() {
    let shop = open().await;
    let page = page(&shop, "/?amount=choose").await;
    let claims = claims(&page);
    assert_eq!(claims.item_number.as_deref(), Some("0"));
    assert_eq!(claims.quantity, None);
    assert_eq!(row(&page, "Total"), "You choose");
}

#[tokio::test]
async fn the_order_has_the_buyer_that_the_page_shows() {
    let shop = open().await;
    let known = page(&shop, "/").await;
    let email = claims(&known).purchase_email.unwrap();
    assert_eq!(row(&known, "Contact"), email);

    let asked = page(&shop, "/?ask=email!").await;
    assert_eq!(claims(&asked).purchase_email, None);
    assert!(asked.contains(" ask=\"email!\""));
    assert!(!asked.contains(&email));
}

#[tokio::test]
async fn options_set_only_attributes_of_the_widget() {
    let shop = open().await;
    let query = "?theme=dark&accept=btc+usdte&locale=de&payment-token=btc";
    let page = page(&shop, &format!("/{query}")).await;
    let widget = between(&page, "<tender-checkout", ">");
    assert!(widget.contains(&format!(" proxy=\"{PROXY}\"")), "{widget}");
    let attributes = r#" theme="dark" accept="btc usdte" locale="de" payment-token="btc""#;
    assert!(widget.ends_with(attributes), "{widget}");
    assert!(page.contains("<html lang=\"en\" data-theme=\"dark\">"));

    let refused = get(&shop, "/?theme=blue").await;
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn unknown_query_parameters_are_ignored() {
    let shop = open().await;
    let query = "?utm_source=x&onclick=x&proxy=https://evil.example&sandbox=https://evil.example";
    let page = page(&shop, &format!("/{query}")).await;
    assert!(!page.contains("evil.example") && !page.contains("onclick"));
    let widget = between(&page, "<tender-checkout", ">");
    assert!(widget.contains(&format!(" proxy=\"{PROXY}\"")), "{widget}");
}

#[tokio::test]
async fn the_page_of_a_demo_links_to_the_sandbox() {
    let sandbox = "http://127.0.0.1:8082";
    let mut config = config(sources());
    config.sandbox = Some(sandbox.parse().unwrap());
    let shop = Shop::start(config).await.unwrap();
    let page = page(&shop, "/").await;
    assert!(page.contains(&format!("href=\"{sandbox}/sandbox/page\"")));
}

#[tokio::test]
async fn markup_in_an_option_is_escaped() {
    let shop = open().await;
    let page = page(&shop, "/?accept=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").await;
    assert!(!page.contains("<script>"));
    assert!(page.contains("accept=\"&quot;&gt;&lt;script&gt;alert(1)"));
}

#[tokio::test]
async fn the_page_loads_only_from_the_shop_the_proxy_and_the_logos() {
    let shop = open().await;
    let answer = get(&shop, "/").await;
    assert_eq!(
        answer.headers()["content-security-policy"],
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'; script-src https://pay.shop.example 'wasm-unsafe-eval'; \
         connect-src https://pay.shop.example; img-src 'self' https://logos.example"
    );
    assert_eq!(answer.headers()["x-content-type-options"], "nosniff");
    assert_eq!(answer.headers()["referrer-policy"], "no-referrer");
    assert_eq!(answer.headers()["cache-control"], "no-store");

    let page = answer.text().await.unwrap();
    assert_eq!(page.matches("<script").count(), 1);
    assert!(
        page.contains("<script src=\"https://pay.shop.example/v1/checkout.js\" async></script>")
    );
    for leftover in ["<style", "style=", "data-trunk", "{{", "{#"] {
        assert!(!page.contains(leftover), "{leftover}");
    }
}

#[tokio::test]
async fn buyers_without_javascript_get_another_page() {
    let shop = open().await;
    let answer = get(&shop, "/pay/INV-1042").await;
    assert_eq!(answer.status(), StatusCode::OK);
    assert_eq!(
        answer.headers()["content-security-policy"],
        "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'; img-src 'self'"
    );
    let page = answer.text().await.unwrap();
    assert!(page.contains("INV-1042") && !page.contains("<script"));
}

#[tokio::test]
async fn only_the_shops_own_files_are_served() {
    let shop = open().await;
    let style = get(&shop, "/shop/shop.css").await;
    assert_eq!(style.status(), StatusCode::OK);
    assert_eq!(style.headers()["content-type"], "text/css");
    assert_eq!(style.headers()["x-content-type-options"], "nosniff");
    let picture = get(&shop, "/shop/spring-tide.svg").await;
    assert_eq!(picture.headers()["content-type"], "image/svg+xml");

    for path in [
        "/index.html",
        "/Cargo.toml",
        "/shop/..%2fCargo.toml",
        "/shop/",
    ] {
        let answer = get(&shop, path).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_documentation_is_there_once_it_is_made() {
    let docs = tempfile::tempdir().unwrap();
    let shop = Shop::start(Config {
        docs: Some(docs.path().to_owned()),
        ..config(sources())
    });
    let shop = shop.await.unwrap();
    let early = get(&shop, "/docs/").await;
    assert_eq!(early.status(), StatusCode::NOT_FOUND);
    assert!(early.text().await.unwrap().contains("try again"));
    fs::write(docs.path().join("index.html"), "made").unwrap();
    assert_eq!(page(&shop, "/docs/").await, "made");
    // Without the setting there is no such route.
    let other = get(&open().await, "/docs/").await;
    assert_eq!(other.text().await.unwrap(), "");
}

#[tokio::test]
async fn every_file_of_the_page_exists() {
    let shop = open().await;
    let page = page(&shop, "/").await;
    let mut names: Vec<_> = page
        .split('"')
        .filter(|text| text.starts_with("/shop/"))
        .collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 3, "{names:?}");
    for name in names {
        assert_eq!(get(&shop, name).await.status(), StatusCode::OK, "{name}");
    }
}

#[tokio::test]
async fn it_says_when_it_listens() {
    let shop = open().await;
    assert_eq!(page(&shop, "/healthz").await, "ok");
}

#[tokio::test]
async fn a_missing_page_says_how_to_build_it() {
    let error = Shop::start(config("/nowhere".into())).await.unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("/nowhere/index.html") && message.contains("cargo xtask dist"),
        "{message}"
    );
}

#[tokio::test]
async fn a_template_with_an_unknown_variable_fails_at_startup() {
    let dist = std::env::temp_dir().join(format!("tender-shop-{}", std::process::id()));
    fs::create_dir_all(&dist).unwrap();
    fs::write(dist.join("index.html"), "<p>{{prize}}</p>").unwrap();
    let started = Shop::start(config(dist.clone())).await;
    fs::remove_dir_all(&dist).unwrap();

    let message = started.unwrap_err().to_string();
    assert!(message.contains("index.html:1"), "{message}");
}

#[tokio::test]
async fn a_taken_address_is_named() {
    let shop = open().await;
    let mut config = config(sources());
    config.listen = shop.address;
    let error = Shop::start(config).await.unwrap_err();
    assert!(matches!(error, StartError::Listen { address, .. } if address == shop.address));
}

#[tokio::test]
async fn a_dropped_shop_stops() {
    let shop = open().await;
    let address = shop.address;
    drop(shop);
    let closed = async {
        while TcpListener::bind(address).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_mins(1), closed).await.unwrap();
}
