//! The library that computes roles and names in other browsers agrees with Chromium, which computes them itself.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::finding;
use crate::support::accessibility::assert_agreement;
use crate::support::checkout::Checkout;
use crate::support::proxy::{FIND, Proxy, Reply, TOKENS};
use crate::support::record;
use crate::support::wait::settled;

#[wasm_bindgen_test]
async fn in_the_form() {
    let proxy = Proxy::new();
    let tokens = proxy.hold(TOKENS);
    let fields = [("ask", "name email"), ("item-number", "0")];
    let checkout = Checkout::open(&proxy, &fields);
    settled().await;
    assert_agreement(&checkout);
    tokens.open(Reply::ok(record::listing()));
    checkout.until_ready().await;
    assert_agreement(&checkout);
    checkout.pay();
    settled().await;
    assert_eq!(checkout.role("alert").len(), 1);
    assert_agreement(&checkout);
}

#[wasm_bindgen_test]
async fn in_a_payment() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    settled().await;
    assert_agreement(&checkout);
    checkout.paste_hash("not a hash");
    settled().await;
    assert_agreement(&checkout);
    checkout.press("Cancel payment");
    settled().await;
    assert_agreement(&checkout);
}

#[wasm_bindgen_test]
async fn in_each_state_of_a_found_payment() {
    for (status, state, fields, title) in finding::STATES {
        let proxy = Proxy::new();
        proxy.reply(FIND, finding::found(status, state, fields));
        let checkout = finding::open(&proxy);
        checkout.until_shown(title).await;
        settled().await;
        assert_agreement(&checkout);
    }
}

#[wasm_bindgen_test]
async fn in_the_question_whether_money_was_sent() {
    let proxy = Proxy::new();
    proxy.reply(FIND, finding::found("Created", "open", ""));
    let checkout = finding::open(&proxy);
    checkout.until_part("change").await;
    checkout.press("Use another token");
    checkout.until_ready().await;
    settled().await;
    assert_agreement(&checkout);
}
