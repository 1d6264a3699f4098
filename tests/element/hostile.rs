//! Records come from outside: any content is shown as text and does no harm.

use js_sys::Reflect;
use serde_json::Value;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::window;

use crate::support::checkout::Checkout;
use crate::support::proxy::{Proxy, Reply, TOKENS};
use crate::support::record;
use crate::support::wait::settled;

/// Sets a global variable if it ever runs.
const SCRIPT: &str = "<img src=x onerror='hacked=1'><script>hacked=1</script>";

/// The record of KXP, with this name in place of each of its names.
fn named(name: &str) -> Value {
    let mut token = record::token("kxp");
    token["name"] = name.into();
    token["symbol"] = name.into();
    token["network"]["name"] = name.into();
    token
}

#[wasm_bindgen_test]
async fn a_script_in_a_record_stays_text() {
    let proxy = Proxy::new();
    // A token whose addresses have no known format: any wallet is shown.
    let token = named(SCRIPT);
    proxy.reply(TOKENS, Reply::ok(record::list(&[token])));
    let checkout = Checkout::ready(&proxy, &[("invoice-number", SCRIPT)]).await;
    settled().await;
    assert!(checkout.names("radio")[0].contains("<script>"));

    let payment = record::payment(None)
        .replace(record::WALLET, &SCRIPT.replace('"', "'"))
        .replace("Created", SCRIPT)
        .replace("INV-7", SCRIPT);
    checkout.submit(&proxy, payment).await;
    settled().await;
    assert_eq!(checkout.text_of("wallet"), SCRIPT);
    assert_eq!(checkout.text_of("status"), SCRIPT);
    assert!(checkout.all("script, [onerror]").is_empty());
    let hacked = Reflect::get(&window().unwrap(), &"hacked".into()).unwrap();
    assert!(hacked.is_undefined());
}

#[wasm_bindgen_test]
async fn endless_names_do_not_widen_the_page() {
    let proxy = Proxy::new();
    let endless = "W".repeat(5_000);
    let listing = record::list(&[named(&endless), record::token("trx")]);
    proxy.reply(TOKENS, Reply::ok(listing));
    let checkout = Checkout::create(&proxy, &[("invoice-number", &endless)]);
    checkout.set("style", "inline-size: 320px");
    checkout.insert();
    checkout.until_ready().await;
    let is_inside = |checkout: &Checkout| {
        let card = checkout.part("card");
        card.scroll_width() <= card.client_width()
    };
    assert!(is_inside(&checkout));

    checkout.choose(&endless[..10]);
    let amount = "123456789012345678901234567890.12345678";
    let payment = record::payment(None)
        .replace(record::WALLET, &endless)
        .replace("Created", &endless)
        .replace("INV-7", &endless)
        .replace("0.00012345", amount);
    checkout.submit(&proxy, payment).await;
    let created = &checkout.details_of("tender-created")[0]["payment"];
    assert_eq!(created["quantityPay"], amount, "a decimal string");
    assert!(
        is_inside(&checkout),
        "{} wide",
        checkout.part("card").scroll_width()
    );
}

/// An override of the direction makes "Not paid" of "diap toN".
#[wasm_bindgen_test]
async fn a_status_is_shown_in_the_order_of_its_characters() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    checkout.choose("Bitcoin, Bitcoin");
    let payment = record::payment(None)
        .replace(r#""statusId":"1""#, r#""statusId":"7""#)
        .replace("Created", "\u{202e}diap toN");
    checkout.submit(&proxy, payment).await;
    assert_eq!(checkout.text_of("status"), "diap toN");
}
