//! A transfer on Ethereum or a compatible network, by the wallet's provider (EIP-1193).

use serde::Serialize;
use tender_checkout_core::wallet::{EVM, EvmFunds};
use tender_checkout_core::{EvmTransfer, Receipt, WalletFailure};
use wasm_bindgen::JsValue;

use super::provider::{Request, failure, text, text_or_number};

/// Requests an account, the network, and then the transfer, unless the account can't pay it or it `is_wanted` no more.
pub(super) async fn pay(
    provider: &JsValue,
    transfer: &EvmTransfer,
    checks_funds: bool,
    is_wanted: &dyn Fn() -> bool,
) -> Result<String, WalletFailure> {
    let accounts = Request::new("eth_requestAccounts").send(provider).await;
    let accounts = accounts.map_err(|error| connecting(&error, WalletFailure::NoAccount))?;
    let account = text(&accounts, "0").ok_or(WalletFailure::NoAccount)?;
    let transaction = (transfer.transaction(&account)).ok_or(WalletFailure::NoAccount)?;
    if !is_on_chain(provider, transfer).await {
        switch(provider, transfer).await?;
    }
    if checks_funds {
        if let Some(shortfall) = transfer.shortfall(&funds(provider, transfer, &account).await) {
            return Err(WalletFailure::Short(shortfall));
        }
        // The buyer may have switched meanwhile.
        if !is_on_chain(provider, transfer).await {
            return Err(WalletFailure::WrongNetwork);
        }
    }
    let request = Request::with("eth_sendTransaction", (transaction,));
    // Nothing is awaited between this and the request.
    if !is_wanted() {
        return Err(WalletFailure::NotWanted);
    }
    let hash = request.send(provider).await;
    let hash = hash.map_err(|error| failure(EVM, &error, WalletFailure::Unclear))?;
    hash.as_string().ok_or(WalletFailure::Unclear)
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

/// Asks the wallet to switch to the network (EIP-3326). Its response is not trusted: the network is read again afterwards.
async fn switch(provider: &JsValue, transfer: &EvmTransfer) -> Result<(), WalletFailure> {
    let chain = Chain {
        chain_id: &transfer.chain_id,
    };
    let request = Request::with("wallet_switchEthereumChain", (chain,));
    let switched = request.send(provider).await;
    if is_on_chain(provider, transfer).await {
        return Ok(());
    }
    Err(switched.err().map_or(WalletFailure::WrongNetwork, |error| {
        connecting(&error, WalletFailure::WrongNetwork)
    }))
}

/// The meaning of an error before the transfer is requested: nothing was sent, so `otherwise` says more than
/// [`WalletFailure::NotSent`].
fn connecting(error: &JsValue, otherwise: WalletFailure) -> WalletFailure {
    match failure(EVM, error, otherwise) {
        WalletFailure::NotSent => otherwise,
        failure => failure,
    }
}
