//! A page translator, like those of browsers: it replaces text nodes with its own elements.

use js_sys::Function;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::support::checkout::Checkout;
use crate::support::mounted::type_into;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::wait::settled;

/// Translates all visible text, except where `translate="no"` forbids it.
fn translate(checkout: &Checkout) {
    let translate = Function::new_with_args(
        "root",
        "const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walker.nextNode()) texts.push(walker.currentNode);
        for (const text of texts) {
            if (!text.data.trim() || text.parentElement.closest('[translate=no], font')) continue;
            const font = document.createElement('font');
            font.append(document.createElement('font'));
            font.firstChild.append(`[${text.data}]`);
            text.replaceWith(font);
        }",
    );
    translate.call1(&JsValue::NULL, &checkout.root()).unwrap();
}

/// Clicks the last element that matches.
fn click(checkout: &Checkout, selector: &str) {
    let element = checkout.all(selector).pop().unwrap();
    element.unchecked_into::<HtmlElement>().click();
}

fn hint(checkout: &Checkout) -> String {
    checkout.all(".note")[0].text_content().unwrap()
}

#[wasm_bindgen_test]
async fn hint_and_button_follow_the_choice() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    checkout.choose("Bitcoin, Bitcoin");
    settled().await;
    translate(&checkout);
    assert!(hint(&checkout).starts_with('['), "{}", hint(&checkout));
    assert_eq!(
        checkout.part("submit").text_content().unwrap(),
        "[Pay in BTC on Bitcoin]"
    );

    checkout.choose("TRON, TRON");
    settled().await;
    let hint = hint(&checkout);
    assert!(
        hint.contains("in TRX on TRON") && !hint.contains("BTC"),
        "{hint}"
    );
    assert_eq!(
        checkout.part("submit").text_content().unwrap(),
        "Pay in TRX on TRON"
    );
}

#[wasm_bindgen_test]
async fn the_status_is_the_latest() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    settled().await;
    translate(&checkout);
    checkout.fetch(&proxy, record::with_status("2", "Confirming"));
    checkout.until_shown("do not send it again").await;
    assert_eq!(
        checkout.part("status").text_content().unwrap(),
        "Confirming"
    );
}

#[wasm_bindgen_test]
async fn code_and_link_say_what_they_hold() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    settled().await;
    translate(&checkout);
    let text = checkout.text();
    assert!(text.contains("The code includes the amount.]"), "{text}");
    click(&checkout, "[role=switch]");
    checkout.until_shown("then enter the exact amount.").await;
    assert!(!checkout.text().contains("includes the amount"));
    type_into(checkout.all("#hash")[0].unchecked_ref(), &"a".repeat(64));
    settled().await;
    let link = checkout.part("explorer").text_content().unwrap();
    assert_eq!(link, "See the transaction on mempool.space");
}

#[wasm_bindgen_test]
async fn what_has_to_be_exact_is_not_translated() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    let is_exempt = |part: &str| {
        checkout
            .part(part)
            .closest("[translate=no]")
            .unwrap()
            .is_some()
    };
    assert!(is_exempt("price"));
    checkout.choose("Bitcoin, Bitcoin");
    checkout.submit(&proxy, record::payment(None)).await;
    for part in ["amount", "network", "wallet", "status"] {
        assert!(is_exempt(part), "{part}");
    }
}

#[wasm_bindgen_test]
async fn every_view_can_be_left_after_it_was_translated() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("ask", "name")]).await;
    translate(&checkout);
    click(&checkout, "[part=submit]");
    checkout.until_shown("Choose what to pay with.").await;
    translate(&checkout);
    checkout.choose("Bitcoin, Bitcoin");
    proxy.reply(CREATE, Reply::Lost);
    click(&checkout, "[part=submit]");
    checkout.until_part("retry").await;
    translate(&checkout);
    proxy.reply(CREATE, Reply::ok(record::payment(None)));
    click(&checkout, "[part=retry]");
    checkout.until_part("amount").await;
    checkout.paste_hash("not a hash");
    settled().await;
    translate(&checkout);
    click(&checkout, "[part=cancel] button");
    settled().await;
    translate(&checkout);
    proxy.reply(CANCEL, Reply::ok("[]"));
    click(&checkout, "[part=cancel] button");
    checkout.until_shown("Payment cancelled").await;
    translate(&checkout);
    click(&checkout, "button");
    checkout.until_ready().await;
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
    assert!(
        checkout.details_of("tender-error").len() == 1,
        "the create that was lost"
    );
}
