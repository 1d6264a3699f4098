//! The copy buttons copy the exact values without anything around them.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::Function;
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, MutationObserver, MutationObserverInit};

use crate::support::checkout::Checkout;
use crate::support::clipboard;
use crate::support::clock;
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

    let exact = checkout.attribute("amount", "data-value").unwrap();
    let shown = checkout.text_of("amount");
    assert!(shown.starts_with("1.234.567,1"), "grouped for reading");
    checkout.press("Copy amount");
    checkout.until_shown("Copied").await;
    assert_eq!(clipboard::take().as_deref(), Some(exact.as_str()));
    assert!(exact.starts_with("1234567.1"), "{exact}");

    checkout.press("Copy wallet address on Bitcoin");
    settled().await;
    assert_eq!(clipboard::take().as_deref(), Some(record::WALLET));
}

/// The statuses that are not empty.
fn statuses(checkout: &Checkout) -> Vec<String> {
    let all = checkout.all(".copy-status");
    let texts = all.iter().filter_map(|status| status.text_content());
    texts.filter(|text| !text.is_empty()).collect()
}

/// The clipboard holds one value: only the button that was pressed last says that it is its own.
#[wasm_bindgen_test]
async fn one_button_at_a_time_says_copied_and_each_press_is_announced() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    let done = || checkout.all(".copy .done").len();
    checkout.press("Copy amount");
    settled().await;
    assert_eq!(
        (statuses(&checkout), done()),
        (vec!["Copied".to_owned()], 1)
    );

    let changes = Rc::new(Cell::new(0));
    let count = Rc::clone(&changes);
    let callback = Closure::<dyn FnMut()>::new(move || count.set(count.get() + 1));
    let observer = MutationObserver::new(callback.as_ref().unchecked_ref()).unwrap();
    let init = MutationObserverInit::new();
    init.set_child_list(true);
    let status = checkout.first(".copy-status");
    observer.observe_with_options(&status, &init).unwrap();
    checkout.press("Copy amount");
    settled().await;
    assert!(changes.get() >= 1, "the status is set again");
    assert_eq!(statuses(&checkout), ["Copied"]);

    checkout.press("Copy wallet address on Bitcoin");
    settled().await;
    assert_eq!(
        (statuses(&checkout), done()),
        (vec!["Copied".to_owned()], 1)
    );
    assert_eq!(status.text_content().as_deref(), Some(""));

    clock::fire(2_000.0);
    settled().await;
    assert_eq!((statuses(&checkout), done()), (vec![], 0));
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
