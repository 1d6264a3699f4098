//! `refresh()` and `reset()`.

use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply, TOKENS, status};
use crate::support::wait::settled;
use crate::support::{record, stream};

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
