//! Paying from a wallet in the browser: wallets are real objects in the page, with a buyer behind
//! them who decides.

mod apps;
mod checked;
mod offered;
mod slow;
mod tron;

use serde_json::{Value, json};
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::proxy::Proxy;
use crate::support::wait::{settled, until};
use crate::support::wallet::{ICON, Wallet};

const EVM_PAYEE: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TRON_PAYEE: &str = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const BNB: (&str, &str) = ("BNB, BNB Smart Chain", EVM_PAYEE);
const TRX: (&str, &str) = ("TRON, TRON", TRON_PAYEE);
const USDT_ON_TRON: (&str, &str) = ("Tether USD, TRON", TRON_PAYEE);

/// A checkout that waits for 48.50000001 of a token.
async fn awaiting(proxy: &Proxy, payment: (&str, &str)) -> Checkout {
    let checkout = Checkout::ready(proxy, &[]).await;
    checkout.pay_in(proxy, payment, None).await;
    checkout
}

fn buttons(checkout: &Checkout) -> Vec<String> {
    let names = checkout.names("button");
    names
        .into_iter()
        .filter(|name| name.starts_with("Pay"))
        .collect()
}

/// What the wallet was asked to send.
fn sent(wallet: &Wallet) -> Vec<Value> {
    let asked = wallet.asked();
    let sends = asked
        .into_iter()
        .filter(|asked| asked[0] == "eth_sendTransaction");
    sends.map(|asked| asked[1][0].clone()).collect()
}

/// The buyer says that the wallet has sent nothing.
async fn say_unsent(checkout: &Checkout) {
    checkout.press("Nothing was sent: show the payment again");
    settled().await;
    checkout.press("No, nothing was sent");
    settled().await;
}

async fn until_paid(checkout: &Checkout, wallet: &Wallet, explorer: &str) {
    checkout.until_event("tender-transaction").await;
    let url = format!("{explorer}{}", wallet.hash());
    assert_eq!(
        checkout.details_of("tender-transaction"),
        [json!({ "hash": wallet.hash(), "url": url })]
    );
    settled().await;
    assert_eq!(checkout.attribute("explorer", "href"), Some(url));
    assert_eq!(
        buttons(checkout),
        [""; 0],
        "nothing asks for money any more"
    );
    assert!(checkout.text().contains("Do not send again"));
}

#[wasm_bindgen_test]
async fn on_the_wrong_chain_nothing_is_sent() {
    let proxy = Proxy::new();
    for (known, answers) in [
        // It does not know chain 56, and says so one way or another.
        ("0x1", ""),
        (
            "0x1",
            "if (method === 'wallet_switchEthereumChain') throw { code: -32603 };",
        ),
        // As soon as it has switched, the buyer switches back.
        ("0x38", "if (method === 'eth_chainId') this.chain = '0x1';"),
    ] {
        let wallet = Wallet::evm("0x1", &[known]).announced("eip6963", "Fox", ICON);
        wallet.answers(answers);
        let checkout = awaiting(&proxy, BNB).await;
        checkout.press("Pay with Fox");
        checkout.until_shown("Choose BNB Smart Chain in it").await;
        assert_eq!(checkout.role("alert").len(), 1);
        assert_eq!(wallet.count("wallet_switchEthereumChain"), 1, "{answers}");
        assert_eq!(sent(&wallet), [Value::Null; 0]);
        assert_eq!(
            buttons(&checkout),
            ["Pay with Fox"],
            "the buyer may try again"
        );
    }
}

#[wasm_bindgen_test]
async fn a_declined_request_shows_no_error() {
    let proxy = Proxy::new();
    let wallet = Wallet::evm("0x1", &["0x38"]).announced("eip6963", "Fox", ICON);
    let checkout = awaiting(&proxy, BNB).await;
    let before = checkout.lines();
    for question in [
        "eth_requestAccounts",
        "wallet_switchEthereumChain",
        "eth_sendTransaction",
    ] {
        wallet.answers(&format!(
            "if (method === {question:?}) throw {{ code: 4001 }};"
        ));
        let asked = wallet.count(question);
        checkout.press("Pay with Fox");
        until("it is asked", || wallet.count(question) > asked).await;
        settled().await;
        assert_eq!(checkout.lines(), before, "{question}");
    }
    assert_eq!(checkout.event_names(), ["tender-ready", "tender-created"]);
}

