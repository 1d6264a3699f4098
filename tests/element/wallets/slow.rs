//! Wallets that are slow, and what happens before they can be asked to send.

use js_sys::Function;
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{BNB, EVM_PAYEE, TRX, awaiting, buttons, sent, until_paid};
use crate::support::checkout::Checkout;
use crate::support::proxy::Proxy;
use crate::support::record;
use crate::support::wait::{settled, until};
use crate::support::wallet::{ICON, Wallet};

/// A checkout with this payment, whose wallet has not answered this request yet, and what has it answer.
async fn held(
    proxy: &Proxy,
    payment: (&str, &str),
    wallet: &Wallet,
    request: &'static str,
) -> (Checkout, Function) {
    let checkout = Checkout::ready(proxy, &[]).await;
    checkout.pay_in(proxy, payment, Some("receipt-7")).await;
    let decide = wallet.hesitates_at(move |method| method == request);
    checkout.press("Pay with Fox");
    until("the wallet is asked", || wallet.count(request) == 1).await;
    settled().await;
    (checkout, decide)
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

#[wasm_bindgen_test]
async fn what_is_no_longer_to_be_paid_is_not_sent() {
    for request in ["eth_requestAccounts", "eth_gasPrice"] {
        for (status, state, said) in ENDS {
            let proxy = Proxy::new();
            let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
            let (checkout, decide) = held(&proxy, BNB, &fox, request).await;
            checkout.fetch(&proxy, moved(("BNB", EVM_PAYEE), status, state));
            checkout.until_event("tender-status").await;
            checkout.until_shown(said).await;
            answers(&decide).await;
            assert_eq!(sent(&fox), [Value::Null; 0], "{request} {state}");
            assert!(fox.count("eth_gasPrice") > 0, "it went on until then");
            assert!(checkout.role("alert").is_empty(), "{request} {state}");
            let text = checkout.text();
            assert!(!text.contains("Your wallet"), "{request} {state}: {text}");
        }
    }
}

#[wasm_bindgen_test]
async fn a_wallet_that_nobody_waits_for_sends_nothing() {
    let proxy = Proxy::new();
    let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let (checkout, decide) = held(&proxy, BNB, &fox, "eth_requestAccounts").await;
    checkout.press("Stop waiting");
    checkout.until_shown("may still send this payment").await;
    answers(&decide).await;
    assert_eq!(sent(&fox), [Value::Null; 0]);
    assert!(checkout.role("alert").is_empty(), "nothing was sent");
    assert_eq!(buttons(&checkout), ["Pay with Fox"]);
    checkout.press("Pay with Fox");
    until_paid(&checkout, &fox, "https://bscscan.com/tx/").await;
    assert_eq!(sent(&fox).len(), 1);
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
                checkout.until_shown("may still send this payment").await;
            } else {
                checkout.fetch(&proxy, moved(("TRX", TRX.1), "Completed", "paid"));
                checkout.until_shown("Payment received").await;
            }
            answers(&decide).await;
            assert_eq!(fox.count("sendTrx"), 1, "it went on until then");
            assert_eq!(fox.count("sign"), signed, "{request}");
            assert_eq!(fox.count("sendRawTransaction"), 0, "{request}");
            let is_unclear = checkout.text().contains("Check in your wallet");
            assert_eq!(is_unclear, signed == 1, "{request} {stops}");
        }
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
