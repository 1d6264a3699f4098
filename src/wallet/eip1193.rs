//! A transfer on Ethereum or a compatible network, by the wallet's provider (EIP-1193).

use serde::Serialize;
use tender_checkout_core::{EvmTransfer, WalletFailure};
use wasm_bindgen::JsValue;

use super::provider::{Request, failure, text};

/// Requests an account, the network, and then the transfer.
pub(super) async fn pay(
    provider: &JsValue,
    transfer: &EvmTransfer,
) -> Result<String, WalletFailure> {
    let accounts = Request::new("eth_requestAccounts").send(provider).await;
    let accounts = accounts.map_err(|error| failure(&error, WalletFailure::NoAccount))?;
    let account = text(&accounts, "0");
    let transaction = (account.as_deref())
        .and_then(|account| transfer.transaction(account))
        .ok_or(WalletFailure::NoAccount)?;
    if !is_on_chain(provider, transfer).await {
        switch(provider, transfer).await?;
    }
    let request = Request::with_param("eth_sendTransaction", transaction);
    let hash = request.send(provider).await;
    let hash = hash.map_err(|error| failure(&error, WalletFailure::Unclear))?;
    hash.as_string().ok_or(WalletFailure::Unclear)
}

async fn is_on_chain(provider: &JsValue, transfer: &EvmTransfer) -> bool {
    let chain = Request::new("eth_chainId").send(provider).await;
    chain.is_ok_and(|chain| {
        chain
            .as_string()
            .is_some_and(|chain| chain.eq_ignore_ascii_case(&transfer.chain_id))
    })
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
    let request = Request::with_param("wallet_switchEthereumChain", chain);
    let switched = request.send(provider).await;
    if is_on_chain(provider, transfer).await {
        return Ok(());
    }
    Err(switched.err().map_or(WalletFailure::WrongNetwork, |error| {
        failure(&error, WalletFailure::WrongNetwork)
    }))
}