#[wasm_bindgen_test]
async fn what_goes_wrong_in_a_wallet_is_a_sentence() {
    let proxy = Proxy::new();
    let wallet = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let accounts = wallet.get("accounts");
    let checkout = awaiting(&proxy, BNB).await;
    for (trouble, sentence) in [
        ("throw { code: -32002 };", "has another request open"),
        ("throw new Error('locked');", "did not connect"),
        ("this.accounts = null;", "did not connect"),
        ("this.accounts = undefined;", "did not connect"),
        ("this.accounts = 7;", "did not connect"),
        ("this.accounts = [];", "did not connect"),
        ("this.accounts = [null];", "did not connect"),
    ] {
        wallet.answers(trouble);
        let before = wallet.asked().len();
        checkout.press("Pay with Fox");
        until("the wallet is asked", || wallet.asked().len() > before).await;
        settled().await;
        checkout.until_shown(sentence).await;
        assert_eq!(checkout.role("alert").len(), 1, "{trouble}");
    }
    assert_eq!(sent(&wallet), [Value::Null; 0]);

    let unclear = "Check in your wallet whether it was sent";
    wallet.set("accounts", &accounts);
    wallet.answers("if (method === 'eth_sendTransaction') throw 'broken';");
    checkout.press("Pay with Fox");
    checkout.until_shown(unclear).await;
    assert_eq!(checkout.role("alert").len(), 1);
    wallet.answers("");
    wallet.set("hash", &"not a hash".into());
    checkout.press("Pay with Fox");
    settled().await;
    assert_eq!(sent(&wallet).len(), 1, "it may have been sent");
    say_unsent(&checkout).await;
    checkout.press("Pay with Fox");
    until("it is asked again", || sent(&wallet).len() == 2).await;
    settled().await;
    checkout.until_shown(unclear).await;
    assert_eq!(checkout.role("alert").len(), 1);
    assert_eq!(checkout.details_of("tender-transaction"), [Value::Null; 0]);
}

#[wasm_bindgen_test]
async fn one_request_at_a_time_and_none_that_is_never_answered_blocks_anything() {
    let proxy = Proxy::new();
    let wallet = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let other = Wallet::evm("0x38", &[]).announced("eip6963", "Owl", ICON);
    let checkout = awaiting(&proxy, BNB).await;
    assert_eq!(buttons(&checkout), ["Pay with Fox", "Pay with Owl"]);
    let decide = wallet.hesitates_at(|method| method == "eth_sendTransaction");
    checkout.press("Pay with Fox");
    checkout.press("Pay with Fox");
    checkout.press("Pay with Owl");
    until("it is asked", || sent(&wallet).len() == 1).await;
    settled().await;
    assert!(checkout.text().contains("Confirm it there"));
    assert!(!checkout.has_part("cancel"));
    checkout.call("reset");

    checkout.press("Stop waiting");
    checkout
        .until_shown("Your wallet may still send this payment.")
        .await;
    assert_eq!(checkout.role("alert").len(), 1);
    assert!(checkout.has_part("cancel"));
    assert_eq!(buttons(&checkout), ["Pay with Fox", "Pay with Owl"]);
    let is_off = || {
        checkout
            .named("button", "Pay with Owl")
            .has_attribute("aria-disabled")
    };
    checkout.press("Pay with Owl");
    settled().await;
    assert!(is_off() && other.asked().is_empty());
    say_unsent(&checkout).await;
    assert!(!is_off() && checkout.role("alert").is_empty());

    // Should it answer after all, its transaction counts.
    decide.call0(&JsValue::UNDEFINED).unwrap();
    until_paid(&checkout, &wallet, "https://bscscan.com/tx/").await;
    assert_eq!(sent(&wallet).len(), 1);
    assert_eq!(other.asked(), [Value::Null; 0]);
}
