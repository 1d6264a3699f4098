//! Calls for a transfer on TRON, through the wallet's `TronWeb`: it builds the transaction, lets the buyer sign it, and broadcasts
//! it (docs.tronlink.org, "General Transfer").

use std::future::Future;

use js_sys::Array;
use tender_checkout_core::wallet::{TRON, TronFunds};
use tender_checkout_core::{
    Receipt, TronTransfer, WalletAnswer, WalletFailure, WalletQuestion, WalletTransaction,
};
use tender_element::host::object;
use wasm_bindgen::{JsCast, JsValue};

use super::advice;
use super::provider::{Request, call, failure, get, text};

/// The chain id of TRON's main network: the last four bytes of its first block's hash (TIP-474).
const MAIN_NETWORK: &str = "2b6653dc";

/// The highest fee for a token transfer, in sun: 100 TRX, several times the usual fee. The wallet shows the real fee.
const FEE_LIMIT: u32 = 100_000_000;

/// The function of a token's contract that sends tokens.
const TRANSFER: &str = "transfer(address,uint256)";

/// How much later than the expiration of a transaction a solidified block must be, in milliseconds, before the transaction
/// counts as expired: `TronWeb` may ask several nodes, and some may be behind others.
const EXPIRATION_MARGIN: u64 = 120_000;

/// Answers a question, except for the transaction.
pub(super) async fn answer(
    provider: &JsValue,
    transfer: &TronTransfer,
    question: WalletQuestion,
) -> Result<WalletAnswer, WalletFailure> {
    match question {
        WalletQuestion::Connect => {
            connect(provider).await?;
            account(provider)
        }
        WalletQuestion::Account => account(provider),
        WalletQuestion::Chain if is_main_network(&trx(provider)).await => Ok(WalletAnswer::Yes),
        // It can't be asked to switch, and `build` makes the transaction.
        WalletQuestion::Chain | WalletQuestion::SwitchChain | WalletQuestion::Build(_) => {
            Err(WalletFailure::WrongNetwork)
        }
        WalletQuestion::Funds(account) => {
            let funds = funds(&tron_web(provider), transfer, &account.into()).await;
            advice(transfer.shortfall(&funds))
        }
    }
}

fn account(provider: &JsValue) -> Result<WalletAnswer, WalletFailure> {
    let account = text(&get(&tron_web(provider), "defaultAddress"), "base58");
    account
        .map(WalletAnswer::Account)
        .ok_or(WalletFailure::NoAccount)
}

/// Asks the wallet at once to sign the transaction that was built; the future awaits the signed one, and what is known of it.
pub(super) fn sign(
    provider: &JsValue,
    unsigned: &JsValue,
) -> impl Future<Output = Result<(JsValue, WalletTransaction), WalletFailure>> + use<> {
    let signed = call(&trx(provider), "sign", &Array::of1(unsigned));
    async move {
        let signed = signed.await;
        let signed = signed.map_err(|error| failure(TRON, &error, WalletFailure::Unclear))?;
        let hash = text(&signed, "txID").ok_or(WalletFailure::Unclear)?;
        let expiration = whole(&get(&get(&signed, "raw_data"), "expiration"));
        Ok((signed, WalletTransaction::Signed { hash, expiration }))
    }
}

/// Broadcasts a signed transaction at once. The answer proves nothing.
pub(super) fn broadcast(provider: &JsValue, signed: &JsValue) -> impl Future<Output = ()> + use<> {
    let sent = call(&trx(provider), "sendRawTransaction", &Array::of1(signed));
    async move {
        _ = sent.await;
    }
}

/// The receipt of a transaction in a solidified block, or that it has expired without being in one.
pub(super) async fn receipt(provider: &JsValue, hash: &str, expiration: Option<u64>) -> Receipt {
    let trx = trx(provider);
    if !is_main_network(&trx).await {
        return Receipt::Unknown;
    }
    // Before the transaction is read: otherwise it may be in a block that was solidified in between.
    let has_expired = has_expired(&trx, expiration).await;
    let Ok(info) = call(&trx, "getTransactionInfo", &Array::of1(&hash.into())).await else {
        return Receipt::Unknown;
    };
    let (id, result) = (text(&info, "id"), text(&info, "result"));
    Receipt::tron(id.as_deref(), result.as_deref(), has_expired)
}

/// Whether the latest solidified block is later than this time.
async fn has_expired(trx: &JsValue, expiration: Option<u64>) -> bool {
    let Some(expiration) = expiration else {
        return false;
    };
    let block = call(trx, "getConfirmedCurrentBlock", &Array::new()).await;
    let header = get(&block.unwrap_or_default(), "block_header");
    let time = whole(&get(&get(&header, "raw_data"), "timestamp"));
    time.is_some_and(|time| time > expiration.saturating_add(EXPIRATION_MARGIN))
}

fn tron_web(provider: &JsValue) -> JsValue {
    let tron_web = get(provider, "tronWeb");
    if tron_web.is_object() {
        tron_web
    } else {
        get(&js_sys::global(), "tronWeb")
    }
}

fn trx(provider: &JsValue) -> JsValue {
    get(&tron_web(provider), "trx")
}

