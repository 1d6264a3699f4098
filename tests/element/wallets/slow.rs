//! Wallets that are slow, and what happens before they can be asked to send.

use js_sys::Function;
use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{BNB, EVM_PAYEE, TRX, awaiting, buttons, sent, until_paid};
use crate::support::checkout::Checkout;
use crate::support::proxy::Proxy;
use crate::support::wait::{settled, until};
use crate::support::wallet::{ICON, Wallet};
use crate::support::{clock, record};

/// A checkout with this payment, whose wallet has not answered this request yet, and what has it answer.
async fn held(
    proxy: &Proxy,
    payment: (&str, &str),
    wallet: &Wallet,
    request: &'static str,
) -> (Checkout, Function) {
    let checkout = Checkout::ready(proxy, &[]).await;
    checkout.pay_in(proxy, payment, Some("receipt-7")).await;
    let decide = hold(&checkout, wallet, request).await;
    (checkout, decide)
}

/// The buyer presses, and the wallet does not answer this request.
async fn hold(checkout: &Checkout, wallet: &Wallet, request: &'static str) -> Function {
    let decide = wallet.hesitates_at(move |method| method == request);
    checkout.press("Pay with Fox");
    until("the wallet is asked", || wallet.count(request) == 1).await;
    settled().await;
    decide
}

/// The wallet answers, and everything follows that does.
async fn answers(decide: &Function) {
    decide.call0(&JsValue::UNDEFINED).unwrap();
    // Each read of the account takes its turn.
    for _ in 0..5 {
        settled().await;
    }
}

/// The record of a payment in this token, with another status.
fn moved((code, payee): (&str, &str), status: &str, state: &str) -> String {
    record::with_state(status, state)
        .replace("0.00012345", "48.50000001")
        .replace(record::WALLET, payee)
        .replace("\"BTC\"", &format!("\"{code}\""))
}

const ENDS: [(&str, &str, &str); 4] = [
    ("Completed", "paid", "Payment received"),
    ("Expired", "closed", "This payment is closed"),
    ("Seen", "pending", ""),
    ("Seen", "open", ""),
];

/// What an Ethereum wallet is asked before it is asked to send.
const QUESTIONS: [&str; 4] = [
    "eth_requestAccounts",
    "eth_chainId",
    "eth_gasPrice",
    "eth_accounts",
];

#[wasm_bindgen_test]
async fn what_is_no_longer_to_be_paid_is_not_sent() {
    for request in QUESTIONS {
        for (status, state, said) in ENDS {
            let proxy = Proxy::new();
            let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
            let (checkout, decide) = held(&proxy, BNB, &fox, request).await;
            checkout.fetch(&proxy, moved(("BNB", EVM_PAYEE), status, state));
            checkout.until_event("tender-status").await;
            checkout.until_shown(said).await;
            let asked = fox.asked().len();
            answers(&decide).await;
            assert_eq!(fox.asked().len(), asked, "nothing more: {request} {state}");
            assert!(checkout.role("alert").is_empty(), "{request} {state}");
            let text = checkout.text();
            assert!(!text.contains("Your wallet"), "{request} {state}: {text}");
        }
    }
}

#[wasm_bindgen_test]
async fn a_wallet_that_nobody_waits_for_sends_nothing() {
    for request in QUESTIONS {
        let proxy = Proxy::new();
        let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
        let (checkout, decide) = held(&proxy, BNB, &fox, request).await;
        checkout.press("Stop waiting");
        settled().await;
        assert!(checkout.role("alert").is_empty(), "nothing was sent");
        answers(&decide).await;
        assert_eq!(sent(&fox), [Value::Null; 0], "{request}");
        assert!(checkout.role("alert").is_empty(), "{request}");
        assert_eq!(buttons(&checkout), ["Pay with Fox"]);
        checkout.press("Pay with Fox");
        until_paid(&checkout, &fox, "https://bscscan.com/tx/").await;
        assert_eq!(sent(&fox).len(), 1);
    }
}

