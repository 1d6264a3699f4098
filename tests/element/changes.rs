//! Attributes that change after the element is shown.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

use crate::support::checkout::Checkout;
use crate::support::proxy::{CREATE, Proxy, Reply, TOKENS};
use crate::support::record;
use crate::support::wait::settled;

#[wasm_bindgen_test]
async fn theme_and_locale_keep_what_was_chosen_and_typed_and_the_payment() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("ask", "name")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    checkout.fill("Name", "Ann");
    checkout.set_property("theme", "dark");
    checkout.set_property("locale", "en-IN");
    settled().await;
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
    let payment = record::payment(None).replace("0.00012345", "1234567.25");
    checkout.submit(&proxy, payment).await;
    assert_eq!(proxy.sent(CREATE)[0].json()["purchaseName"], "Ann");
    let before = checkout.part("amount");
    assert_eq!(checkout.text_of("amount"), "12,34,567.25 BTC");

    checkout.set("theme", "light");
    checkout.set("locale", "de");
    settled().await;
    assert_eq!(checkout.text_of("amount"), "1.234.567,25 BTC");
    let exact = checkout.attribute("amount", "data-value");
    assert_eq!(exact.as_deref(), Some("1234567.25"));
    assert_eq!(checkout.text_of("wallet"), record::WALLET);
    // The same element, with other digits.
    assert_eq!(checkout.part("amount"), before);
    assert_eq!((proxy.sent(TOKENS).len(), proxy.total()), (1, 2));
    assert_eq!(checkout.event_names(), ["tender-ready", "tender-created"]);
}

/// As a shop does that learns who the buyer is, or offers more once the page has loaded.
#[wasm_bindgen_test]
async fn what_the_form_offers_changes_in_place() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("ask", "name")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    checkout.fill("Name", "Ann");
    let field = checkout.named("textbox", "Name");
    field.focus().unwrap();
    checkout.set("ask", "name! email");
    checkout.set("purchase-email", "ann@shop.example");
    checkout.set("purchase-name", "Another name");
    checkout.set("accept", "trx btc");
    settled().await;
    assert_eq!(checkout.names("radio"), ["TRON, TRON", "Bitcoin, Bitcoin"]);
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
    assert_eq!(checkout.focused().as_ref(), Some(field.as_ref()));
    assert_eq!(
        field.get_attribute("aria-required").as_deref(),
        Some("true")
    );

    // What the buyer has not touched is what the shop knows.
    checkout.set("purchase-email", "bea@shop.example");
    settled().await;
    let email: HtmlInputElement = checkout.named("textbox", "E-mail").unchecked_into();
    assert_eq!(email.value(), "bea@shop.example");
    checkout.submit(&proxy, record::payment(None)).await;
    let sent = proxy.sent(CREATE)[0].json();
    assert_eq!(sent["purchaseName"], "Ann");
    assert_eq!(sent["purchaseEmail"], "bea@shop.example");
    assert_eq!(proxy.sent(TOKENS).len(), 1);
}

#[wasm_bindgen_test]
async fn another_order_and_another_proxy_restart_the_checkout() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    // Several changes in the same task take effect together.
    checkout.set("quantity", "3");
    checkout.set("invoice-number", "INV-8");
    checkout.set("token", "trx");
    checkout.until_ready().await;
    assert!(!checkout.has_part("amount"));
    assert_eq!(checkout.text_of("price"), "3.00 TRX");
    assert_eq!(checkout.chosen(), None);
    assert_eq!(proxy.sent(TOKENS).len(), 2);
    assert_eq!(
        checkout.event_names(),
        ["tender-ready", "tender-created", "tender-ready"]
    );

    checkout.choose("Bitcoin, Bitcoin");
    checkout.submit(&proxy, record::payment(None)).await;
    let sent = proxy.sent(CREATE);
    assert_eq!(sent[1].json()["invoiceNumber"], "INV-8");
    assert_ne!(sent[0].idempotency_key, sent[1].idempotency_key);

    let other = Proxy::new();
    checkout.set("proxy", other.address());
    checkout.until_ready().await;
    assert_eq!((proxy.sent(TOKENS).len(), other.sent(TOKENS).len()), (2, 1));
}

#[wasm_bindgen_test]
async fn another_proxy_before_the_module_is_there_is_the_one_that_counts() {
    let (first, second) = (Proxy::new(), Proxy::new());
    for (proxy, code) in [(&first, "trx"), (&second, "btc")] {
        let listing = record::list(&[record::token(code)]);
        proxy.reply(TOKENS, Reply::ok(listing));
    }
    let checkout = Checkout::open(&first, &[]);
    // The first request is the loader's.
    checkout.set("proxy", second.address());
    checkout.until_ready().await;
    assert_eq!(checkout.names("radio"), ["Bitcoin, Bitcoin"]);
}

#[wasm_bindgen_test]
async fn attributes_that_become_wrong_and_right_again() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    checkout.set("quantity", "a lot");
    checkout.until_event("tender-error").await;
    assert!(checkout.shows_fallback() && !checkout.shows_card());
    assert_eq!(checkout.error_code(), "config-invalid");

    checkout.set("quantity", "7");
    checkout.until_ready().await;
    assert!(checkout.shows_card() && !checkout.shows_fallback());
    assert_eq!(checkout.text_of("price"), "7.00 USDT");
    assert_eq!(checkout.details_of("tender-error").len(), 1);
}

#[wasm_bindgen_test]
async fn another_offer_changes_what_is_shown_even_if_nothing_could_be_offered() {
    let proxy = Proxy::new();
    let checkout = Checkout::open(&proxy, &[("accept", "eth")]);
    checkout.until_event("tender-error").await;
    assert_eq!(checkout.error_code(), "no-tokens");
    checkout.set("accept", "eth btc trx");
    checkout.until_ready().await;
    assert_eq!(checkout.names("radio"), ["Bitcoin, Bitcoin", "TRON, TRON"]);

    checkout.set("ask", "email!");
    settled().await;
    checkout.until_ready().await;
    assert_eq!(checkout.names("textbox").len(), 1);

    checkout.set("payment-token", "trx");
    settled().await;
    checkout.until_ready().await;
    assert_eq!(checkout.chosen().as_deref(), Some("trx"));

    checkout.set("accept", "btc");
    settled().await;
    checkout.until_ready().await;
    assert_eq!(checkout.names("radio"), ["Bitcoin, Bitcoin"]);
}
