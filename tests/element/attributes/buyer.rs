//! Which fields ask the buyer about themselves, and what is sent.

use serde_json::Value;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlInputElement;

use super::submitted;
use crate::support::checkout::Checkout;
use crate::support::proxy::{CREATE, Proxy};
use crate::support::wait::settled;

#[wasm_bindgen_test]
async fn a_buyer_field_starts_with_the_shop_s_value_and_what_is_typed_is_sent() {
    let proxy = Proxy::new();
    let attributes = [
        ("ask", "name email"),
        ("purchase-email", "ann"),
        ("purchase-name", "Ann"),
    ];
    let checkout = Checkout::ready(&proxy, &attributes).await;
    for (field, value) in [("E-mail", "ann"), ("Name", "Ann")] {
        let field: HtmlInputElement = checkout.named("textbox", field).unchecked_into();
        assert_eq!(field.value(), value);
    }
    checkout.choose("Bitcoin, Bitcoin");
    checkout.pay();
    settled().await;
    assert!(checkout.alert().contains("like name@example.com"));
    checkout.fill("E-mail", " ann@example.com ");
    checkout.fill("Name", "Bea");
    let body: Value = serde_json::from_str(&submitted(&proxy, &checkout).await).unwrap();
    assert_eq!(body["purchaseEmail"], "ann@example.com");
    assert_eq!(body["purchaseName"], "Bea");
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
        let attribute = |name| input.get_attribute(name);
        assert_eq!(attribute("aria-required").as_deref(), Some("true"));
        checkout.choose("Bitcoin, Bitcoin");
        checkout.pay();
        settled().await;
        assert_eq!(checkout.alert(), problem);
        assert_eq!(checkout.focused().as_ref(), Some(input.as_ref()));
        // It is beside the field, and describes it.
        let alert = checkout.role("alert").remove(0);
        assert_eq!(attribute("aria-describedby"), Some(alert.id()));
        assert!(alert.closest("[part=field]").unwrap().is_some());
        assert!(proxy.sent(CREATE).is_empty());
    }
}
