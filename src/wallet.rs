//! Wallets in the buyer's browser: discovery, calls, and what their answers mean.
//!
//! | module | contents |
//! |---|---|
//! | `discovery` | finds wallets: the shop's own, and those that announce themselves |
//! | `eip1193` | calls for a transfer on Ethereum and compatible networks |
//! | `tron` | calls for a transfer on TRON |
//! | `provider` | calls to objects that a wallet put into the page |
//!
//! `checkout-core` computes the transfer, and decides what a wallet is asked, and when.

mod discovery;
mod eip1193;
mod provider;
mod tron;

use std::future::Future;
use std::pin::Pin;

use leptos::prelude::*;
use tender_checkout_core::{
    Receipt, Shortfall, Transfer, WalletAnswer, WalletFailure, WalletId, WalletQuestion,
    WalletRequest, WalletTransaction, WalletTransfer,
};
use wasm_bindgen::JsValue;

/// A wallet as the buyer sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wallet {
    pub(crate) id: WalletId,
    /// `None` for a wallet that was found as a global object and has announced no name.
    pub(crate) name: Option<String>,
    /// A `data:image/` URI.
    pub(crate) icon: Option<String>,
    /// Whether it is the shop's `provider`.
    is_shop_s: bool,
}

type LocalBoxFuture<T> = Pin<Box<dyn Future<Output = T>>>;

/// What is said about funds.
fn advice(shortfall: Option<Shortfall>) -> Result<WalletAnswer, WalletFailure> {
    match shortfall {
        Some(shortfall) => Err(WalletFailure::Short(shortfall)),
        None => Ok(WalletAnswer::Yes),
    }
}

/// The wallets of one checkout. A `Copy` handle that belongs to the element's owner.
#[derive(Clone, Copy)]
pub(crate) struct Wallets {
    list: RwSignal<Vec<Wallet>>,
    /// The wallets' objects in the page; a wallet's id is its index. None is removed, so that an id stays what it is.
    providers: StoredValue<Vec<JsValue>, LocalStorage>,
    /// The transactions on TRON, by payment and request: built, then signed.
    transactions: StoredValue<Vec<(String, WalletRequest, JsValue)>, LocalStorage>,
}

impl Wallets {
    /// No wallets yet. Belongs to the current owner.
    pub(crate) fn new() -> Self {
        Self {
            list: RwSignal::new(Vec::new()),
            providers: StoredValue::new_local(Vec::new()),
            transactions: StoredValue::new_local(Vec::new()),
        }
    }

    /// The wallets that were found. Reactive.
    pub(crate) fn list(self) -> Vec<Wallet> {
        self.list.get()
    }

    /// Asks a wallet something that sends nothing.
    pub(crate) fn answer(
        self,
        payment: WalletTransfer,
        question: WalletQuestion,
    ) -> impl Future<Output = Result<WalletAnswer, WalletFailure>> {
        let provider = self.provider(payment.wallet);
        async move {
            match (&*payment.transfer, question) {
                (Transfer::Evm(transfer), question) => {
                    eip1193::answer(&provider, transfer, question).await
                }
                (Transfer::Tron(transfer), WalletQuestion::Build(account)) => {
                    let built = tron::build(&provider, transfer, &account.into()).await?;
                    self.keep(&payment, built);
                    Ok(WalletAnswer::Yes)
                }
                (Transfer::Tron(transfer), question) => {
                    tron::answer(&provider, transfer, question).await
                }
            }
        }
    }

    /// Asks a wallet at once to send the transfer from this account, or on TRON to sign the transaction that was built.
    pub(crate) fn send(
        self,
        payment: WalletTransfer,
        account: &str,
    ) -> LocalBoxFuture<Result<WalletTransaction, WalletFailure>> {
        let provider = self.provider(payment.wallet);
        match &*payment.transfer {
            Transfer::Evm(transfer) => Box::pin(eip1193::send(&provider, transfer, account)),
            Transfer::Tron(_) => {
                let signed = tron::sign(&provider, &self.kept(&payment));
                Box::pin(async move {
                    let (signed, transaction) = signed.await?;
                    self.keep(&payment, signed);
                    Ok(transaction)
                })
            }
        }
    }

    /// Broadcasts the transaction that the wallet has signed, at once.
    pub(crate) fn broadcast(self, payment: &WalletTransfer) -> impl Future<Output = ()> + use<> {
        tron::broadcast(&self.provider(payment.wallet), &self.kept(payment))
    }

    /// What the wallet's provider says about the transaction of a transfer; without a wallet, that of one which is offered.
    pub(crate) fn receipt(
        self,
        wallet: Option<WalletId>,
        transfer: Transfer,
        hash: String,
        expiration: Option<u64>,
    ) -> impl Future<Output = Receipt> {
        let offered = || self.list.with_untracked(|list| Some(list.last()?.id));
        let provider = wallet.or_else(offered).map(|wallet| self.provider(wallet));
        let provider = provider.unwrap_or_default();
        async move {
            match transfer {
                Transfer::Evm(transfer) => eip1193::receipt(&provider, &transfer, &hash).await,
                Transfer::Tron(_) => tron::receipt(&provider, &hash, expiration).await,
            }
        }
    }

    /// Keeps the transaction of this request.
    fn keep(self, payment: &WalletTransfer, transaction: JsValue) {
        let key = (payment.transaction_id.clone(), payment.request);
        self.transactions.try_update_value(|kept| {
            kept.retain(|(id, request, _)| (id, *request) != (&key.0, key.1));
            kept.push((key.0, key.1, transaction));
        });
    }

    fn kept(self, payment: &WalletTransfer) -> JsValue {
        let key = (&payment.transaction_id, payment.request);
        let find = |kept: &Vec<(String, WalletRequest, JsValue)>| {
            let mut kept = kept.iter();
            let found = kept.find(|(id, request, _)| (id, *request) == key)?;
            Some(found.2.clone())
        };
        self.transactions
            .try_with_value(find)
            .flatten()
            .unwrap_or_default()
    }

    fn provider(self, wallet: WalletId) -> JsValue {
        let provider = self
            .providers
            .try_with_value(|providers| providers.get(wallet.0).cloned());
        provider.flatten().unwrap_or_default()
    }

    /// The id of a wallet's object.
    fn id_of(self, provider: JsValue) -> Option<WalletId> {
        let id = self.providers.try_update_value(|providers| {
            let known = providers.iter().position(|known| *known == provider);
            known.unwrap_or_else(|| {
                providers.push(provider);
                providers.len() - 1
            })
        });
        id.map(WalletId)
    }
}
