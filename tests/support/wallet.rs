//! Wallets in the page's window, like those of browser extensions. They are removed at the end of their test.

use js_sys::{Array, Function, JSON, Object, Promise, Reflect};
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;
use web_sys::window;

const SOURCE: &str = include_str!("wallets.js");

/// The icon of a wallet.
pub(crate) const ICON: &str =
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='1' height='1'/%3E";

/// A wallet.
pub(crate) struct Wallet {
    object: JsValue,
    leave: Option<Function>,
    global: Option<&'static str>,
}

impl Wallet {
    /// An Ethereum wallet on this chain, which supports these other chains.
    pub(crate) fn evm(chain: &str, known: &[&str]) -> Self {
        let known: Array = known.iter().map(|chain| JsValue::from_str(chain)).collect();
        Self::of(&format!("evm({chain:?}, arguments[0])"), &known)
    }

    /// `TronLink`, in its current or its former interface, on TRON's main network or on another.
    pub(crate) fn tron(current: bool, main: bool) -> Self {
        Self::of(&format!("tron({current}, {main})"), &JsValue::UNDEFINED)
    }

    fn of(made: &str, argument: &JsValue) -> Self {
        Self {
            object: run(&format!("return {made};"), argument),
            leave: None,
            global: None,
        }
    }

    /// Announces itself with this standard, `eip6963` or `TIP6963`.
    pub(crate) fn announced(mut self, standard: &str, name: &str, icon: &str) -> Self {
        let info = json!({ "uuid": name, "name": name, "icon": icon, "rdns": "example.wallet" });
        let leave = run(
            &format!("return announce({standard:?}, {info}, arguments[0]);"),
            &self.object,
        );
        self.leave = Some(leave.unchecked_into());
        self
    }

    /// Sets itself as this property of the window.
    pub(crate) fn global(mut self, name: &'static str) -> Self {
        Reflect::set(&window().unwrap(), &name.into(), &self.provider()).unwrap();
        self.global = Some(name);
        self
    }

    /// The provider as the page sees it.
    pub(crate) fn provider(&self) -> JsValue {
        self.get("provider")
    }

    /// Sets what the buyer does when the wallet asks: `method` is the request; a returned promise is awaited.
    pub(crate) fn answers(&self, body: &str) {
        self.set("answer", &Function::new_with_args("method", body));
    }

    /// Holds the answers to these requests until the returned function is called.
    pub(crate) fn hesitates_at(&self, is_held: impl Fn(&str) -> bool + 'static) -> Function {
        let mut decide = None;
        let decision = Promise::new(&mut |resolve, _| decide = Some(resolve));
        let answer = Closure::<dyn FnMut(String) -> Promise>::new(move |method: String| {
            if is_held(&method) {
                decision.clone()
            } else {
                Promise::resolve(&JsValue::UNDEFINED)
            }
        });
        self.set("answer", &answer.into_js_value());
        decide.unwrap()
    }

    pub(crate) fn set(&self, name: &str, value: &JsValue) {
        Reflect::set(&self.object, &name.into(), value).unwrap();
    }

    /// What the wallet's node answers, by method.
    pub(crate) fn node(&self, answers: &Value) {
        self.set("node", &JSON::parse(&answers.to_string()).unwrap());
    }

    /// All requests, as `[method, parameters]`.
    pub(crate) fn asked(&self) -> Vec<Value> {
        let asked = String::from(JSON::stringify(&self.get("asked")).unwrap());
        serde_json::from_str(&asked).unwrap()
    }

    /// How often this was requested.
    pub(crate) fn count(&self, method: &str) -> usize {
        self.asked()
            .iter()
            .filter(|asked| asked[0] == method)
            .count()
    }

    pub(crate) fn hash(&self) -> String {
        self.get("hash").as_string().unwrap()
    }

    pub(crate) fn get(&self, name: &str) -> JsValue {
        Reflect::get(&self.object, &name.into()).unwrap()
    }
}

impl Drop for Wallet {
    fn drop(&mut self) {
        if let Some(leave) = &self.leave {
            leave.call0(&JsValue::UNDEFINED).unwrap();
        }
        if let Some(name) = self.global {
            let window: &Object = &window().unwrap();
            Reflect::delete_property(window, &name.into()).unwrap();
        }
    }
}

fn run(body: &str, argument: &JsValue) -> JsValue {
    let function = Function::new_no_args(&format!("{SOURCE}\n{body}"));
    function.call1(&JsValue::UNDEFINED, argument).unwrap()
}
