//! Wallets in the buyer's browser: discovery, and requests to send a transfer.
//!
//! | module | contents |
//! |---|---|
//! | `discovery` | finds wallets: the shop's own, and those that announce themselves |
//! | `eip1193` | a transfer on Ethereum and compatible networks |
//! | `tron` | a transfer on TRON |
//! | `provider` | calls to objects that a wallet put into the page |
//!
//! `checkout-core` computes the transfer; this module only requests it.

mod discovery;
mod eip1193;
mod provider;
mod tron;

use std::future::Future;

use leptos::prelude::*;
use tender_checkout_core::{Receipt, Transfer, WalletFailure, WalletId};
use wasm_bindgen::JsValue;

/// A wallet as the buyer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wallet {
    pub(crate) id: WalletId,
    /// `None` for a wallet that was found as a global object and has announced no name.
    pub(crate) name: Option<String>,
    /// A `data:image/` URI.
    pub(crate) icon: Option<String>,
}

/// The wallets of one checkout. A `Copy` handle that belongs to the element's owner.
#[derive(Clone, Copy)]
pub(crate) struct Wallets {
    list: RwSignal<Vec<Wallet>>,
    /// The wallets' objects in the page; a wallet's id is its index.
    providers: StoredValue<Vec<JsValue>, LocalStorage>,
    /// The latest transaction on TRON.
    broadcast: StoredValue<Option<tron::Broadcast>>,
}

impl Wallets {
    /// No wallets yet. Belongs to the current owner.
    pub(crate) fn new() -> Self {
        Self {
            list: RwSignal::new(Vec::new()),
            providers: StoredValue::new_local(Vec::new()),
            broadcast: StoredValue::new(None),
        }
    }

    /// The wallets that were found. Reactive.
    pub(crate) fn list(self) -> Vec<Wallet> {
        self.list.get()
    }

    /// Asks a wallet to send a transfer, and returns the transaction hash. If it `checks_funds`, a wallet whose account can't
    /// pay is not asked. It may take long until the wallet can be asked: it is not if the request `is_wanted` no more.
    pub(crate) fn pay(
        self,
        wallet: WalletId,
        transfer: Transfer,
        checks_funds: bool,
        is_wanted: impl Fn() -> bool,
    ) -> impl Future<Output = Result<String, WalletFailure>> {
        let provider = self.provider(wallet);
        async move {
            match transfer {
                Transfer::Evm(transfer) => {
                    eip1193::pay(&provider, &transfer, checks_funds, &is_wanted).await
                }
                Transfer::Tron(transfer) => {
                    let broadcast =
                        tron::pay(&provider, &transfer, checks_funds, &is_wanted).await?;
                    let hash = broadcast.hash.clone();
                    self.broadcast.try_set_value(Some(broadcast));
                    Ok(hash)
                }
            }
        }
    }

    /// What the wallet's provider says about the transaction of a transfer.
    pub(crate) fn receipt(
        self,
        wallet: WalletId,
        transfer: Transfer,
        hash: String,
    ) -> impl Future<Output = Receipt> {
        let provider = self.provider(wallet);
        async move {
            match transfer {
                Transfer::Evm(transfer) => eip1193::receipt(&provider, &transfer, &hash).await,
                Transfer::Tron(_) => {
                    let expiration = self.broadcast.try_with_value(|broadcast| {
                        let broadcast = broadcast.as_ref().filter(|it| it.hash == hash)?;
                        broadcast.expiration
                    });
                    tron::receipt(&provider, &hash, expiration.flatten()).await
                }
            }
        }
    }

    fn provider(self, wallet: WalletId) -> JsValue {
        let provider = self
            .providers
            .try_with_value(|providers| providers.get(wallet.0).cloned());
        provider.flatten().unwrap_or_default()
    }

    /// Removes all wallets.
    fn clear(self) {
        self.list.try_set(Vec::new());
        self.providers.try_set_value(Vec::new());
    }

    /// Adds a wallet, unless it is in the list.
    fn add(self, provider: JsValue, name: Option<String>, icon: Option<String>) {
        let id = self.providers.try_update_value(|providers| {
            let is_new = provider.is_object() && !providers.contains(&provider);
            is_new.then(|| {
                providers.push(provider);
                WalletId(providers.len() - 1)
            })
        });
        if let Some(id) = id.flatten() {
            self.list
                .try_update(|list| list.push(Wallet { id, name, icon }));
        }
    }
}
