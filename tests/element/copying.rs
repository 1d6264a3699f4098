//! The copy buttons copy the exact values without anything around them.

use js_sys::Function;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::support::checkout::Checkout;
use crate::support::clipboard;
use crate::support::proxy::Proxy;
use crate::support::record;
use crate::support::wait::settled;

#[wasm_bindgen_test]
async fn a_click_copies_the_exact_value() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("locale", "de")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    let payment = record::payment(None).replace("0.00012345", "1234567.10000000");
    checkout.submit(&proxy, payment).await;

    let amount = checkout.part("amount");
    let exact = amount.get_attribute("data-value").unwrap();
    assert!(
        amount.text_content().unwrap().starts_with("1.234.567,1"),
        "grouped for reading"
    );
    checkout.press("Copy amount");
    checkout.until_shown("Copied").await;
    assert_eq!(clipboard::take().as_deref(), Some(exact.as_str()));
    assert!(exact.starts_with("1234567.1"), "{exact}");

    checkout.press("Copy wallet address on Bitcoin");
    settled().await;
    assert_eq!(clipboard::take().as_deref(), Some(record::WALLET));
}

#[wasm_bindgen_test]
async fn a_refused_clipboard_is_said() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    clipboard::refuse(true);
    checkout.press("Copy amount");
    checkout.until_shown("Select it to copy").await;
    clipboard::refuse(false);
    assert!(!checkout.text().contains("Copied"));
    checkout.press("Copy amount");
    checkout.until_shown("Copied").await;
    assert_eq!(clipboard::take().as_deref(), Some("0.00012345"));
}

/// The address is shown in groups, but the gaps are not part of it.
#[wasm_bindgen_test]
async fn a_selected_address_is_copied_without_its_gaps() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    let wallet = checkout.part("wallet");
    assert!(wallet.child_element_count() > 5, "it is grouped");
    let select = Function::new_with_args(
        "wallet",
        // Chromium has the selection in a shadow tree there.
        "const selection = (wallet.getRootNode().getSelection ? wallet.getRootNode() : document).getSelection();
         selection.selectAllChildren(wallet);
         return selection.toString();",
    );
    let selected = select.call1(&JsValue::NULL, &wallet).unwrap();
    assert_eq!(selected.as_string().as_deref(), Some(record::WALLET));
    let shown = wallet.unchecked_ref::<HtmlElement>().inner_text();
    assert_eq!(shown, record::WALLET);
}
