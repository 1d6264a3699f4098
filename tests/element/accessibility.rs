//! The library that computes roles and names in other browsers agrees with Chromium, which computes them itself.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::finding;
use crate::support::accessibility::assert_agreement;
use crate::support::proxy::{FIND, Proxy};
use crate::support::wait::settled;
use crate::support::walk::through_the_views;

#[wasm_bindgen_test]
async fn in_each_view_of_a_payment() {
    let proxy = Proxy::new();
    through_the_views(&proxy, |checkout, _| assert_agreement(checkout)).await;
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
