//! A panic in the module, a real one. It ends the instance for every element of the page, and with
//! it all that could be tested after it: so it stands alone here.
#![cfg(target_arch = "wasm32")]
#![allow(
    clippy::indexing_slicing,
    reason = "a test may stop at the first thing that is not as it should be"
)]

mod support;

use support::office::Office;
use support::shop::Shop;
use support::wait::until;
use support::{defect, page};
use wasm_bindgen_test::wasm_bindgen_test;

wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
async fn a_panic_is_told_by_every_element_above_its_fallback() {
    page::open_with(tender_payments::on_crash);
    let shop = Shop::with(2);
    let first = Office::ready(&shop).await;
    let second = Office::ready(&shop).await;
    second.shows(2, 1).await;
    defect::strike(&first);
    until("the panic is reported", || {
        !second.told("tender-error").is_empty()
    })
    .await;
    for office in [&first, &second] {
        office
            .until_shown("The list of payments stopped working")
            .await;
        assert!(office.shows_fallback() && !office.has_part("row"));
        assert_eq!(office.names("button"), ["Reload the page"]);
        let errors = office.told("tender-error");
        assert_eq!(
            errors.last().map(|error| &error["code"]),
            Some(&"crashed".into())
        );
    }
    let third = Office::open(&shop);
    third
        .until_shown("The list of payments stopped working")
        .await;
}
