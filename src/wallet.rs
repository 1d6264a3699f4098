//! Wallets in the buyer's browser: found, shown by name and icon, and asked to send one transfer.
//!
//! | module | what it holds |
//! |---|---|
//! | `discovery` | which wallets are there: the shop's own, and those that announce themselves |
//! | `eip1193` | a transfer on Ethereum and its kin |
//! | `tron` | a transfer on TRON |
//! | `provider` | calls to objects that a wallet put into the page |
//!
//! What a wallet is asked for comes from `core`, whole; nothing is computed here.

mod discovery;
mod eip1193;
mod provider;
mod tron;

use std::future::Future;

use leptos::prelude::*;
use tender_core::{Transfer, WalletFailure, WalletId};
use wasm_bindgen::JsValue;

/// A wallet as the buyer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wallet {
    pub(crate) id: WalletId,
    /// `None` for one that the page holds without a name.
    pub(crate) name: Option<String>,
    /// A `data:image/` URI.
    pub(crate) icon: Option<String>,
}

/// The wallets that one checkout knows.
#[derive(Clone, Copy)]
pub(crate) struct Wallets {
    list: RwSignal<Vec<Wallet>>,
    /// At the index of a wallet's id. Objects of the page, which are not for sending anywhere.
    providers: StoredValue<Vec<JsValue>, LocalStorage>,
}

impl Wallets {
    pub(crate) fn new() -> Self {
        Self {
            list: RwSignal::default(),
            providers: StoredValue::new_local(Vec::new()),
        }
    }

    /// Reads the wallets that can be offered, and follows their changes.
    pub(crate) fn list(self) -> Vec<Wallet> {
        self.list.get()
    }

    /// Asks a wallet to send a transfer, and gives what it says is the transaction's hash.
    pub(crate) fn pay(
        self,
        wallet: WalletId,
        transfer: Transfer,
    ) -> impl Future<Output = Result<String, WalletFailure>> {
        let provider = self
            .providers
            .try_with_value(|providers| providers.get(wallet.0).cloned())
            .flatten()
            .unwrap_or_default();
        async move {
            match transfer {
                Transfer::Evm(transfer) => eip1193::pay(&provider, &transfer).await,
                Transfer::Tron(transfer) => tron::pay(&provider, &transfer).await,
            }
        }
    }

    /// Takes in a wallet, once.
    fn add(self, provider: JsValue, name: Option<String>, icon: Option<String>) {
        let added = self.providers.try_update_value(|providers| {
            let is_new = provider.is_object() && !providers.contains(&provider);
            is_new.then(|| {
                providers.push(provider);
                WalletId(providers.len() - 1)
            })
        });
        if let Some(id) = added.flatten() {
            self.list
                .update(|list| list.push(Wallet { id, name, icon }));
        }
    }
}
