//! The property with the name of each attribute.

use js_sys::{Array, Function, Reflect};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, window};

use crate::support::checkout::Checkout;
use crate::support::frame::{Frame, QUIET_GLUE};
use crate::support::loader;
use crate::support::proxy::{Proxy, TOKENS};
use crate::support::subject::SUBJECT;
use crate::support::wait::until;

#[wasm_bindgen(module = "/crates/element/loader/properties.js")]
extern "C" {
    #[wasm_bindgen(js_name = reflectAttributes)]
    fn reflect_attributes(class: &JsValue);
    #[wasm_bindgen(js_name = upgradeProperties)]
    fn upgrade_properties(element: &Element);
}

/// Every attribute that is not boolean, with its property.
fn properties(element: &Element) -> Vec<(String, String)> {
    let get = |object: &JsValue, name: &str| Reflect::get(object, &name.into()).unwrap();
    let class = get(element, "constructor");
    let booleans = Array::from(&get(&class, "booleans"));
    Array::from(&get(&class, "attributes"))
        .iter()
        .filter(|attribute| !booleans.includes(attribute, 0))
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

/// As in HTML. An element of this test's own has one: that of `<tender-checkout>` has none yet.
#[wasm_bindgen_test]
fn a_boolean_attribute_is_true_if_it_is_there() {
    let document = window().unwrap().document().unwrap();
    let set_before = document.create_element("boolean-sample").unwrap();
    set_before.set_attribute("is-on", "").unwrap();
    let is_on = JsValue::from("isOn");
    Reflect::set(&set_before, &is_on, &JsValue::FALSE).unwrap();

    let script = "class Sample extends HTMLElement {}
        Object.assign(Sample, { attributes: ['is-on'], booleans: ['is-on'], properties: [] });
        customElements.define('boolean-sample', Sample);
        return Sample";
    let class = Function::new_no_args(script).call0(&JsValue::NULL);
    reflect_attributes(&class.unwrap());

    let element = document.create_element("boolean-sample").unwrap();
    let property = || Reflect::get(&element, &is_on).unwrap();
    assert_eq!(property(), JsValue::FALSE);
    for value in ["", "is-on", "false"] {
        element.set_attribute("is-on", value).unwrap();
        assert_eq!(property(), JsValue::TRUE, "{value:?}");
    }
    for (value, written) in [
        (JsValue::FALSE, None),
        (JsValue::UNDEFINED, None),
        (JsValue::TRUE, Some("")),
        (JsValue::from("yes"), Some("")),
        (JsValue::NULL, None),
    ] {
        Reflect::set(&element, &is_on, &value).unwrap();
        assert_eq!(element.get_attribute("is-on").as_deref(), written);
        assert_eq!(property(), JsValue::from(written.is_some()));
    }

    document.body().unwrap().append_child(&set_before).unwrap();
    upgrade_properties(&set_before);
    assert!(
        !set_before.has_attribute("is-on"),
        "set before it was defined"
    );
    set_before.remove();
}