async fn is_main_network(trx: &JsValue) -> bool {
    let first_block = call(trx, "getBlockByNumber", &Array::of1(&0.into())).await;
    let hash = text(&first_block.unwrap_or_default(), "blockID");
    hash.is_some_and(|hash| hash.ends_with(MAIN_NETWORK))
}

/// What `TronWeb` says about the account. It reads from its node, and shows nothing to the buyer.
async fn funds(tron_web: &JsValue, transfer: &TronTransfer, account: &JsValue) -> TronFunds {
    let trx = get(tron_web, "trx");
    let of_account = Array::of1(account);
    let coin = call(&trx, "getBalance", &of_account).await;
    let resources = call(&trx, "getAccountResources", &of_account).await;
    let resources = resources.unwrap_or_default();
    let left = |limit, used| {
        let amount = |name| whole(&get(&resources, name)).unwrap_or_default();
        amount(limit).saturating_sub(amount(used))
    };
    let parameters = call(&trx, "getChainParameters", &Array::new()).await;
    // `Array::from` throws for anything else.
    let parameters: Array = parameters
        .unwrap_or_default()
        .dyn_into()
        .unwrap_or_default();
    let price = |key| {
        let mut parameters = parameters.iter();
        let parameter = parameters.find(|one| text(one, "key").as_deref() == Some(key))?;
        whole(&get(&parameter, "value"))
    };
    let mut funds = TronFunds {
        coin: whole(&coin.unwrap_or_default()),
        // A transaction is paid from one of the two.
        free_bandwidth: left("freeNetLimit", "freeNetUsed").max(left("NetLimit", "NetUsed")),
        free_energy: left("EnergyLimit", "EnergyUsed"),
        energy_price: price("getEnergyFee"),
        bandwidth_price: price("getTransactionFee"),
        ..TronFunds::default()
    };
    if let Some(contract) = transfer.contract {
        let simulate = async |function: &str, parameters: &[(&str, &str)]| {
            let method = "triggerConstantContract";
            let answer = trigger(tron_web, method, contract, function, parameters, account).await;
            answer.unwrap_or_default()
        };
        let owner = account.as_string().unwrap_or_default();
        let balance = simulate("balanceOf(address)", &[("address", &owner)]).await;
        funds.token = text(&get(&balance, "constant_result"), "0");
        let transfer = simulate(TRANSFER, &transfer_parameters(transfer)).await;
        funds.energy = whole(&get(&transfer, "energy_used"));
    }
    funds
}

/// A whole number that is not negative.
fn whole(value: &JsValue) -> Option<u64> {
    let number = value.as_f64().filter(|number| *number >= 0.0)?;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is not negative, and a larger number is more than anything that is compared with it"
    )]
    let number = number as u64;
    Some(number)
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
    let refusal = match &answer {
        Ok(answer)
            if get(answer, "code")
                .as_f64()
                .is_none_or(|code| code < 4000.0) =>
        {
            return Ok(());
        }
        Ok(refusal) | Err(refusal) => refusal,
    };
    Err(match failure(TRON, refusal, WalletFailure::NoAccount) {
        WalletFailure::NotSent => WalletFailure::NoAccount,
        failure => failure,
    })
}

/// Has `TronWeb` build the transaction from this account. Building signs nothing.
pub(super) async fn build(
    provider: &JsValue,
    transfer: &TronTransfer,
    account: &JsValue,
) -> Result<JsValue, WalletFailure> {
    let built = built(&tron_web(provider), transfer, account).await;
    built.map_err(|error| failure(TRON, &error, WalletFailure::NotSent))
}

async fn built(
    tron_web: &JsValue,
    transfer: &TronTransfer,
    account: &JsValue,
) -> Result<JsValue, JsValue> {
    let Some(contract) = transfer.contract else {
        let (to, amount) = (&transfer.to, &transfer.amount);
        let arguments = Array::of3(&to.into(), &amount.into(), account);
        return call(&get(tron_web, "transactionBuilder"), "sendTrx", &arguments).await;
    };
    let (method, parameters) = ("triggerSmartContract", transfer_parameters(transfer));
    let answer = trigger(tron_web, method, contract, TRANSFER, &parameters, account).await?;
    Ok(get(&answer, "transaction"))
}

/// The types and values of the parameters of [`TRANSFER`].
fn transfer_parameters(transfer: &TronTransfer) -> [(&str, &str); 2] {
    [("address", &transfer.to), ("uint256", &transfer.amount)]
}

/// Calls a function of a contract with these types and values.
async fn trigger(
    tron_web: &JsValue,
    method: &str,
    contract: &str,
    function: &str,
    parameters: &[(&str, &str)],
    account: &JsValue,
) -> Result<JsValue, JsValue> {
    // In sun.
    let options = object([("feeLimit", FEE_LIMIT.into()), ("callValue", 0.into())]);
    let parameters = (parameters.iter())
        .map(|(kind, value)| object([("type", (*kind).into()), ("value", (*value).into())]));
    let parameters: Array = parameters.collect();
    let arguments = [
        contract.into(),
        function.into(),
        options,
        parameters.into(),
        account.clone(),
    ];
    let arguments: Array = arguments.into_iter().collect();
    call(&get(tron_web, "transactionBuilder"), method, &arguments).await
}
