//! The element under test.

use std::collections::BTreeMap;
use std::sync::Once;

use js_sys::{Object, Reflect};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use web_sys::window;

use crate::loader::{module, run_after};
use crate::page;

/// The glue that the loader imports: the test's own module, which is already loaded.
const GLUE: &str = "
    export default async () => {};
    export const mount = (...given) => tender.mount(...given);
    export const style = () => tender.style;
    export const on_panic = () => {};
    export const stack_pointer = () => 0;
";

/// The file name of the loader under test.
const LOADER: &str = "loader.js";

/// What tells the loader its address, because the tests run it inline.
pub fn address() -> String {
    let origin = window().unwrap().location().origin().unwrap();
    format!("<meta content='{origin}/{LOADER}'>")
}

static OPENED: Once = Once::new();

/// An element: its loader, texts and module.
pub struct Subject {
    pub tag: &'static str,
    /// Built by `cargo xtask loaders`.
    pub loader: &'static str,
    /// The texts of a right-to-left language.
    pub arabic: &'static str,
    /// The module's `mount`.
    pub mount: fn() -> JsValue,
    /// The module's styles.
    pub style: fn() -> String,
}

impl Subject {
    /// Adds the stand-ins, the module and the loader to the page, on the first call only.
    pub fn open(&self) {
        page::prepare();
        OPENED.call_once(|| {
            let tender = Object::new();
            Reflect::set(&tender, &"mount".into(), &(self.mount)()).unwrap();
            Reflect::set(&tender, &"style".into(), &(self.style)().into()).unwrap();
            Reflect::set(&window().unwrap(), &"tender".into(), &tender).unwrap();
            let head = page::document().head().unwrap();
            head.insert_adjacent_html("beforeend", &address()).unwrap();
            let place = head.first_element_child();
            run_after(&page::document(), &place.unwrap(), &self.script());
        });
    }

    /// The loader in this page.
    pub fn script(&self) -> String {
        self.script_with(&module(GLUE))
    }

    /// The real loader, which imports the glue from this address. Its build values are the test's (`build.js`).
    pub fn script_with(&self, glue: &str) -> String {
        let arabic = String::from(js_sys::encode_uri_component(self.arabic));
        let build = json!({
            "loader": LOADER,
            "glue": glue,
            "wasm": "data:application/wasm,",
            // One locale that exists, and one whose file is missing.
            "locales": {
                "ar": format!("data:application/json,{arabic}"),
                "ja": "https://texts.invalid/ja.json",
                // Those that programs name in several ways.
                "he": "data:application/json,{}",
                "id": "data:application/json,{}",
                "zh": "data:application/json,{}",
            },
            "version": env!("CARGO_PKG_VERSION"),
        });
        format!("globalThis.tenderBuild = {build};\n{}", self.loader)
    }

    /// The detail of an event of this element in `contract/events.json`.
    pub fn recorded(&self, name: &str) -> Value {
        self.events().remove(name).unwrap()
    }

    /// The details of all events of this element in `contract/events.json`, by the name of the event.
    pub fn events(&self) -> BTreeMap<String, Value> {
        let file = include_str!("../../../contract/events.json");
        let mut file: Value = serde_json::from_str(file).unwrap();
        let events = file[self.tag].as_array_mut().unwrap().iter_mut();
        let events = events.map(|event| {
            let name = event["type"].as_str().unwrap().to_owned();
            (name, event["detail"].take())
        });
        events.collect()
    }
}
