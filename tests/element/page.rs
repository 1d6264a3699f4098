//! Several elements, several copies of the loader, and a strict policy of the page.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::{Checkout, ORDER};
use crate::support::developer::Console;
use crate::support::proxy::{CANCEL, CREATE, Proxy, Reply, TOKENS};
use crate::support::subject::SUBJECT;
use crate::support::wait::{settled, until};
use crate::support::{clock, loader, page, record};

#[wasm_bindgen_test]
async fn several_elements_share_one_request_for_the_tokens() {
    let proxy = Proxy::new();
    let checkouts: Vec<_> = (0..3).map(|_| Checkout::open(&proxy, &[])).collect();
    for checkout in &checkouts {
        checkout.until_ready().await;
        assert_eq!(checkout.role("radio").len(), 6);
    }
    assert_eq!(proxy.sent(TOKENS).len(), 1);

    // The listing may have changed later.
    clock::fire(1_000.0);
    let later = Checkout::ready(&proxy, &[]).await;
    assert_eq!(proxy.sent(TOKENS).len(), 2);
    assert_eq!(later.role("radio").len(), 6);
}

#[wasm_bindgen_test]
async fn several_elements_are_independent() {
    let proxy = Proxy::new();
    let first = Checkout::ready(&proxy, &[]).await;
    let second = Checkout::ready(&proxy, &[("quantity", "99")]).await;
    let third = Checkout::bare(&[("proxy", "nowhere")]);
    third.insert();
    first.choose("Bitcoin, Bitcoin");
    second.choose("TRON, TRON");
    settled().await;
    assert_eq!(
        first.chosen().as_deref(),
        Some("btc"),
        "each has a radio group of its own"
    );
    assert_eq!(second.chosen().as_deref(), Some("trx"));
    until("the third shows its fallback", || third.shows_fallback()).await;
    assert!(!first.shows_fallback());

    first.submit(&proxy, record::payment(None)).await;
    assert!(!second.has_part("amount"));
    assert_eq!(second.part("price").text_content().unwrap(), "99.00 USDT");
    assert_eq!(second.event_names(), ["tender-ready"]);

    first.remove();
    settled().await;
    second.choose("Bitcoin, Bitcoin");
    settled().await;
    assert_eq!(second.chosen().as_deref(), Some("btc"));
}

#[wasm_bindgen_test]
async fn a_second_copy_of_the_loader_warns_and_yields() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    let console = Console::listen("warn");
    loader::run_after(&page::document(), &checkout.element, &SUBJECT.script(), &[]);
    let lines = console.lines();
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].contains("registered already"), "{lines:?}");
    assert!(lines[0].contains(env!("CARGO_PKG_VERSION")), "{lines:?}");
    settled().await;
    assert!(checkout.has_part("amount"));
    Checkout::ready(&proxy, &[]).await;
}

#[wasm_bindgen_test]
async fn one_tag_is_enough() {
    SUBJECT.open();
    let proxy = Proxy::new();
    let place = page::document().create_element("p").unwrap();
    page::body().append_child(&place).unwrap();
    let data = [
        ("proxy", proxy.address()),
        ("payment-token", "btc"),
        ("unrelated", "x"),
    ];
    let data: Vec<_> = data.into_iter().chain(ORDER).collect();
    loader::run_after(&page::document(), &place, &SUBJECT.script(), &data);

    let script = place.next_element_sibling().unwrap();
    let element = script.next_element_sibling().unwrap();
    assert_eq!(element.local_name(), "tender-checkout");
    let checkout = Checkout::of(element.unchecked_into());
    checkout.until_ready().await;
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
    assert_eq!(checkout.part("price").text_content().unwrap(), "12.50 USDT");
    assert!(!checkout.element.has_attribute("unrelated"));
    script.remove();
    place.remove();
}

#[wasm_bindgen_test]
async fn a_strict_policy_finds_no_inline_style_in_any_state() {
    let proxy = Proxy::new();
    let free_of_styles = |checkout: &Checkout, state: &str| {
        assert!(checkout.all("[style], style").is_empty(), "{state}");
        assert!(!checkout.element.has_attribute("style"), "{state}");
    };
    let checkout = Checkout::open(&proxy, &[("ask", "email name!"), ("item-number", "0")]);
    free_of_styles(&checkout, "skeleton");
    checkout.until_ready().await;
    free_of_styles(&checkout, "choosing");
    checkout.choose("Bitcoin, Bitcoin");
    checkout.pay();
    settled().await;
    free_of_styles(&checkout, "wrong field");
    checkout.fill("Name", "Ann");
    let create = proxy.hold(CREATE);
    checkout.pay();
    settled().await;
    free_of_styles(&checkout, "submitting");
    create.open(Reply::Lost);
    checkout.until_part("retry").await;
    free_of_styles(&checkout, "failed");
    proxy.reply(CREATE, Reply::ok(record::payment(Some("receipt-7"))));
    checkout.press("Try again");
    checkout.until_part("amount").await;
    checkout.paste_hash("wrong");
    checkout.press("Copy amount");
    checkout.press("Cancel payment");
    settled().await;
    free_of_styles(&checkout, "awaiting");
    proxy.reply(CANCEL, Reply::ok("[]"));
    checkout.press("Yes, cancel");
    checkout.until_shown("Payment cancelled").await;
    free_of_styles(&checkout, "cancelled");

    proxy.reply(TOKENS, Reply::Lost);
    clock::fire(1_000.0);
    let checkout = Checkout::open(&proxy, &[]);
    checkout.until_event("tender-error").await;
    free_of_styles(&checkout, "unavailable");
}

#[wasm_bindgen_test]
async fn all_elements_share_one_stylesheet() {
    let proxy = Proxy::new();
    let sheets = |checkout: &Checkout| {
        let root = checkout.root();
        js_sys::Reflect::get(&root, &"adoptedStyleSheets".into()).unwrap()
    };
    let (first, second) = (Checkout::open(&proxy, &[]), Checkout::open(&proxy, &[]));
    let (first, second) = (sheets(&first), sheets(&second));
    let sheet = |list| js_sys::Reflect::get_u32(&list, 0).unwrap();
    assert!(sheet(first).is_object());
    assert_eq!(
        sheet(sheets(&Checkout::open(&proxy, &[]))),
        sheet(second),
        "the very same sheet"
    );
}
