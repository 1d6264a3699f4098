//! Which fields ask the buyer about themselves, and what is sent.

use serde_json::Value;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

use super::submitted;
use crate::support::checkout::Checkout;
use crate::support::proxy::{CREATE, Proxy};
use crate::support::wait::settled;

fn value(checkout: &Checkout, field: &str) -> String {
    let field: HtmlInputElement = checkout.named("textbox", field).unchecked_into();
    field.value()
}

#[wasm_bindgen_test]
async fn ask_shows_buyer_fields_which_may_stay_empty() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("ask", "name email")]).await;
    let names = checkout.names("textbox");
    assert_eq!(names.len(), 2, "{names:?}");
    let body: Value = serde_json::from_str(&submitted(&proxy, &checkout).await).unwrap();
    assert!(body.get("purchaseEmail").is_none() && body.get("purchaseName").is_none());

    let checkout = Checkout::ready(&proxy, &[("ask", "name email")]).await;
    checkout.fill("E-mail", "ann");
    checkout.choose("Bitcoin, Bitcoin");
    checkout.pay();
    settled().await;
    assert!(
        checkout.role("alert")[0]
            .text_content()
            .unwrap()
            .contains("like name@example.com")
    );
    checkout.fill("E-mail", " ann@example.com ");
    checkout.fill("Name", "Ann");
    let body: Value = serde_json::from_str(&submitted(&proxy, &checkout).await).unwrap();
    assert_eq!(body["purchaseEmail"], "ann@example.com");
    assert_eq!(body["purchaseName"], "Ann");
}

#[wasm_bindgen_test]
async fn an_exclamation_mark_makes_a_buyer_field_required() {
    let proxy = Proxy::new();
    for (ask, field, problem) in [
        ("email!", "E-mail", "Enter your e-mail address."),
        ("name!", "Name", "Enter your name."),
    ] {
        let checkout = Checkout::ready(&proxy, &[("ask", ask)]).await;
        let input = checkout.named("textbox", field);
        assert_eq!(
            input.get_attribute("aria-required").as_deref(),
            Some("true")
        );
        checkout.choose("Bitcoin, Bitcoin");
        checkout.pay();
        settled().await;
        let alerts = checkout.role("alert");
        assert_eq!(alerts.len(), 1);
        assert_eq!(alerts[0].text_content().unwrap(), problem);
        // It is beside the field, and describes it.
        assert_eq!(
            input.get_attribute("aria-describedby"),
            Some(alerts[0].id())
        );
        assert!(alerts[0].closest("[part=field]").unwrap().is_some());
        assert!(proxy.sent(CREATE).is_empty());
    }
}

#[wasm_bindgen_test]
async fn purchase_email_and_name_are_sent_asked_for_or_not() {
    let proxy = Proxy::new();
    let known = [
        ("purchase-email", "ann@example.com"),
        ("purchase-name", "Ann"),
    ];
    let checkout = Checkout::ready(&proxy, &known).await;
    assert!(checkout.role("textbox").is_empty());
    let body: Value = serde_json::from_str(&submitted(&proxy, &checkout).await).unwrap();
    assert_eq!(body["purchaseEmail"], "ann@example.com");
    assert_eq!(body["purchaseName"], "Ann");

    let checkout = Checkout::ready(&proxy, &[known[0], known[1], ("ask", "email name")]).await;
    assert_eq!(value(&checkout, "E-mail"), "ann@example.com");
    assert_eq!(value(&checkout, "Name"), "Ann");
    checkout.fill("Name", "Bea");
    let body: Value = serde_json::from_str(&submitted(&proxy, &checkout).await).unwrap();
    assert_eq!(body["purchaseName"], "Bea");
}