/// The buyer is asked to confirm only once the wallet shows the payment.
#[wasm_bindgen_test]
async fn the_text_is_that_of_the_step() {
    for (request, said) in [
        ("eth_requestAccounts", "Connecting to your wallet."),
        ("wallet_switchEthereumChain", "Connecting to your wallet."),
        ("eth_gasPrice", "Checking your wallet."),
        ("eth_accounts", "Checking your wallet."),
        ("eth_sendTransaction", "Confirm it there."),
    ] {
        let proxy = Proxy::new();
        let fox = Wallet::evm("0x1", &["0x38"]).announced("eip6963", "Fox", ICON);
        let (checkout, decide) = held(&proxy, BNB, &fox, request).await;
        let text = checkout.text();
        assert!(text.contains(said), "{request}: {text}");
        let confirms = text.contains("Confirm it there.");
        assert_eq!(confirms, request == "eth_sendTransaction", "{text}");
        answers(&decide).await;
        until_paid(&checkout, &fox, "https://bscscan.com/tx/").await;
    }
}

/// Milliseconds that a wallet has for what only advises.
const ADVICE: f64 = 5_000.0;

#[wasm_bindgen_test]
async fn what_only_advises_holds_up_nothing() {
    let proxy = Proxy::new();
    let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let checkout = awaiting(&proxy, BNB).await;
    let decide = hold(&checkout, &fox, "eth_gasPrice").await;
    assert_eq!(clock::held(ADVICE), 1);
    clock::fire(ADVICE);
    checkout.until_event("tender-transaction").await;
    // What it says now comes too late.
    answers(&decide).await;
    assert_eq!(checkout.details_of("tender-transaction").len(), 1);
    assert_eq!(sent(&fox).len(), 1);
}

/// The buyer has stopped waiting, and pressed again.
#[wasm_bindgen_test]
async fn a_late_answer_leaves_the_next_question_its_time() {
    let proxy = Proxy::new();
    let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let checkout = awaiting(&proxy, BNB).await;
    let late = hold(&checkout, &fox, "eth_gasPrice").await;
    checkout.press("Stop waiting");
    settled().await;
    fox.hesitates_at(|method| method == "eth_gasPrice");
    checkout.press("Pay with Fox");
    until("it is asked again", || fox.count("eth_gasPrice") == 2).await;
    answers(&late).await;
    clock::fire(ADVICE);
    checkout.until_event("tender-transaction").await;
    assert_eq!(sent(&fox).len(), 1);
}

#[wasm_bindgen_test]
async fn the_account_that_the_buyer_has_switched_to_pays() {
    let proxy = Proxy::new();
    let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    fox.answers(&format!(
        "if (method === 'eth_gasPrice') this.accounts = ['{EVM_PAYEE}'];"
    ));
    let checkout = awaiting(&proxy, BNB).await;
    checkout.press("Pay with Fox");
    until_paid(&checkout, &fox, "https://bscscan.com/tx/").await;
    assert_eq!(sent(&fox)[0]["from"], EVM_PAYEE);
    assert_eq!(fox.count("eth_gasPrice"), 2, "its funds are read, too");
}

#[wasm_bindgen_test]
async fn of_two_wallets_the_one_that_was_slow_sends_nothing() {
    let proxy = Proxy::new();
    let owl = Wallet::evm("0x38", &[]).announced("eip6963", "Owl", ICON);
    let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let (checkout, decide) = held(&proxy, BNB, &fox, "eth_requestAccounts").await;
    checkout.press("Stop waiting");
    settled().await;
    // The other wallet shows the payment when the first one opens.
    let confirm = owl.hesitates_at(|method| method == "eth_sendTransaction");
    checkout.press("Pay with Owl");
    until("the other is asked", || sent(&owl).len() == 1).await;
    answers(&decide).await;
    assert_eq!(sent(&fox), [Value::Null; 0]);
    answers(&confirm).await;
    until_paid(&checkout, &owl, "https://bscscan.com/tx/").await;
    assert_eq!(sent(&fox), [Value::Null; 0]);
}

