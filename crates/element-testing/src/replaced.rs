//! Functions of the page that a test replaces, as pages and their libraries do.

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;

use crate::page;

/// A property with another value. Dropping it restores the original.
pub struct Replaced {
    object: JsValue,
    name: &'static str,
    original: JsValue,
    value: JsValue,
}

impl Replaced {
    /// `object` and `value` are JavaScript expressions; `value` may use `original`.
    pub fn new(object: &str, name: &'static str, value: &str) -> Self {
        // Dropping this would remove a stand-in that takes the property's place after it.
        page::prepare();
        let object = evaluate(object, &JsValue::UNDEFINED);
        let original = Reflect::get(&object, &name.into()).unwrap();
        let value = evaluate(value, &original);
        assert_eq!(Reflect::set(&object, &name.into(), &value), Ok(true));
        Self {
            object,
            name,
            original,
            value,
        }
    }

    pub(crate) fn value(&self) -> &JsValue {
        &self.value
    }
}

impl Drop for Replaced {
    fn drop(&mut self) {
        let _ = Reflect::set(&self.object, &self.name.into(), &self.original);
    }
}

fn evaluate(expression: &str, original: &JsValue) -> JsValue {
    let function = Function::new_with_args("original", &format!("return ({expression})"));
    function.call1(&JsValue::UNDEFINED, original).unwrap()
}
