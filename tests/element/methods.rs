//! `refresh()` and `reset()`, and the look after the status that comes by itself.

use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply, TOKENS, status};
use crate::support::wait::{settled, until};
use crate::support::{clock, record, stream};

/// The first look after the status of a new payment comes after so many milliseconds.
const FIRST_LOOK: f64 = 5_000.0;

#[wasm_bindgen_test]
async fn refresh_fetches_the_status() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    checkout.fetch(&proxy, record::with_status("7", "Waiting for the network"));
    checkout.until_shown("Waiting for the network").await;
    let sent = proxy.sent(&status());
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0].authorization.as_deref(), Some("Bearer receipt-7"));

    // A status that is not documented is shown in the service's words, and waited on.
    assert_eq!(
        checkout.part("status").text_content().unwrap(),
        "Waiting for the network"
    );
    assert!(checkout.has_part("amount") && checkout.has_part("wallet"));
}

#[wasm_bindgen_test]
async fn the_status_is_fetched_after_a_delay() {
    settled().await; // the elements of other tests have left
    let proxy = Proxy::new();
    let waiting = clock::held(FIRST_LOOK);
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    until("the look is due", || clock::held(FIRST_LOOK) == waiting + 1).await;
    assert!(proxy.sent(&status()).is_empty());
    proxy.reply(&status(), Reply::ok(record::with_status("2", "Seen")));
    clock::fire(FIRST_LOOK);
    assert_eq!(clock::held(FIRST_LOOK), 0);
    checkout.until_shown("Seen").await;
    assert_eq!(checkout.details_of("tender-status").len(), 1);
    until("the next look is due", || clock::held(FIRST_LOOK) == 1).await;
}

#[wasm_bindgen_test]
async fn a_failed_poll_changes_nothing() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    for reply in [
        Reply::Lost,
        Reply::problem(502, "service-failed"),
        Reply::ok("<html>"),
        Reply::ok(record::payment(None)),
    ] {
        proxy.reply(&status(), reply);
        checkout.call("refresh");
        settled().await;
    }
    assert_eq!(proxy.sent(&status()).len(), 4);
    assert_eq!(checkout.event_names(), ["tender-ready", "tender-created"]);
    assert!(checkout.role("alert").is_empty());
}

#[wasm_bindgen_test]
async fn a_proxy_without_the_status_route_is_requested_again_quietly() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    proxy.reply(&status(), Reply::Answer(404, String::new()));
    checkout.call("refresh");
    settled().await;
    checkout.call("refresh");
    settled().await;
    // It may have been a proxy that restarts.
    assert_eq!(proxy.sent(&status()).len(), 2);
    assert!(checkout.details_of("tender-error").is_empty() && checkout.has_part("amount"));
}

#[wasm_bindgen_test]
async fn without_a_receipt_the_status_is_not_asked_for() {
    settled().await; // the elements of other tests have left
    let proxy = Proxy::new();
    let waiting = clock::held(FIRST_LOOK);
    let checkout = Checkout::awaiting(&proxy, None).await;
    checkout.call("refresh");
    settled().await;
    assert_eq!(proxy.total(), 2, "the tokens and the payment");
    assert_eq!(clock::held(FIRST_LOOK), waiting);
}

#[wasm_bindgen_test]
async fn refresh_tries_again_to_load_the_tokens() {
    let proxy = Proxy::new();
    proxy.reply(TOKENS, Reply::Lost);
    let checkout = Checkout::open(&proxy, &[]);
    checkout.until_event("tender-error").await;
    checkout.call("refresh");
    checkout.until_ready().await;
    assert_eq!(proxy.sent(TOKENS).len(), 2);
}

#[wasm_bindgen_test]
async fn reset_goes_back_to_the_choice_and_leaves_the_payment_as_it_is() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    checkout.call("reset");
    checkout.until_ready().await;
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
    assert!(!checkout.has_part("wallet"));
    assert!(proxy.sent(CANCEL).is_empty());
    assert_eq!(
        proxy.sent(TOKENS).len(),
        2,
        "the tokens that are enabled now"
    );
}

#[wasm_bindgen_test]
async fn methods_do_no_harm_before_and_after() {
    let proxy = Proxy::new();
    let checkout = Checkout::create(&proxy, &[]);
    for method in ["refresh", "reset"] {
        checkout.call(method);
    }
    checkout.insert();
    for method in ["refresh", "reset"] {
        checkout.call(method);
    }
    checkout.until_ready().await;
    checkout.remove();
    settled().await;
    for method in ["refresh", "reset"] {
        checkout.call(method);
    }
    settled().await;
    assert_eq!(proxy.sent(TOKENS).len(), 1);
    assert_eq!(checkout.event_names(), ["tender-ready"]);
}

/// The effects of the first event come before the second event: the stream that the payment opens is closed again.
#[wasm_bindgen_test]
async fn a_reset_while_the_payment_is_told_leaves_no_stream_open() {
    let proxy = Proxy::new();
    stream::offer(&proxy);
    let checkout = Checkout::ready(&proxy, &[("payment-token", "btc")]).await;
    let element = checkout.element.clone();
    let reset = Closure::<dyn FnMut()>::new(move || {
        let reset: js_sys::Function = js_sys::Reflect::get(&element, &"reset".into())
            .unwrap()
            .unchecked_into();
        reset.call0(&element).unwrap();
    });
    let listener = reset.as_ref().unchecked_ref();
    checkout
        .element
        .add_event_listener_with_callback("tender-created", listener)
        .unwrap();
    proxy.reply(CREATE, Reply::ok(record::payment(Some("receipt-7"))));
    checkout.pay();
    checkout.until_event("tender-created").await;
    checkout.until_ready().await;
    settled().await;
    let open = stream::asked(&proxy);
    assert!(open.iter().all(|stream| !stream.is_open()));
    assert_eq!(
        checkout.event_names(),
        ["tender-ready", "tender-created", "tender-ready"]
    );
}
