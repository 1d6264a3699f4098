//! Which wallets are there.
//!
//! Wallets announce themselves when they are asked to, and when they come later (EIP-6963; TRON's
//! TIP-6963 is the same with other names). Those of before put one object into the window, and the
//! last of them wins: that one is offered where none has announced itself.

use leptos::prelude::*;
use tender_checkout_core::Transfer;
use tender_checkout_core::choice::cut;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CustomEvent, Event, HtmlElement};

use super::Wallets;
use super::provider::{get, text};

/// How the wallets of a network are found.
struct Kind {
    announce: &'static str,
    request: &'static str,
    /// Where wallets of before put themselves, the best name first.
    globals: &'static [&'static str],
}

const EVM: Kind = Kind {
    announce: "eip6963:announceProvider",
    request: "eip6963:requestProvider",
    globals: &["ethereum"],
};

const TRON: Kind = Kind {
    announce: "TIP6963:announceProvider",
    request: "TIP6963:requestProvider",
    globals: &["tron", "tronLink"],
};

impl Wallets {
    /// Looks for wallets that can make such a transfer, anew, and goes on listening for as long as
    /// the current owner lives.
    pub(crate) fn discover(self, host: &HtmlElement, transfer: &Transfer) {
        self.list.set(Vec::new());
        if let Some(providers) = self.providers.get() {
            providers.take();
        }
        let kind = match transfer {
            Transfer::Evm(_) => {
                self.take(&get(host, "provider"));
                EVM
            }
            Transfer::Tron(_) => TRON,
        };
        let listener = window_event_listener_untyped(kind.announce, move |event| {
            if let Some(event) = event.dyn_ref::<CustomEvent>() {
                self.take(&event.detail());
            }
        });
        on_cleanup(move || listener.remove());
        // An event that is not being dispatched can be.
        let _ = Event::new(kind.request).map(|event| window().dispatch_event(&event));
        if self.list.peek(Vec::is_empty) == Some(true) {
            let mut globals = kind.globals.iter().map(|name| get(&window(), name));
            if let Some(provider) = globals.find(JsValue::is_object) {
                self.add(provider, None, None);
            }
        }
    }

    /// Takes in what a wallet announces, `{ info, provider }`, or a provider itself.
    fn take(self, announced: &JsValue) {
        let provider = get(announced, "provider");
        let info = get(announced, "info");
        let provider = if provider.is_object() {
            provider
        } else {
            announced.clone()
        };
        let name = text(&info, "name").map(|name| cut(name.trim()));
        let icon = text(&info, "icon").filter(|icon| icon.starts_with("data:image/"));
        self.add(provider, name.filter(|name| !name.is_empty()), icon);
    }
}
