//! The pages of the shop over real HTTP, with the repository's own checkout page.

use std::fs;
use std::time::Duration;

use jsonwebtoken::{Algorithm, DecodingKey, Validation};
use reqwest::StatusCode;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use tempfile::TempDir;
use tender_protocol::Amount;
use tender_protocol::request::OrderClaims;
use tender_shop::{Shop, StartError};
use tokio::net::TcpListener;
use tokio::time::timeout;

use crate::delivery::ORDER_KEY;
use crate::sample_shop::{World, config};

const PROXY: &str = "https://pay.shop.example";

async fn open() -> World {
    World::with(&[]).await
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
fn claims<T: DeserializeOwned + Clone>(page: &str) -> T {
    let order = between(page, "order=\"", "\"");
    let (kid, secret) = ORDER_KEY.split_once('=').unwrap();
    let key = DecodingKey::from_secret(secret.as_bytes());
    let order = jsonwebtoken::decode(order, &key, &Validation::new(Algorithm::HS256)).unwrap();
    assert_eq!(order.header.kid.as_deref(), Some(kid));
    order.claims
}

#[tokio::test]
async fn the_page_shows_the_price_that_its_order_signs() {
    let page = open().await.page("/").await;
    let claims: OrderClaims = claims(&page);
    assert_eq!(claims.token.as_str(), "usdtt");
    assert_eq!(claims.item_number, None);
    let quantity = claims.quantity.unwrap();
    assert!(!quantity.is_zero());
    assert_eq!(row(&page, "Total"), format!("{quantity} USDT"));
    let price = |name| -> Amount {
        let price = row(&page, name).strip_suffix(" USDT").unwrap();
        price.parse().unwrap()
    };
    assert_eq!(price("1 print").plus(&price("Shipping")), price("Total"));
}

#[tokio::test]
async fn an_order_is_valid_for_an_hour_and_leads_back_to_its_page() {
    #[derive(Clone, Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Claims {
        return_url: Option<String>,
        exp: u64,
    }
    for (flags, origin) in [
        (&[][..], None),
        (
            &["--origin", "https://shop.example"],
            Some("https://shop.example"),
        ),
    ] {
        let world = World::with(flags).await;
        let before = jsonwebtoken::get_current_timestamp();
        let Claims { return_url, exp } = claims(&world.page("/?invoice=INV-1").await);
        let after = jsonwebtoken::get_current_timestamp();
        assert!((before + 3600..=after + 3600).contains(&exp), "{exp}");
        let own = world.url("");
        let expected = format!("{}/order/INV-1", origin.unwrap_or(&own));
        assert_eq!(return_url, Some(expected));
    }
}

