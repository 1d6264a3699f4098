//! A transfer on Ethereum and its kin, by the wallet's provider (EIP-1193).

use js_sys::Array;
use tender_checkout_core::{EvmTransfer, WalletFailure};
use wasm_bindgen::JsValue;

use super::provider::{failure, request};

/// Asks for an account, for the chain, and then for the transfer.
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

/// Asks for the chain (EIP-3326). Whatever the wallet says to that, it has to be there then.
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
