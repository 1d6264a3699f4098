//! Messages for the shop's developer in the console.

use std::cell::RefCell;
use std::rc::Rc;

use js_sys::{Function, Reflect};
use wasm_bindgen::prelude::*;

/// Records a method of the console until it is dropped.
pub struct Console {
    method: &'static str,
    native: Function,
    lines: Rc<RefCell<Vec<String>>>,
}

impl Console {
    /// `method` is `error` or `warn`.
    pub fn listen(method: &'static str) -> Self {
        let native: Function = Reflect::get(&console(), &method.into())
            .unwrap()
            .unchecked_into();
        let lines = Rc::new(RefCell::new(Vec::new()));
        let listener = {
            let (lines, native) = (Rc::clone(&lines), native.clone());
            Closure::<dyn FnMut(JsValue, JsValue)>::new(move |first: JsValue, second: JsValue| {
                // If a test fails meanwhile, its message is logged here.
                native.call2(&console(), &first, &second).unwrap();
                let words = [first, second].map(|word| word.as_string().unwrap_or_default());
                lines.borrow_mut().push(words.join(" ").trim().to_owned());
            })
        };
        let listener: Function = listener.into_js_value().unchecked_into();
        Reflect::set(&console(), &method.into(), &listener).unwrap();
        Self {
            method,
            native,
            lines,
        }
    }

    /// The messages about Tender's elements; other messages of the page are ignored.
    pub fn lines(&self) -> Vec<String> {
        let lines = self.lines.borrow();
        let ours = |line: &&String| line.contains("<tender-");
        lines.iter().filter(ours).cloned().collect()
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        Reflect::set(&console(), &self.method.into(), &self.native).unwrap();
    }
}

fn console() -> JsValue {
    Reflect::get(&js_sys::global(), &"console".into()).unwrap()
}
