//! The files of the widget: which are requested, and when.

use serde_json::Value;

use crate::support::{Browser, Servers, Stage, until};

/// The loader, the form, the listing, the glue and the module, each once.
#[tokio::test(flavor = "multi_thread")]
async fn six_requests_until_the_first_choice() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.is_choosing().await;
    let asked = asked(&browser, &servers).await;
    let kind = |name: &str| {
        let ends = [
            "_bg.wasm",
            "checkout.js",
            ".js",
            "my-tokens",
            "checkout.html",
            // The look-up of the order's payment.
            "/api/v1/payment",
        ];
        let path = name.split('?').next().unwrap();
        *ends.iter().find(|end| path.ends_with(*end)).unwrap()
    };
    let mut kinds: Vec<_> = asked.iter().map(|name| kind(name)).collect();
    kinds.sort_unstable();
    let all = [
        ".js",
        "/api/v1/payment",
        "_bg.wasm",
        "checkout.html",
        "checkout.js",
        "my-tokens",
    ];
    assert_eq!(kinds, all);
}

/// No request waits for the answer to another one but the loader's.
#[tokio::test(flavor = "multi_thread")]
async fn the_loader_asks_for_all_at_once() {
    let stage = Stage::open("en").await;
    stage.browser.hold("*/v1/tender-checkout-*").await;
    let page = stage.servers.shop_page("");
    stage.browser.go(page).await;
    // Neither glue nor module has been answered: still the listing and the look-up have come.
    until("an answered listing and look-up", async || {
        let asked = asked(&stage.browser, &stage.servers).await;
        let has = |end: &str| asked.iter().any(|name| name.ends_with(end));
        Ok((has("my-tokens") && has("/api/v1/payment")).then_some(()))
    })
    .await;
    stage.browser.clear_network().await;
    let checkout = stage.browser.checkout("tender-checkout").await;
    checkout.is_choosing().await;
}

/// What the page has asked the proxy for, and had an answer to.
async fn asked(browser: &Browser, servers: &Servers) -> Vec<String> {
    let script = "return performance.getEntriesByType('resource').map(({ name }) => name)";
    let names: Vec<Value> = browser.run(script, []).await;
    let names = names.iter().filter_map(Value::as_str).map(str::to_owned);
    names
        .filter(|name| name.starts_with(&servers.proxy_url()))
        .collect()
}
