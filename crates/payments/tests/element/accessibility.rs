//! The library that computes roles and names in other browsers agrees with Chromium, which computes them itself.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::order_actions::{marked, opened};
use crate::support::accessibility::assert_agreement;
use crate::support::shop::Shop;
use crate::support::wait::settled;
use crate::{key, links};

#[wasm_bindgen_test]
async fn in_the_key_form() {
    let shop = Shop::with(1);
    let office = key::asked(&shop).await;
    assert_agreement(&office);
}

#[wasm_bindgen_test]
async fn in_the_form_for_a_payment_link() {
    let shop = Shop::with(1);
    let office = links::opened(&shop).await;
    assert_agreement(&office);
}

#[wasm_bindgen_test]
async fn in_the_list_in_a_dialog_and_in_its_question() {
    let shop = Shop::with(3);
    shop.set_ledger(&marked());
    let (office, _) = opened(&shop).await;
    assert_agreement(&office);
    office.press_part("remove-marks");
    office.until_part("confirm-order").await;
    settled().await;
    assert_agreement(&office);
    office.press_part("keep-order");
    settled().await;
    office.press_part("close");
    settled().await;
    assert_agreement(&office);
}
