//! The library that computes roles and names in other browsers agrees with Chromium, which computes them itself.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::finding;
use crate::support::accessibility::assert_agreement;
use crate::support::proxy::Proxy;
use crate::support::walk::through_the_views;

#[wasm_bindgen_test]
async fn in_each_view_of_a_payment() {
    let proxy = Proxy::new();
    through_the_views(&proxy, |checkout, _| assert_agreement(checkout)).await;
}

#[wasm_bindgen_test]
async fn in_each_state_of_a_found_payment() {
    finding::through_the_states(|checkout, _| assert_agreement(checkout)).await;
}

#[wasm_bindgen_test]
async fn in_the_question_whether_money_was_sent() {
    let checkout = finding::asking().await;
    assert_agreement(&checkout);
}