#[tokio::test]
async fn a_request_for_the_head_of_a_page_makes_no_order() {
    let shop = open().await;
    for path in ["/", "/?invoice=INV-7", "/playground"] {
        let head = reqwest::Client::new().head(shop.url(path));
        let status = head.send().await.unwrap().status();
        assert_eq!(status, StatusCode::METHOD_NOT_ALLOWED, "{path}");
    }
    let order = shop.get("/order/INV-7").await;
    assert_eq!(order.status(), StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn every_page_view_has_its_own_invoice_or_that_of_the_address() {
    let shop = open().await;
    let [first, second] = [shop.page("/").await, shop.page("/").await];
    let number = |page: &str| claims::<OrderClaims>(page).invoice_number;
    assert_ne!(number(&first), number(&second));
    let named = shop.page("/?invoice=INV-1042").await;
    assert_eq!(number(&named), "INV-1042");
    for page in [first, named] {
        let invoice = number(&page);
        assert!(page.contains(&format!("<p class=\"reference\">{invoice}</p>")));
        assert!(page.contains(&format!("href=\"/pay/{invoice}\"")));
    }
    for path in ["/?invoice=%3Cscript%3E", "/pay/%3Cscript%3E"] {
        let hostile = shop.get(path).await;
        assert_eq!(hostile.status(), StatusCode::BAD_REQUEST, "{path}");
    }
}

#[tokio::test]
async fn the_payer_may_choose_the_amount() {
    let page = open().await.page("/?amount=choose").await;
    let claims: OrderClaims = claims(&page);
    assert_eq!(claims.item_number.as_deref(), Some("0"));
    assert_eq!(claims.quantity, None);
    assert_eq!(row(&page, "Total"), "You choose");
}

#[tokio::test]
async fn the_order_has_the_buyer_that_the_page_shows() {
    let shop = open().await;
    let known = shop.page("/").await;
    let email = claims::<OrderClaims>(&known).purchase_email.unwrap();
    assert_eq!(row(&known, "Contact"), email);

    let asked = shop.page("/?ask=email!").await;
    assert_eq!(claims::<OrderClaims>(&asked).purchase_email, None);
    assert!(asked.contains(" ask=\"email!\""));
    assert!(!asked.contains(&email));
}

#[tokio::test]
async fn options_set_only_attributes_of_the_widget() {
    let shop = open().await;
    for (query, attributes) in [
        ("", ""),
        (
            "theme=dark&accept=btc+usdte&locale=de&payment-token=btc",
            r#" theme="dark" accept="btc usdte" locale="de" payment-token="btc""#,
        ),
        // Other parameters, and markup.
        (
            "utm_source=x&onclick=x&proxy=https://evil.example&sandbox=https://evil.example",
            "",
        ),
        (
            "accept=%22%3E%3Cscript%3Ealert('1')%26%3C/script%3E",
            r#" accept="&quot;&gt;&lt;script&gt;alert(&#x27;1&#x27;)&amp;&lt;&#x2f;script&gt;""#,
        ),
    ] {
        let page = shop.page(&format!("/?{query}")).await;
        let widget = between(&page, "<tender-checkout", ">\n");
        let (_, order) = widget.split_once(" order=\"").expect(widget);
        let (_, rest) = order.split_once('"').unwrap();
        assert_eq!(rest.trim_end(), attributes, "{query}");
        assert!(widget.contains(&format!(" proxy=\"{PROXY}\"")), "{widget}");
        let theme = if query.starts_with("theme") {
            "dark"
        } else {
            "auto"
        };
        assert!(page.contains(&format!("<html lang=\"en\" data-theme=\"{theme}\">")));
        for other in ["evil.example", "onclick", "<script>"] {
            assert!(!page.contains(other), "{query}: {other}");
        }
    }
    let refused = shop.get("/?theme=blue").await;
    assert_eq!(refused.status(), StatusCode::BAD_REQUEST);
}

#[tokio::test]
async fn the_page_of_a_demo_links_to_the_sandbox() {
    let sandbox = "http://127.0.0.1:8082";
    let shop = World::with(&["--sandbox", sandbox]).await;
    let page = shop.page("/").await;
    assert!(page.contains(&format!("href=\"{sandbox}/sandbox/page\"")));
}

/// The policy of all pages.
const POLICY: &str = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

#[tokio::test]
async fn the_page_loads_only_from_the_shop_the_proxy_and_the_logos() {
    let shop = open().await;
    let answer = shop.get("/").await;
    let more = "script-src https://pay.shop.example 'wasm-unsafe-eval'; connect-src https://pay.shop.example; \
                img-src 'self' https://logos.example";
    for (name, value) in [
        ("content-security-policy", &*format!("{POLICY}; {more}")),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-store"),
    ] {
        assert_eq!(answer.headers()[name], value, "{name}");
    }
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
    let answer = shop.get("/pay/INV-1042").await;
    assert_eq!(answer.status(), StatusCode::OK);
    let policy = format!("{POLICY}; img-src 'self'");
    assert_eq!(answer.headers()["content-security-policy"], policy);
    let page = answer.text().await.unwrap();
    assert!(page.contains("INV-1042") && !page.contains("<script"));
}

#[tokio::test]
async fn only_the_shops_own_files_are_served() {
    let shop = open().await;
    let style = shop.get("/shop/shop.css").await;
    assert_eq!(style.headers()["content-type"], "text/css");
    assert_eq!(style.headers()["x-content-type-options"], "nosniff");
    let picture = shop.get("/shop/spring-tide.svg").await;
    assert_eq!(picture.headers()["content-type"], "image/svg+xml");

    // The page names several, and all exist.
    let page = shop.page("/").await;
    let mut names: Vec<_> = (page.split('"'))
        .filter(|text| text.starts_with("/shop/"))
        .collect();
    names.sort_unstable();
    names.dedup();
    assert!(names.len() >= 3, "{names:?}");
    for name in names {
        shop.page(name).await;
    }
    for path in [
        "/index.html",
        "/Cargo.toml",
        "/shop/..%2fCargo.toml",
        "/shop/",
    ] {
        let answer = shop.get(path).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{path}");
    }
}

#[tokio::test]
async fn the_documentation_is_there_once_it_is_made() {
    let docs = TempDir::new().unwrap();
    let shop = World::with(&["--docs", docs.path().to_str().unwrap()]).await;
    let early = shop.get("/docs/").await;
    assert_eq!(early.status(), StatusCode::NOT_FOUND);
    assert!(early.text().await.unwrap().contains("try again"));
    fs::write(docs.path().join("index.html"), "made").unwrap();
    assert_eq!(shop.page("/docs/").await, "made");
    // Without the setting there is no such route.
    let other = open().await.get("/docs/").await;
    assert_eq!(other.text().await.unwrap(), "");
}

#[tokio::test]
async fn a_missing_page_says_how_to_build_it() {
    let mut config = config(&[]);
    config.dist = "/nowhere".into();
    let message = Shop::start(config).await.unwrap_err().to_string();
    assert!(
        message.contains("/nowhere/index.html") && message.contains("cargo xtask dist"),
        "{message}"
    );
}

#[tokio::test]
async fn a_template_with_an_unknown_variable_fails_at_startup() {
    let dist = TempDir::new().unwrap();
    fs::write(dist.path().join("index.html"), "<p>{{prize}}</p>").unwrap();
    let mut config = config(&[]);
    config.dist = dist.path().to_owned();
    let message = Shop::start(config).await.unwrap_err().to_string();
    assert!(message.contains("index.html:1"), "{message}");
}

#[tokio::test]
async fn a_shop_keeps_its_address_until_it_is_dropped() {
    let World { shop, .. } = open().await;
    let address = shop.address;
    let mut config = config(&[]);
    config.listen = address;
    let error = Shop::start(config).await.unwrap_err();
    assert!(matches!(error, StartError::Listen { address: taken, .. } if taken == address));
    drop(shop);
    let closed = async {
        while TcpListener::bind(address).await.is_err() {
            tokio::task::yield_now().await;
        }
    };
    timeout(Duration::from_mins(1), closed).await.unwrap();
}

#[tokio::test]
async fn it_says_when_it_listens() {
    assert_eq!(open().await.page("/healthz").await, "ok");
}