/// A signed transaction that is no longer wanted is not broadcast. The page still warns, because the wallet may broadcast it.
#[wasm_bindgen_test]
async fn on_tron_nothing_is_signed_or_broadcast_any_more() {
    for (request, signed) in [("eth_requestAccounts", 0), ("sign", 1)] {
        for stops in [false, true] {
            let proxy = Proxy::new();
            let fox = Wallet::tron(true, true).announced("TIP6963", "Fox", ICON);
            let (checkout, decide) = held(&proxy, TRX, &fox, request).await;
            if stops {
                checkout.press("Stop waiting");
                settled().await;
            } else {
                checkout.fetch(&proxy, moved(("TRX", TRX.1), "Completed", "paid"));
                checkout.until_shown("Payment received").await;
            }
            answers(&decide).await;
            assert_eq!(fox.count("sign"), signed, "{request}");
            assert_eq!(fox.count("sendTrx"), signed, "{request}");
            assert_eq!(fox.count("sendRawTransaction"), 0, "{request}");
            let is_unclear = checkout.text().contains("Check in your wallet");
            assert_eq!(is_unclear, signed == 1, "{request} {stops}");
        }
    }
}

#[wasm_bindgen_test]
async fn on_tron_a_signed_transaction_that_was_not_broadcast_holds_the_payment_until_it_expires() {
    for reloads in [false, true] {
        let proxy = Proxy::new();
        let fox = Wallet::tron(true, true).announced("TIP6963", "Fox", ICON);
        // It expires at 1,000,000, and nodes may be two minutes apart.
        let block = json!({ "block_header": { "raw_data": { "timestamp": 1_120_001 } } });
        fox.node(&json!({ "getConfirmedCurrentBlock": block, "getTransactionInfo": {} }));
        let mut checkout = awaiting(&proxy, TRX).await;
        let decide = hold(&checkout, &fox, "sign").await;
        checkout.press("Stop waiting");
        checkout.until_shown("may still send this payment").await;
        answers(&decide).await;
        if reloads {
            drop(checkout);
            checkout = Checkout::reopen(&proxy, &[]);
            checkout.until_shown("Pay with Fox").await;
        }
        checkout.press("Pay with Fox");
        settled().await;
        assert_eq!(fox.count("sign"), 1, "another one may be sent twice");
        until("its receipt is to be read", || clock::held(ADVICE) == 1).await;
        clock::fire(ADVICE);
        until("nothing holds the payment", || {
            checkout.role("alert").is_empty()
        })
        .await;
        settled().await;
        checkout.press("Pay with Fox");
        until_paid(&checkout, &fox, "https://tronscan.org/#/transaction/").await;
        assert_eq!(fox.count("sendRawTransaction"), 1, "{reloads}");
    }
}

/// The transaction names its chain, too, but not every wallet compares it.
#[wasm_bindgen_test]
async fn a_wallet_that_was_switched_while_its_account_was_read_is_not_asked() {
    let proxy = Proxy::new();
    let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    fox.answers("if (method === 'eth_gasPrice') this.chain = '0x1';");
    let checkout = awaiting(&proxy, BNB).await;
    checkout.press("Pay with Fox");
    checkout.until_shown("Choose BNB Smart Chain in it").await;
    assert_eq!(sent(&fox), [Value::Null; 0]);
}

/// As `@walletconnect/universal-provider` answers, and others.
#[wasm_bindgen_test]
async fn a_chain_is_the_same_however_its_number_is_written() {
    let proxy = Proxy::new();
    let usdt = ("Tether USD, Ethereum", EVM_PAYEE);
    for chain in [1.into(), "1".into(), "0x01".into(), JsValue::from("0X1")] {
        let fox = Wallet::evm("", &[]).announced("eip6963", "Fox", ICON);
        fox.set("chain", &chain);
        let checkout = awaiting(&proxy, usdt).await;
        checkout.press("Pay with Fox");
        until_paid(&checkout, &fox, "https://etherscan.io/tx/").await;
        assert_eq!(fox.count("wallet_switchEthereumChain"), 0, "{chain:?}");
    }
    for chain in [1.5.into(), 56.into(), (-1).into(), JsValue::from("0x")] {
        let fox = Wallet::evm("", &[]).announced("eip6963", "Fox", ICON);
        fox.set("chain", &chain);
        let checkout = awaiting(&proxy, usdt).await;
        checkout.press("Pay with Fox");
        checkout.until_shown("Choose Ethereum in it").await;
        assert_eq!(sent(&fox), [Value::Null; 0], "{chain:?}");
    }
}
