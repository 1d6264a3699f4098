//! Functions that a page can remove, wrap or replace. What they do wrong is a failure that the buyer can act on, never a
//! crash.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::wait::settled;
use crate::support::{Replaced, clipboard, clock, record};

/// How long the module waits for a response, in milliseconds.
const REQUEST_TIMEOUT: f64 = 30_000.0;

async fn can_be_tried_again(proxy: &Proxy, checkout: &Checkout) {
    proxy.reply(CREATE, Reply::ok(record::payment(None)));
    checkout.press("Try again");
    checkout.until_part("amount").await;
}

/// What replaces `fetch`.
const FETCHES: [&str; 10] = [
    "undefined",
    "() => { throw new Error('of the page') }",
    "() => { throw undefined }",
    "() => undefined",
    "() => 7",
    "() => Promise.resolve({})",
    "() => Promise.resolve({ status: 200, text: 'text' })",
    "() => Promise.resolve({ status: 200, text() { throw new Error('of the page') } })",
    "() => Promise.resolve({ status: 200, text() {} })",
    "() => Promise.reject()",
];

/// What replaces a class.
const CLASSES: [&str; 2] = [
    "undefined",
    "class { constructor() { throw new Error('of the page') } }",
];

#[wasm_bindgen_test]
async fn a_fetch_or_a_class_that_does_not_work_is_an_unreachable_proxy() {
    let fetches = FETCHES.map(|fetch| ("fetch", fetch)).into_iter();
    let classes = ["Headers", "Request", "URLSearchParams"].into_iter();
    let classes = classes.flat_map(|class| CLASSES.map(|replacement| (class, replacement)));
    for (name, replacement) in fetches.chain(classes) {
        let proxy = Proxy::new();
        let checkout = Checkout::ready(&proxy, &[("payment-token", "btc")]).await;
        let replaced = Replaced::new("window", name, replacement);
        checkout.pay();
        checkout.until_shown("could not reach").await;
        drop(replaced);
        let code = checkout.error_code();
        assert_eq!(code, "unreachable", "{name}: {replacement}");

        can_be_tried_again(&proxy, &checkout).await;
    }
}

/// Its class may be another one than that of this page.
#[wasm_bindgen_test]
async fn a_response_is_judged_by_what_it_does() {
    for fetch in [
        // A wrapper that hands over only what it knows.
        "async (...given) => {
            const response = await original(...given);
            return { status: response.status, text: () => response.text() };
        }",
        // A promise of a library.
        "(...given) => ({ then: (...called) => original(...given).then(...called) })",
        // A response of another frame.
        "async (...given) => {
            const response = await original(...given);
            const frame = document.body.appendChild(document.createElement('iframe'));
            setTimeout(() => frame.remove(), 500);
            const copy = new frame.contentWindow.Response(await response.text(), { status: response.status });
            if (copy instanceof Response) throw new Error('it is of this page');
            return copy;
        }",
    ] {
        let proxy = Proxy::new();
        let checkout = Checkout::ready(&proxy, &[("payment-token", "btc")]).await;
        let replaced = Replaced::new("window", "fetch", fetch);
        checkout.submit(&proxy, record::payment(None)).await;
        drop(replaced);
        assert_eq!(checkout.event_names(), ["tender-ready", "tender-created"]);
    }
}

/// Browsers of 2022 have none, and a wrapper may ignore the request's signal.
#[wasm_bindgen_test]
async fn a_request_times_out_without_the_help_of_the_browser() {
    let timeout = Replaced::new("AbortSignal", "timeout", "undefined");
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("payment-token", "btc")]).await;
    let fetch = Replaced::new("window", "fetch", "() => new Promise(() => {})");
    checkout.pay();
    settled().await;
    assert_eq!(checkout.details_of("tender-error").len(), 0);
    clock::fire(REQUEST_TIMEOUT);
    checkout.until_shown("too long").await;
    assert_eq!(checkout.error_code(), "timeout");
    drop(fetch);

    can_be_tried_again(&proxy, &checkout).await;
    drop(timeout);
}

#[wasm_bindgen_test]
async fn a_clipboard_that_does_not_work_is_said() {
    for write in [
        "undefined",
        "() => { throw new Error('of the page') }",
        "() => undefined",
        "() => Promise.reject()",
    ] {
        let proxy = Proxy::new();
        let checkout = Checkout::awaiting(&proxy, None).await;
        let replaced = Replaced::new("navigator.clipboard", "writeText", write);
        checkout.press("Copy amount");
        checkout.until_shown("Select it to copy").await;
        assert!(!checkout.text().contains("Copied"));
        // It is printed beside the texts, not over them.
        let status = checkout.all(".copy-status").remove(0);
        let [amount, status, network] = [checkout.part("amount"), status, checkout.part("network")]
            .map(|element| element.get_bounding_client_rect());
        assert!(status.top() >= amount.bottom(), "below the amount");
        assert!(status.bottom() <= network.top(), "above the network");
        drop(replaced);
        checkout.press("Copy amount");
        checkout.until_shown("Copied").await;
        assert_eq!(clipboard::take().as_deref(), Some("0.00012345"), "{write}");
    }
}

#[wasm_bindgen_test]
async fn a_console_that_does_not_work_changes_nothing() {
    for method in ["undefined", "() => { throw new Error('of the page') }"] {
        let console = ["error", "warn"].map(|name| Replaced::new("console", name, method));
        let proxy = Proxy::new();
        // Two warnings: a code that the service does not accept, and texts that can't be read.
        let attributes = [("accept", "btc doge"), ("texts", "none")];
        let checkout = Checkout::ready(&proxy, &attributes).await;
        assert_eq!(checkout.role("radio").len(), 1);
        // An error.
        checkout.unset("proxy");
        checkout.until_event("tender-error").await;
        drop(console);
        assert_eq!(checkout.error_code(), "config-invalid");
        assert!(checkout.shows_fallback());
    }
}
