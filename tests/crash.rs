//! A panic in the module, a real one. It ends the instance for every element of the page, and with
//! it all that could be tested after it: so it stands alone here.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::indexing_slicing,
    reason = "a test may stop at the first thing that is not as it should be"
)]

mod support;

use support::checkout::Checkout;
use support::developer::Console;
use support::proxy::Proxy;
use support::wait::until;
use support::{defect, page};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn a_panic_is_told_by_every_element_above_its_fallback() {
    page::open_with(tender_checkout::on_crash);
    let console = Console::listen("error");
    let proxy = Proxy::new();
    let first = Checkout::ready(&proxy, &[]).await;
    let second = Checkout::awaiting(&proxy, None).await;

    defect::strike(&first);
    until("the panic is reported", || {
        !second.told("tender-error").is_empty()
    })
    .await;

    for checkout in [&first, &second] {
        checkout.until_shown("Reload the page to go on.").await;
        assert!(checkout.shows_fallback());
        assert_eq!(checkout.names("button"), ["Reload the page"]);
        let error = checkout.told("tender-error").pop().unwrap_throw();
        assert_eq!(error["code"], "crashed");
        assert_eq!(error["retryable"], false);
        let message = error["message"].as_str().unwrap_throw();
        assert!(
            message.contains("a defect") && message.contains("tests/support/defect.rs"),
            "{message}"
        );
    }
    assert!(
        console.lines().iter().any(|line| line.contains("a defect")),
        "{:?}",
        console.lines()
    );
    assert_eq!(second.told("tender-error").len(), 1);

    // Moved, they stay as they are; what comes later can't be shown either.
    second.insert();
    let third = Checkout::open(&proxy, &[]);
    third.until_shown("Reload the page to go on.").await;
    assert_eq!(second.told("tender-error").len(), 1);
    assert_eq!(third.told("tender-error")[0]["code"], "crashed");
}
