//! Finds wallets.
//!
//! Wallets announce themselves on request, and when they are loaded later (EIP-6963; TRON's TIP-6963 is the same with
//! other names). Older wallets set a global object, which the next wallet overwrites. It is offered only if no wallet has
//! announced itself.

use leptos::prelude::*;
use tender_checkout_core::Transfer;
use tender_checkout_core::choice::display_name;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CustomEvent, Event, HtmlElement};

use super::Wallets;
use super::provider::{get, text};

/// How the wallets of a kind of network are found.
struct Kind {
    announce: &'static str,
    request: &'static str,
    /// The global objects of older wallets; the preferred one first.
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
    /// Replaces the list by the wallets that can make this transfer. Adds wallets that announce themselves later, until
    /// the current owner is cleaned up.
    pub(crate) fn discover(self, host: &HtmlElement, transfer: &Transfer) {
        self.clear();
        let kind = match transfer {
            Transfer::Evm(_) => {
                self.add_announced(&get(host, "provider"));
                EVM
            }
            Transfer::Tron(_) => TRON,
        };
        let listener = window_event_listener_untyped(kind.announce, move |event| {
            if let Some(event) = event.dyn_ref::<CustomEvent>() {
                self.add_announced(&event.detail());
            }
        });
        on_cleanup(move || listener.remove());
        // Fails only if the page has replaced these functions. Then no wallet is found.
        let _ = Event::new(kind.request).map(|event| window().dispatch_event(&event));
        if self.list.try_with_untracked(Vec::is_empty) == Some(true) {
            let mut globals = kind.globals.iter().map(|name| get(&window(), name));
            if let Some(provider) = globals.find(JsValue::is_object) {
                self.add(provider, None, None);
            }
        }
    }

    /// Adds what a wallet announces, `{ info, provider }`, or a provider itself.
    fn add_announced(self, announced: &JsValue) {
        let provider = get(announced, "provider");
        let info = get(announced, "info");
        let provider = if provider.is_object() {
            provider
        } else {
            announced.clone()
        };
        let name = text(&info, "name").map(|name| display_name(name.trim()));
        let icon = text(&info, "icon").filter(|icon| icon.starts_with("data:image/"));
        self.add(provider, name.filter(|name| !name.is_empty()), icon);
    }
}
