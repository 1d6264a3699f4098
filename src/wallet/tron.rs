//! A transfer on TRON, through the wallet's `TronWeb`: it builds the transaction, lets the buyer sign it, and broadcasts it
//! (docs.tronlink.org, "General Transfer").

use js_sys::Array;
use serde::Serialize;
use tender_checkout_core::{TronTransfer, WalletFailure};
use wasm_bindgen::JsValue;

use super::provider::{Request, call, failure, get, text, to_js};

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

/// Requests an account. A refusal is an error (TIP-1102), or a code in the response of older wallets.
async fn connect(provider: &JsValue) -> Result<(), WalletFailure> {
    let is_current = !get(provider, "on").is_undefined();
    let method = if is_current {
        "eth_requestAccounts"
    } else {
        "tron_requestAccounts"
    };
    let answer = Request::new(method).send(provider).await;
    let answer = answer.map_err(|error| failure(&error, WalletFailure::NoAccount))?;
    match get(&answer, "code").as_f64() {
        Some(4000.0) => Err(WalletFailure::Busy),
        Some(4001.0) => Err(WalletFailure::Declined),
        _ => Ok(()),
    }
}

/// Options of `triggerSmartContract`, in sun.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Options {
    fee_limit: u32,
    call_value: u32,
}

/// An argument of the contract's function.
#[derive(Serialize)]
struct Parameter<'a> {
    #[serde(rename = "type")]
    solidity_type: &'static str,
    value: &'a str,
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
    let options = Options {
        fee_limit: FEE_LIMIT,
        call_value: 0,
    };
    let parameters =
        [("address", to), ("uint256", amount)].map(|(solidity_type, value)| Parameter {
            solidity_type,
            value,
        });
    let arguments = [
        contract.into(),
        "transfer(address,uint256)".into(),
        to_js(&options)?,
        to_js(&parameters)?,
        account,
    ];
    let arguments: Array = arguments.into_iter().collect();
    let built = call(&builder, "triggerSmartContract", &arguments).await?;
    Ok(get(&built, "transaction"))
}

/// What the message of a refusal contains.
const DECLINED: &[u8] = b"declined by user";

/// Older wallets and in-app wallets report a refusal only by a message.
fn declined(error: &JsValue, otherwise: WalletFailure) -> WalletFailure {
    let message = error.as_string().or_else(|| text(error, "message"));
    let is_refusal = |message: String| {
        // `str::contains` would add 1 KB to the compressed module.
        let mut words = message.as_bytes().windows(DECLINED.len());
        words.any(|words| words == DECLINED) || message.starts_with("canc")
    };
    if message.is_some_and(is_refusal) {
        WalletFailure::Declined
    } else {
        failure(error, otherwise)
    }
}
