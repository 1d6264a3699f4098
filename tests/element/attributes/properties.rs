//! The property with the name of each attribute.

use js_sys::{Array, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::Element;

use crate::support::checkout::Checkout;
use crate::support::frame::{Frame, QUIET_GLUE};
use crate::support::loader;
use crate::support::proxy::{Proxy, TOKENS};
use crate::support::subject::SUBJECT;
use crate::support::wait::until;

/// Every attribute with its property.
fn properties(element: &Element) -> Vec<(String, String)> {
    let get = |object: &JsValue, name: &str| Reflect::get(object, &name.into()).unwrap();
    let attributes = get(&get(element, "constructor"), "attributes");
    Array::from(&attributes)
        .iter()
        .map(|attribute| {
            let attribute = attribute.as_string().unwrap();
            let mut words = attribute.split('-');
            let first = words.next().unwrap().to_owned();
            let property = words.fold(first, |name, word| {
                name + &word[..1].to_uppercase() + &word[1..]
            });
            (attribute, property)
        })
        .collect()
}

#[wasm_bindgen_test]
async fn every_attribute_is_a_property() {
    let checkout = Checkout::bare(&[]);
    for (attribute, property) in &properties(&checkout.element) {
        assert_eq!(checkout.property(property), JsValue::NULL, "{property}");
        checkout.set(attribute, "by attribute");
        assert_eq!(checkout.property(property), JsValue::from("by attribute"));
        checkout.set_property(property, "by property");
        assert_eq!(
            checkout.element.get_attribute(attribute).as_deref(),
            Some("by property")
        );
        checkout.set_property(property, 0);
        assert_eq!(
            checkout.element.get_attribute(attribute).as_deref(),
            Some("0")
        );
        checkout.set_property(property, JsValue::NULL);
        assert!(!checkout.element.has_attribute(attribute), "{attribute}");
    }
}

#[wasm_bindgen_test]
async fn properties_alone_make_a_checkout() {
    let proxy = Proxy::new();
    let checkout = Checkout::bare(&[]);
    checkout.set_property("proxy", proxy.address());
    checkout.set_property("token", "usdtt");
    checkout.set_property("quantity", "3");
    checkout.set_property("invoiceNumber", "INV-9");
    checkout.set_property("paymentToken", "btc");
    checkout.insert();
    checkout.until_ready().await;
    assert_eq!(checkout.part("price").text_content().unwrap(), "3.00 USDT");
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
}

#[wasm_bindgen_test]
async fn properties_set_before_the_element_is_defined_count() {
    let proxy = Proxy::new();
    let frame = Frame::open("", "<tender-checkout></tender-checkout>").await;
    let element = frame.checkouts().remove(0);
    let properties = properties(&Checkout::bare(&[]).element);
    for (_, property) in &properties {
        let value = match &**property {
            "proxy" => proxy.address(),
            other => other,
        };
        Reflect::set(&element, &property.into(), &value.into()).unwrap();
        assert!(!element.has_attributes(), "not an element of ours yet");
    }
    let glue = loader::module(QUIET_GLUE);
    loader::run_after(
        &frame.document(),
        &element,
        &SUBJECT.script_with(&glue),
        &[],
    );
    for (attribute, property) in &properties {
        let value = element.get_attribute(attribute).unwrap();
        let expected = if property == "proxy" {
            proxy.address()
        } else {
            property.as_str()
        };
        assert_eq!(value, expected);
    }
    // Setting a property sets the attribute.
    Reflect::set(&element, &"theme".into(), &"dark".into()).unwrap();
    assert_eq!(element.get_attribute("theme").as_deref(), Some("dark"));
    until("the tokens are asked for", || proxy.sent(TOKENS).len() == 1).await;
}
