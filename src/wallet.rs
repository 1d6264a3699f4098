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

use std::cell::RefCell;
use std::future::Future;

use tender_checkout_core::{Transfer, WalletFailure, WalletId};
use tender_element::{Kept, Live};
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
    list: Live<Vec<Wallet>>,
    /// At the index of a wallet's id. Objects of the page, which are not for sending anywhere.
    providers: Kept<RefCell<Vec<JsValue>>>,
}

impl Wallets {
    pub(crate) fn new() -> Self {
        Self {
            list: Live::new(Vec::new()),
            providers: Kept::new(RefCell::default()),
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
            .get()
            .and_then(|providers| providers.borrow().get(wallet.0).cloned())
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
        let Some(providers) = self.providers.get() else {
            return;
        };
        let id = WalletId(providers.borrow().len());
        if provider.is_object() && !providers.borrow().contains(&provider) {
            providers.borrow_mut().push(provider);
            let mut list = self.list.peek(Clone::clone).unwrap_or_default();
            list.push(Wallet { id, name, icon });
            self.list.set(list);
        }
    }
}
