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
        let written = || checkout.element.get_attribute(attribute);
        assert_eq!(checkout.property(property), JsValue::NULL, "{property}");
        checkout.set(attribute, "by attribute");
        assert_eq!(checkout.property(property), JsValue::from("by attribute"));
        checkout.set_property(property, "by property");
        assert_eq!(written().as_deref(), Some("by property"));
        checkout.set_property(property, 0);
        assert_eq!(written().as_deref(), Some("0"));
        checkout.set_property(property, JsValue::NULL);
        assert_eq!(written(), None, "{attribute}");
    }
}

#[wasm_bindgen_test]
async fn properties_set_before_the_element_is_defined_count() {
    let proxy = Proxy::new();
    let frame = Frame::open("", "<tender-checkout></tender-checkout>").await;
    let element = frame.checkout();
    let properties = properties(&Checkout::bare(&[]).element);
    let value = |property: &str| match property {
        "proxy" => proxy.address().to_owned(),
        other => other.to_owned(),
    };
    for (_, property) in &properties {
        Reflect::set(&element, &property.into(), &value(property).into()).unwrap();
        assert!(!element.has_attributes(), "not an element of ours yet");
    }
    let script = SUBJECT.script_with(&loader::module(QUIET_GLUE));
    loader::run_after(&frame.document(), &element, &script);
    for (attribute, property) in &properties {
        assert_eq!(element.get_attribute(attribute), Some(value(property)));
    }
    // Setting a property sets the attribute.
    Reflect::set(&element, &"theme".into(), &"dark".into()).unwrap();
    assert_eq!(element.get_attribute("theme").as_deref(), Some("dark"));
    until("the tokens are asked for", || proxy.sent(TOKENS).len() == 1).await;
}
