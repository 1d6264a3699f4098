//! The files of the widget: which are requested, and when.

use serde_json::Value;

use crate::support::{Browser, Servers, until};

/// The loader, the form, the listing, the look-up of the order's payment, the glue and the module, each once.
#[tokio::test(flavor = "multi_thread")]
async fn six_requests_until_the_first_choice_wait_for_nothing_but_the_loader() {
    let (servers, browser) = (Servers::open().await, Browser::start().await);
    browser.hold("*/v1/tender-checkout-*").await;
    browser.go(servers.shop_page("")).await;
    // Neither glue nor module has been answered.
    until("an answered listing and look-up", async || {
        let asked = asked(&browser, &servers).await;
        let has = |end: &str| asked.iter().any(|name| name.ends_with(end));
        Ok((has("my-tokens") && has("/api/v1/payment")).then_some(()))
    })
    .await;
    browser.clear_network().await;
    let checkout = browser.checkout("tender-checkout").await;
    checkout.is_choosing().await;

    let ends = [
        "_bg.wasm",
        "checkout.js",
        ".js",
        "my-tokens",
        "checkout.html",
        "/api/v1/payment",
    ];
    let asked = asked(&browser, &servers).await;
    let kinds = asked.iter().map(|name| {
        let path = name.split('?').next().unwrap();
        *ends.iter().find(|end| path.ends_with(*end)).unwrap()
    });
    let mut kinds: Vec<_> = kinds.collect();
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

/// What the page has asked the proxy for, and had an answer to.
async fn asked(browser: &Browser, servers: &Servers) -> Vec<String> {
    let script = "return performance.getEntriesByType('resource').map(({ name }) => name)";
    let names: Vec<Value> = browser.run(script, []).await;
    let names = names.iter().filter_map(Value::as_str).map(str::to_owned);
    names
        .filter(|name| name.starts_with(&servers.proxy_url()))
        .collect()
}
