//! A transfer on Ethereum or a compatible network, by the wallet's provider (EIP-1193).

use std::future::Future;

use serde::Serialize;
use tender_checkout_core::wallet::{EVM, EvmFunds};
use tender_checkout_core::{
    EvmTransfer, Receipt, WalletAnswer, WalletFailure, WalletQuestion, WalletTransaction,
};
use wasm_bindgen::JsValue;

use super::advice;
use super::provider::{Request, failure, text, text_or_number};

/// Answers a question.
pub(super) async fn answer(
    provider: &JsValue,
    transfer: &EvmTransfer,
    question: WalletQuestion,
) -> Result<WalletAnswer, WalletFailure> {
    match question {
        WalletQuestion::Connect => account(provider, transfer, "eth_requestAccounts").await,
        WalletQuestion::Account => account(provider, transfer, "eth_accounts").await,
        WalletQuestion::Chain if is_on_chain(provider, transfer).await => Ok(WalletAnswer::Yes),
        WalletQuestion::Chain => Err(WalletFailure::WrongNetwork),
        WalletQuestion::SwitchChain => switch(provider, transfer).await,
        WalletQuestion::Funds(account) => {
            let funds = funds(provider, transfer, &account).await;
            advice(transfer.shortfall(&funds))
        }
        // The wallet builds it when it sends it.
        WalletQuestion::Build(_) => Ok(WalletAnswer::Yes),
    }
}

async fn account(
    provider: &JsValue,
    transfer: &EvmTransfer,
    method: &str,
) -> Result<WalletAnswer, WalletFailure> {
    let accounts = Request::new(method).send(provider).await;
    let accounts = accounts.map_err(|error| connecting(&error, WalletFailure::NoAccount))?;
    let account = text(&accounts, "0").ok_or(WalletFailure::NoAccount)?;
    let is_address = transfer.transaction(&account).is_some();
    is_address
        .then_some(WalletAnswer::Account(account))
        .ok_or(WalletFailure::NoAccount)
}

/// Asks the wallet at once to send the transfer from this account; the future awaits the hash.
pub(super) fn send(
    provider: &JsValue,
    transfer: &EvmTransfer,
    account: &str,
) -> impl Future<Output = Result<WalletTransaction, WalletFailure>> + use<> {
    let transaction = transfer.transaction(account);
    let sent = Request::with("eth_sendTransaction", (transaction,)).send(provider);
    async move {
        let hash = sent.await;
        let hash = hash.map_err(|error| failure(EVM, &error, WalletFailure::Unclear))?;
        let hash = hash.as_string().ok_or(WalletFailure::Unclear)?;
        Ok(WalletTransaction::Sent(hash))
    }
}

/// The receipt of a transaction.
pub(super) async fn receipt(provider: &JsValue, transfer: &EvmTransfer, hash: &str) -> Receipt {
    if !is_on_chain(provider, transfer).await {
        return Receipt::Unknown;
    }
    let receipt = Request::with("eth_getTransactionReceipt", (hash,));
    let receipt = receipt.send(provider).await.unwrap_or_default();
    let (status, block) = (text(&receipt, "status"), text(&receipt, "blockNumber"));
    let finalized = if status.is_some() {
        let block = Request::with("eth_getBlockByNumber", ("finalized", false));
        text(&block.send(provider).await.unwrap_or_default(), "number")
    } else {
        None
    };
    Receipt::evm(status.as_deref(), block.as_deref(), finalized.as_deref())
}

/// What the provider says about the account. It reads from its node, and shows nothing to the buyer.
async fn funds(provider: &JsValue, transfer: &EvmTransfer, account: &str) -> EvmFunds {
    let coin = read(
        provider,
        Request::with("eth_getBalance", (account, "latest")),
    )
    .await;
    let token = match transfer.balance_call(account) {
        Some(call) => read(provider, Request::with("eth_call", (call, "latest"))).await,
        None => None,
    };
    let transaction = transfer.transaction(account);
    EvmFunds {
        coin,
        token,
        gas: read(provider, Request::with("eth_estimateGas", (transaction,))).await,
        gas_price: read(provider, Request::new("eth_gasPrice")).await,
    }
}

/// A quantity; `None` if the provider can't say.
async fn read(provider: &JsValue, request: Request) -> Option<String> {
    request.send(provider).await.ok()?.as_string()
}

async fn is_on_chain(provider: &JsValue, transfer: &EvmTransfer) -> bool {
    let chain = Request::new("eth_chainId").send(provider).await;
    let chain = text_or_number(&chain.unwrap_or_default());
    chain.is_some_and(|chain| transfer.is_on(&chain))
}

/// The parameter of `wallet_switchEthereumChain`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Chain<'a> {
    chain_id: &'a str,
}

/// Asks the wallet to switch to the network (EIP-3326).
async fn switch(provider: &JsValue, transfer: &EvmTransfer) -> Result<WalletAnswer, WalletFailure> {
    let chain = Chain {
        chain_id: &transfer.chain_id,
    };
    let request = Request::with("wallet_switchEthereumChain", (chain,));
    match request.send(provider).await {
        Ok(_) => Ok(WalletAnswer::Yes),
        Err(error) => Err(connecting(&error, WalletFailure::WrongNetwork)),
    }
}

/// The meaning of an error before the transfer is requested: nothing was sent, so `otherwise` says more than
/// [`WalletFailure::NotSent`].
fn connecting(error: &JsValue, otherwise: WalletFailure) -> WalletFailure {
    match failure(EVM, error, otherwise) {
        WalletFailure::NotSent => otherwise,
        failure => failure,
    }
}
