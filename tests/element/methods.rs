//! `refresh()` and `reset()`.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::{Proxy, Reply, TOKENS};
use crate::support::wait::settled;

#[wasm_bindgen_test]
async fn refresh_tries_again_and_neither_does_harm_before_and_after() {
    let proxy = Proxy::new();
    proxy.reply(TOKENS, Reply::Lost);
    let checkout = Checkout::create(&proxy, &[]);
    let call_both = || {
        checkout.call("refresh");
        checkout.call("reset");
    };
    call_both();
    checkout.insert();
    call_both();
    checkout.until_event("tender-error").await;
    checkout.call("refresh");
    checkout.until_ready().await;
    checkout.remove();
    settled().await;
    call_both();
    settled().await;
    assert_eq!(proxy.sent(TOKENS).len(), 2);
    assert_eq!(checkout.event_names(), ["tender-error", "tender-ready"]);
}
