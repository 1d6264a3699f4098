//! No two controls touch each other, no text is cut off, and colours have contrast: in each state, from the narrowest phone to a
//! desktop, in both directions and themes.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::finding;
use crate::support::checkout::Checkout;
use crate::support::gaps::problems;
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::wait::settled;
use crate::support::walk::through_the_views;

/// Stops unless there are none.
fn check(checkout: &Checkout, state: &str) {
    let problems = problems(checkout);
    assert!(problems.is_empty(), "{state}:\n{}", problems.join("\n"));
}

#[wasm_bindgen_test]
async fn in_each_view_of_a_payment() {
    let proxy = Proxy::new();
    through_the_views(&proxy, check).await;
}

#[wasm_bindgen_test]
async fn in_each_state_of_a_found_payment() {
    finding::through_the_states(check).await;
}

#[wasm_bindgen_test]
async fn in_the_question_whether_money_was_sent() {
    check(&finding::asking().await, "question");
}

/// With the link back to the shop below each of them.
#[wasm_bindgen_test]
async fn above_the_way_back_to_the_shop() {
    let proxy = Proxy::new();
    let checkout = finding::open(&proxy);
    checkout.until_ready().await;
    settled().await;
    check(&checkout, "form");
    checkout.choose("Bitcoin, Bitcoin");
    let create = proxy.hold(CREATE);
    checkout.pay();
    settled().await;
    check(&checkout, "creating");
    create.open(Reply::problem(403, "order-expired"));
    checkout.until_part("back").await;
    settled().await;
    check(&checkout, "failure");
    checkout.press("Back");
    settled().await;
    checkout
        .submit(&proxy, record::payment(Some("receipt-7")))
        .await;
    checkout.unfold();
    settled().await;
    check(&checkout, "payment");
    checkout.press("Cancel payment");
    settled().await;
    check(&checkout, "cancel question");
    checkout.press("Keep it");
    checkout.paste_hash(&"0123456789abcdef".repeat(4));
    settled().await;
    check(&checkout, "hash entered");
}

#[wasm_bindgen_test]
async fn around_the_warning_that_the_price_differs() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    checkout.choose("Tether USD, TRON");
    let dearer = record::payment(None).replace("0.00012345", "13");
    checkout.submit(&proxy, dearer).await;
    checkout.until_shown("Ask the shop why").await;
    settled().await;
    check(&checkout, "price differs");
}
