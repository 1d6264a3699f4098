//! Functions of the page that a test replaces, as pages and their libraries do.

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;

/// A property with another value. Dropping it restores the original.
pub(crate) struct Replaced {
    object: JsValue,
    name: &'static str,
    original: JsValue,
}

impl Replaced {
    /// `object` and `value` are JavaScript expressions.
    pub(crate) fn new(object: &str, name: &'static str, value: &str) -> Self {
        let (object, value) = (evaluate(object), evaluate(value));
        let original = Reflect::get(&object, &name.into()).unwrap();
        Reflect::set(&object, &name.into(), &value).unwrap();
        Self {
            object,
            name,
            original,
        }
    }
}

impl Drop for Replaced {
    fn drop(&mut self) {
        Reflect::set(&self.object, &self.name.into(), &self.original).unwrap();
    }
}

fn evaluate(expression: &str) -> JsValue {
    let function = Function::new_no_args(&format!("return ({expression})"));
    function.call0(&JsValue::UNDEFINED).unwrap()
}
