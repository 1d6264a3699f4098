//! A transfer on TRON, by the wallet's `TronWeb`: built, signed by the buyer, broadcast
//! (docs.tronlink.org, "General Transfer").

use js_sys::{Array, JSON};
use tender_checkout_core::{TronTransfer, WalletFailure};
use wasm_bindgen::JsValue;

use super::provider::{call, failure, get, request, text};

/// The chain id of TRON's main network: the last four bytes of its first block's hash (TIP-474).
const MAIN_NETWORK: &str = "2b6653dc";

/// The highest fee for a token transfer, in sun: 100 TRX, several times the usual fee. The wallet shows the real fee.
const FEE_LIMIT: u32 = 100_000_000;

pub(super) async fn pay(
    provider: &JsValue,
    transfer: &TronTransfer,
) -> Result<String, WalletFailure> {
    connect(provider).await?;
    let mut tron_web = get(provider, "tronWeb");
    if !tron_web.is_object() {
        tron_web = get(&js_sys::global(), "tronWeb");
    }
    let trx = get(&tron_web, "trx");
    let first_block = call(&trx, "getBlockByNumber", &Array::of1(&0.into())).await;
    let first_block = first_block.unwrap_or_default();
    if text(&first_block, "blockID").is_none_or(|hash| !hash.ends_with(MAIN_NETWORK)) {
        return Err(WalletFailure::WrongNetwork);
    }
    let account = get(&get(&tron_web, "defaultAddress"), "base58");
    if !account.is_string() {
        return Err(WalletFailure::NoAccount);
    }
    let unclear = |error: JsValue| declined(&error, WalletFailure::Unclear);
    let unsigned = build(&tron_web, transfer, account).await.map_err(unclear)?;
    let signed = call(&trx, "sign", &Array::of1(&unsigned)).await;
    let signed = signed.map_err(unclear)?;
    let sent = call(&trx, "sendRawTransaction", &Array::of1(&signed)).await;
    if get(&sent.map_err(unclear)?, "result").is_truthy() {
        text(&signed, "txID").ok_or(WalletFailure::Unclear)
    } else {
        Err(WalletFailure::Unclear)
    }
}

/// Requests an account. A refusal is an error (TIP-1102), or the code of the answer in older wallets.
async fn connect(provider: &JsValue) -> Result<(), WalletFailure> {
    let is_current = !get(provider, "on").is_undefined();
    let method = if is_current {
        "eth_requestAccounts"
    } else {
        "tron_requestAccounts"
    };
    let answer = request(provider, method, None)
        .await
        .map_err(|error| failure(&error, WalletFailure::NoAccount))?;
    match get(&answer, "code").as_f64() {
        Some(4000.0) => Err(WalletFailure::Busy),
        Some(4001.0) => Err(WalletFailure::Declined),
        _ => Ok(()),
    }
}

/// Has `TronWeb` build the transaction.
async fn build(
    tron_web: &JsValue,
    transfer: &TronTransfer,
    account: JsValue,
) -> Result<JsValue, JsValue> {
    let builder = get(tron_web, "transactionBuilder");
    let (to, amount) = (&transfer.to, &transfer.amount);
    let Some(contract) = transfer.contract else {
        let arguments = Array::of3(&to.into(), &amount.into(), &account);
        return call(&builder, "sendTrx", &arguments).await;
    };
    // Addresses and digits need no escaping.
    let arguments = format!(
        r#"["{contract}","transfer(address,uint256)",{{"feeLimit":{FEE_LIMIT},"callValue":0}},[{{"type":"address","value":"{to}"}},{{"type":"uint256","value":"{amount}"}}]]"#
    );
    let arguments = Array::from(&JSON::parse(&arguments)?);
    arguments.push(&account);
    let built = call(&builder, "triggerSmartContract", &arguments).await?;
    Ok(get(&built, "transaction"))
}

/// Older wallets, and those in apps, report a refusal only by a message.
fn declined(error: &JsValue, otherwise: WalletFailure) -> WalletFailure {
    let message = error.as_string().or_else(|| text(error, "message"));
    let is_refusal =
        |message: String| message.contains("declined by user") || message.starts_with("canc");
    if message.is_some_and(is_refusal) {
        WalletFailure::Declined
    } else {
        failure(error, otherwise)
    }
}
