//! The files of the widget: which are requested, and when.

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

    let asked = asked(&browser, &servers).await;
    let mut paths: Vec<_> = asked
        .iter()
        .map(|name| name.split('?').next().unwrap())
        .collect();
    for end in [
        "/checkout.js",
        "/checkout.html",
        "/my-tokens",
        "/api/v1/payment",
        "_bg.wasm",
        // The glue is what remains.
        ".js",
    ] {
        let place = paths.iter().position(|path| path.ends_with(end));
        paths.remove(place.unwrap_or_else(|| panic!("no {end} in {asked:?}")));
    }
    assert_eq!(paths, [""; 0]);
}

/// What the page has asked the proxy for, and had an answer to.
async fn asked(browser: &Browser, servers: &Servers) -> Vec<String> {
    let script = "return performance.getEntriesByType('resource').map(({ name }) => name)";
    let mut names: Vec<String> = browser.run(script, []).await;
    names.retain(|name| name.starts_with(&servers.proxy_url()));
    names
}
