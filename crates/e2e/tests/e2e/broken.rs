//! The widget's files are missing or blocked, or the module crashes. Each time the buyer reads why, and can retry or use
//! the shop's fallback below.

use std::fs;

use tempfile::TempDir;

use crate::frameworks::copy;
use crate::support::office::{Office, invoices};
use crate::support::{Browser, Checkout, Role, Servers, dist};

const NOT_LOADED: &str = "The checkout could not be loaded";
const TRY_AGAIN: &str = "Check your connection, then try again.";
const UNSUPPORTED: &str =
    "It can't run in this browser. Use another browser, or choose another way to pay.";

#[tokio::test(flavor = "multi_thread")]
async fn a_policy_without_webassembly() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let proxy = servers.proxy_url();
    let policy = format!("script-src {proxy}; connect-src {proxy}; style-src 'none'");
    let order = servers.order("INV-1042");
    let page = servers.page(&format!(
        "<meta http-equiv=\"content-security-policy\" content=\"{policy}\">
         <script src=\"{proxy}/v1/checkout.js\" async></script>
         <tender-checkout proxy=\"{proxy}\" order=\"{order}\"><a href=\"/pay\">Pay otherwise</a></tender-checkout>"
    ));
    let checkout = browser.visit(&page).await;
    shows_failure(&browser, &checkout, UNSUPPORTED, false).await;
    assert!(checkout.names(Role::Button).await.is_empty());
}

/// At first, the proxy serves everything except this kind of file. Then it serves that too, and the buyer retries
/// without reloading the page. Browsers may remember that a script could not be loaded.
#[tokio::test(flavor = "multi_thread")]
async fn the_module_or_its_glue_is_not_found_until_it_is() {
    let browser = Browser::start().await;
    for kind in [".wasm", ".js"] {
        let assets = copy_of_dist();
        let kept = tempfile::tempdir().unwrap();
        for entry in fs::read_dir(assets.path()).unwrap() {
            let file = entry.unwrap().path();
            let name = file.file_name().unwrap().to_str().unwrap();
            if name.starts_with("tender-checkout-") && name.ends_with(kind) {
                fs::rename(&file, kept.path().join(name)).unwrap();
            }
        }
        let directory = assets.path().to_owned();
        let mut servers =
            Servers::open_with(move |proxy| proxy.server.assets = Some(directory.clone())).await;
        let checkout = browser.visit(&servers.shop_page("")).await;
        shows_failure(&browser, &checkout, TRY_AGAIN, true).await;

        servers.close_proxy().await;
        let mut files = fs::read_dir(kept.path()).unwrap().peekable();
        assert!(files.peek().is_some(), "something was missing");
        for entry in files {
            let entry = entry.unwrap();
            fs::rename(entry.path(), assets.path().join(entry.file_name())).unwrap();
        }
        servers.reopen_proxy().await;
        checkout.press("Try again").await;
        checkout.is_choosing().await;
        assert!(checkout.names(Role::Alert).await.is_empty());
        assert_eq!(
            browser.event_names().await,
            ["tender-error", "tender-ready"]
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_merchants_module_crashes() {
    let office = Office::with(1).await;
    office.log_in().await;
    office.shows(&invoices(1, 1)).await;
    office.browser.breaks_once().await;
    office.search("nothing that is there").await;
    office.reads("The list of payments stopped working").await;
    let event = office.browser.event("tender-error").await.detail;
    assert_eq!(event["code"], "crashed");
}

async fn shows_failure(
    browser: &Browser,
    checkout: &Checkout<'_>,
    sentence: &str,
    retryable: bool,
) {
    assert_eq!(checkout.alert().await, format!("{NOT_LOADED} {sentence}"));
    assert!(checkout.shows_fallback().await);
    let events = browser.events().await;
    assert_eq!(events.len(), 1, "{events:?}");
    assert_eq!(events[0].detail["code"], "load-failed");
    assert_eq!(events[0].detail["retryable"], retryable);
}

/// A folder with the widget's files.
pub(crate) fn copy_of_dist() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    copy(&dist().join("v1"), folder.path());
    folder
}
