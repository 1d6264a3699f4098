//! Finds wallets.
//!
//! Wallets announce themselves on request, and when they are loaded later (EIP-6963; TRON's TIP-6963 is the same with
//! other names). Older wallets set a global object, which the next wallet overwrites. It is offered only if no other wallet is.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;
use tender_checkout_core::Transfer;
use tender_checkout_core::choice::display_name;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CustomEvent, Event, HtmlElement};

use super::provider::{get, text};
use super::{Wallet, Wallets};

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

/// The wait before an older wallet is looked for again, in milliseconds. Each wait is twice as long as the one before.
const FIRST_LOOK: u32 = 1_000;

/// The longest wait.
const LONGEST_LOOK: u32 = 64_000;

impl Wallets {
    /// Replaces the list by the wallets that can make this transfer. Adds those that come later, until the current owner is
    /// cleaned up.
    pub(crate) fn discover(self, transfer: &Transfer) {
        let kind = match transfer {
            Transfer::Evm(_) => EVM,
            Transfer::Tron(_) => TRON,
        };
        self.list
            .try_update(|list| list.retain(|wallet| wallet.is_shop_s));
        let listener = window_event_listener_untyped(kind.announce, move |event| {
            if let Some(event) = event.dyn_ref::<CustomEvent>()
                && let Some(wallet) = self.read(&event.detail())
            {
                self.add(wallet);
            }
        });
        on_cleanup(move || listener.remove());
        let later = StoredValue::new_local(None);
        // Fails only if the page has replaced these functions. Then no wallet is found.
        let _ = Event::new(kind.request).map(|event| window().dispatch_event(&event));
        self.look(kind.globals, later, FIRST_LOOK);
    }

    /// Looks for the object of an older wallet, and again after this wait, until a wallet is found.
    fn look(
        self,
        globals: &'static [&'static str],
        later: StoredValue<Option<Timeout>, LocalStorage>,
        wait: u32,
    ) {
        if self.list.try_with_untracked(Vec::is_empty) != Some(true) {
            return;
        }
        let mut found = globals.iter().map(|name| get(&window(), name));
        if let Some(provider) = found.find(JsValue::is_object) {
            if let Some(wallet) = self.read(&provider) {
                self.add(wallet);
            }
            return;
        }
        let next = wait.saturating_mul(2).min(LONGEST_LOOK);
        let timeout = Timeout::new(wait, move || self.look(globals, later, next));
        later.try_set_value(Some(timeout));
    }

    /// Offers the shop's wallet first, or no longer.
    pub(crate) fn set_shop_s(self, host: &HtmlElement) {
        let wallet = self.read(&get(host, "provider"));
        let wallet = wallet.map(|wallet| Wallet {
            is_shop_s: true,
            ..wallet
        });
        let is_same = self.list.try_with_untracked(|list| {
            list.iter().find(|listed| listed.is_shop_s) == wallet.as_ref()
        });
        if is_same != Some(false) {
            return;
        }
        self.list.try_update(|list| {
            list.retain(|listed| {
                !listed.is_shop_s && wallet.as_ref().is_none_or(|it| it.id != listed.id)
            });
            list.splice(0..0, wallet);
        });
    }

    /// Reads what a wallet announces, `{ info, provider }`, or a provider itself.
    fn read(self, announced: &JsValue) -> Option<Wallet> {
        let provider = get(announced, "provider");
        let info = get(announced, "info");
        let provider = if provider.is_object() {
            provider
        } else {
            announced.clone()
        };
        let name = text(&info, "name").map(|name| display_name(name.trim()));
        Some(Wallet {
            id: provider.is_object().then(|| self.id_of(provider))??,
            name: name.filter(|name| !name.is_empty()),
            icon: text(&info, "icon").filter(|icon| icon.starts_with("data:image/")),
            is_shop_s: false,
        })
    }

    /// Adds a wallet to the end of the list. One that was found as a global object gets the name that it announces.
    fn add(self, wallet: Wallet) {
        let find = |list: &Vec<Wallet>| list.iter().position(|listed| listed.id == wallet.id);
        match self.list.try_with_untracked(find) {
            Some(None) => {
                self.list.try_update(|list| list.push(wallet));
            }
            Some(Some(at)) if wallet.name.is_some() => {
                let is_unnamed = |list: &Vec<Wallet>| {
                    list.get(at)
                        .is_some_and(|it| it.name.is_none() && !it.is_shop_s)
                };
                if self.list.try_with_untracked(is_unnamed) == Some(true) {
                    self.list
                        .try_update(|list| list.get_mut(at).map(|listed| *listed = wallet));
                }
            }
            _ => {}
        }
    }
}
