//! A transfer on Ethereum or a compatible network, by the wallet's provider (EIP-1193).

use js_sys::Array;
use tender_checkout_core::{EvmTransfer, WalletFailure};
use wasm_bindgen::JsValue;

use super::provider::{failure, request};

/// Requests an account, the network, and then the transfer.
pub(super) async fn pay(
    provider: &JsValue,
    transfer: &EvmTransfer,
) -> Result<String, WalletFailure> {
    let accounts = request(provider, "eth_requestAccounts", None)
        .await
        .map_err(|error| failure(&error, WalletFailure::NoAccount))?;
    let params = (Array::from(&accounts).get(0).as_string())
        .and_then(|account| transfer.params(&account))
        .ok_or(WalletFailure::NoAccount)?;
    if !is_on_chain(provider, transfer).await {
        switch(provider, transfer).await?;
    }
    let hash = request(provider, "eth_sendTransaction", Some(&params))
        .await
        .map_err(|error| failure(&error, WalletFailure::Unclear))?;
    hash.as_string().ok_or(WalletFailure::Unclear)
}

async fn is_on_chain(provider: &JsValue, transfer: &EvmTransfer) -> bool {
    let chain = request(provider, "eth_chainId", None).await;
    chain.is_ok_and(|chain| {
        chain
            .as_string()
            .is_some_and(|chain| chain.eq_ignore_ascii_case(&transfer.chain_id))
    })
}

/// Requests the network (EIP-3326). What counts is the network that the wallet is on afterwards, not its answer.
async fn switch(provider: &JsValue, transfer: &EvmTransfer) -> Result<(), WalletFailure> {
    let params = format!(r#"[{{"chainId":"{}"}}]"#, transfer.chain_id);
    let switched = request(provider, "wallet_switchEthereumChain", Some(&params)).await;
    if is_on_chain(provider, transfer).await {
        return Ok(());
    }
    Err(switched.err().map_or(WalletFailure::WrongNetwork, |error| {
        failure(&error, WalletFailure::WrongNetwork)
    }))
}
