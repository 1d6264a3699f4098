//! What is checked around a payment from a wallet: the proxy's mark, the account's funds, the wallet's errors, and the
//! transaction's receipt.

use serde_json::{Value, json};
use tender_checkout_core::MarkSecret;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{BNB, TRX, USDT_ON_TRON, awaiting, buttons, sent};
use crate::polling::set_hidden;
use crate::support::accessibility::name;
use crate::support::checkout::Checkout;
use crate::support::proxy::{MARK, Proxy, Reply};
use crate::support::wait::{settled, until};
use crate::support::wallet::{ICON, Wallet};
use crate::support::{clock, record};

/// The routes of the mark.
fn routes() -> [String; 2] {
    ["PUT", "DELETE"].map(|method| format!("{method} /api/v1/payment/{}{MARK}", record::ID))
}

/// A checkout with a receipt that shows a payment in BNB.
async fn with_receipt(proxy: &Proxy) -> Checkout {
    let checkout = Checkout::ready(proxy, &[]).await;
    checkout.pay_in(proxy, BNB, Some("receipt-7")).await;
    checkout
}

#[wasm_bindgen_test]
async fn a_wallet_is_asked_once_the_mark_is_stored_which_a_decline_takes_back() {
    let proxy = Proxy::new();
    let wallet = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    wallet.answers("if (method === 'eth_sendTransaction') throw { code: 4001 };");
    let checkout = with_receipt(&proxy).await;
    let [store, remove] = routes();
    proxy.reply(&store, Reply::problem(409, "cancel-begun"));
    checkout.press("Pay with Fox");
    checkout.until_shown("Nothing was sent.").await;
    let stored = proxy.hold(&store);
    checkout.press("Pay with Fox");
    until("the mark is requested", || proxy.sent(&store).len() == 2).await;
    settled().await;
    assert_eq!(sent(&wallet), [Value::Null; 0]);
    assert!(!checkout.has_button("Cancel payment"));

    stored.open(Reply::ok(r#"{"first":true,"removable":true}"#));
    until("the mark is removed", || proxy.sent(&remove).len() == 1).await;
    let (store, remove) = (&proxy.sent(&store)[1], &proxy.sent(&remove)[0]);
    assert_eq!(store.authorization.as_deref(), Some("Bearer receipt-7"));
    assert_eq!(remove.authorization.as_deref(), Some("Bearer receipt-7"));
    let secret = remove.json()["secret"].as_str().unwrap().to_owned();
    assert_eq!(secret.len(), 32);
    // Removing it proves who has set it.
    let digest = MarkSecret(secret).digest();
    assert!(store.path.ends_with(&digest) && remove.path == store.path);
    settled().await;
    assert!(checkout.has_button("Cancel payment"));
}

/// Two pages that press at the same time. The buyer can say that nothing was sent; the other page's mark keeps the payment.
#[wasm_bindgen_test]
async fn no_wallet_is_asked_after_the_mark_of_another_page_until_the_buyer_says_that_nothing_was_sent()
 {
    let proxy = Proxy::new();
    let wallet = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let checkout = with_receipt(&proxy).await;
    let [store, remove] = routes();
    let second = || Reply::ok(r#"{"first":false,"removable":true}"#);
    proxy.reply(&store, second());
    checkout.press("Pay with Fox");
    checkout
        .until_shown("Money may already have been sent")
        .await;
    until("its own mark is removed", || proxy.sent(&remove).len() == 1).await;
    assert_eq!(sent(&wallet), [Value::Null; 0]);
    assert!(!checkout.text().contains("Send exactly"));

    let again = "Nothing was sent: show the payment again";
    checkout.press(again);
    checkout.until_shown("paying again loses it").await;
    checkout.press("Yes, I have sent money");
    settled().await;
    assert!(!checkout.text().contains("Send exactly"));
    checkout.press(again);
    settled().await;
    checkout.press("No, nothing was sent");
    checkout.until_shown("Send exactly").await;
    assert!(!checkout.has_button("Cancel payment") && !checkout.has_button(again));
    proxy.reply(&store, second());
    checkout.press("Pay with Fox");
    checkout.until_event("tender-transaction").await;
    assert_eq!(sent(&wallet).len(), 1);
}

/// As `MetaMask` wraps the error of a node.
const NO_FUNDS: &str = "{ code: -32603, message: 'Internal JSON-RPC error.',
    data: { cause: { code: -32000, message: 'Insufficient funds for gas * price + value' } } }";

#[wasm_bindgen_test]
async fn an_error_leaves_every_way_open_only_if_it_proves_that_nothing_was_sent() {
    for (error, said, is_open) in [
        ("new Error('lost')", "Money may be on its way", false),
        (NO_FUNDS, "Your wallet can't make this payment", true),
    ] {
        let proxy = Proxy::new();
        let wallet = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
        wallet.answers(&format!(
            "if (method === 'eth_sendTransaction') throw {error};"
        ));
        let checkout = with_receipt(&proxy).await;
        checkout.press("Pay with Fox");
        checkout.until_shown(said).await;
        settled().await;
        assert_eq!(checkout.has_button("Cancel payment"), is_open, "{said}");
        assert_eq!(checkout.has_button("Use another token"), is_open, "{said}");
        assert_eq!(buttons(&checkout), ["Pay with Fox"]);
    }
}

#[wasm_bindgen_test]
async fn what_an_ethereum_account_lacks_is_said_before_the_wallet_opens() {
    let proxy = Proxy::new();
    let wallet = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let checkout = awaiting(&proxy, BNB).await;
    wallet.node(&json!({ "eth_getBalance": "0x1" }));
    checkout.press("Pay with Fox");
    checkout
        .until_shown("Your wallet has less than 48.50000001 BNB")
        .await;
    assert_eq!(sent(&wallet), [Value::Null; 0]);
    checkout.press("Pay with Fox");
    checkout.until_event("tender-transaction").await;
    assert_eq!(sent(&wallet).len(), 1, "the buyer goes on");
}

#[wasm_bindgen_test]
async fn what_a_tron_account_lacks_is_said_before_the_wallet_opens() {
    let proxy = Proxy::new();
    let wallet = Wallet::tron(true, true).announced("TIP6963", "TronLink", ICON);
    wallet.node(&json!({
        "getBalance": 5_000_000,
        "getAccountResources": { "freeNetLimit": 600, "freeNetUsed": 600 },
        "getChainParameters": [
            { "key": "getEnergyFee", "value": 100 },
            { "key": "getTransactionFee", "value": 1000 },
        ],
        "balanceOf(address)": { "constant_result": [format!("{:064x}", 48_500_001)] },
        "transfer(address,uint256)": { "energy_used": 130_000, "constant_result": [] },
    }));
    let checkout = awaiting(&proxy, USDT_ON_TRON).await;
    checkout.press("Pay with TronLink");
    checkout
        .until_shown("Your wallet needs about 14 TRX for the fee")
        .await;
    assert_eq!(wallet.count("sign"), 0);
    checkout.press("Pay with TronLink");
    checkout.until_event("tender-transaction").await;
}

#[wasm_bindgen_test]
async fn a_tron_transaction_that_has_expired_without_a_block_has_paid_nothing() {
    let proxy = Proxy::new();
    let wallet = Wallet::tron(true, true).announced("TIP6963", "TronLink", ICON);
    let solidified = |timestamp: u32| {
        let block = json!({ "block_header": { "raw_data": { "timestamp": timestamp } } });
        json!({ "getConfirmedCurrentBlock": block, "getTransactionInfo": {} })
    };
    let checkout = awaiting(&proxy, TRX).await;
    let read = async |wait: f64| {
        until("the receipt is to be read", || clock::held(wait) > 0).await;
        clock::fire(wait);
        settled().await;
    };
    // It expires at 1,000,000, and nodes may be two minutes apart.
    wallet.node(&solidified(1_120_000));
    checkout.press("Pay with TronLink");
    checkout.until_shown("Do not send again").await;
    read(FIRST_READ).await;
    let mut unread = solidified(1_120_001);
    unread["getTransactionInfo"] = Value::Null;
    wallet.node(&unread);
    read(2.0 * FIRST_READ).await;
    assert!(checkout.text().contains("Do not send again"));
    wallet.node(&solidified(1_120_001));
    read(3.0 * FIRST_READ).await;
    checkout
        .until_shown("Nothing was paid: the transaction failed.")
        .await;
    assert_eq!(buttons(&checkout), ["Pay with TronLink"]);
}

#[wasm_bindgen_test]
async fn a_receipt_is_read_once_the_page_is_seen() {
    let proxy = Proxy::new();
    let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let checkout = awaiting(&proxy, BNB).await;
    checkout.press("Pay with Fox");
    checkout.until_shown("Do not send again").await;
    let reads = || fox.count("eth_getTransactionReceipt");
    for hidden in [true, false] {
        until("the receipt is to be read", || clock::held(FIRST_READ) > 0).await;
        set_hidden(hidden);
        assert_eq!(reads(), 0);
        clock::fire(FIRST_READ);
        settled().await;
    }
    until("it is read", || reads() == 1).await;
}

/// Milliseconds until the first read of a receipt.
const FIRST_READ: f64 = 5_000.0;

#[wasm_bindgen_test]
async fn after_a_transaction_that_failed_for_good_the_payment_can_be_paid_again() {
    let proxy = Proxy::new();
    let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    fox.node(&json!({
        "eth_getTransactionReceipt": { "status": "0x0", "blockNumber": "0x10" },
        "eth_getBlockByNumber": { "number": "0x10" },
    }));
    let link = Wallet::tron(true, true).announced("TIP6963", "TronLink", ICON);
    link.node(&json!({ "getTransactionInfo": { "id": link.hash(), "result": "FAILED" } }));
    for (token, button) in [(BNB, "Pay with Fox"), (TRX, "Pay with TronLink")] {
        let checkout = awaiting(&proxy, token).await;
        checkout.press(button);
        checkout.until_shown("Do not send again").await;
        until("the receipt is to be read", || clock::held(FIRST_READ) > 0).await;
        clock::fire(FIRST_READ);
        checkout
            .until_shown("Nothing was paid: the transaction failed.")
            .await;
        assert_eq!(buttons(&checkout), [button]);
    }
}

#[wasm_bindgen_test]
async fn a_typed_hash_can_be_removed_after_a_question() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, Some("receipt-7")).await;
    let [store, remove] = routes();
    checkout.paste_hash(&"0".repeat(64));
    settled().await;
    assert_eq!(proxy.sent(&store).len(), 0, "all zeros is no hash");
    let said = checkout.alert();
    assert!(said.contains("not a transaction hash on Bitcoin"), "{said}");
    let hash = "ab".repeat(32);
    checkout.paste_hash(&format!(" {hash}\n"));
    checkout.until_shown("Do not send again").await;
    assert!(checkout.role("alert").is_empty());
    let link = checkout.part("explorer");
    assert_eq!(name(&link), "See the transaction on mempool.space");
    for (attribute, value) in [
        ("href", format!("https://mempool.space/tx/{hash}")),
        ("rel", "noopener noreferrer".to_owned()),
    ] {
        assert_eq!(link.get_attribute(attribute), Some(value));
    }
    until("the mark is stored", || proxy.sent(&store).len() == 1).await;

    checkout.press("Remove the hash");
    checkout
        .until_shown("only if you have not sent the payment")
        .await;
    checkout.press("Keep it");
    settled().await;
    assert!(checkout.text().contains("Do not send again"));
    checkout.press("Remove the hash");
    settled().await;
    checkout.press("Yes, remove it");
    checkout.until_shown("Send exactly").await;
    until("the mark is removed", || proxy.sent(&remove).len() == 1).await;
    until("it can be cancelled", || {
        checkout.has_button("Cancel payment")
    })
    .await;
    checkout.paste_hash(&"cd".repeat(32));
    checkout.until_shown("Do not send again").await;
}
