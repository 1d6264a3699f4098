//! Paying with a browser wallet, on real local blockchains: the exact amount arrives.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::{Value, json};

use crate::support::{Browser, Chain, Checkout, Scenery, Stage, named};

/// The contract of USDT on Ethereum. The chains are local, so a token can be deployed there.
const USDT: &str = "0xdAC17F958D2ee523a2206206994597C13D831ec7";

const BNB: &str = "BNB, BNB Smart Chain";
const USDT_ON_ETHEREUM: &str = "Tether USD, Ethereum";
const BUTTON: &str = "Pay with Local";

/// A checkout that shows a payment of 48.50 USDT in this token, in a browser whose wallet supports `chains` by their
/// ids and is on the first one.
async fn awaiting<'a>(stage: &'a Stage, chains: &[(&str, &Chain)], token: &str) -> Checkout<'a> {
    let nodes: BTreeMap<_, _> = chains.iter().map(|(id, chain)| (id, &chain.url)).collect();
    let wallet = include_str!("support/wallet.js").trim_end();
    let wallet = format!("{wallet}({}, {})", json!(nodes), json!(chains[0].0));
    stage.browser.install(&wallet).await;
    stage.pay(token, Scenery::default()).await
}

/// An Ethereum chain, and the wallet's account there, which has 100 USDT.
async fn with_usdt() -> (Chain, String) {
    let ethereum = Chain::start(1);
    let holder = ethereum.account().await;
    ethereum.put_token(USDT, &holder, 100_000_000).await;
    (ethereum, holder)
}

/// The hash that the wallet returned, and the link to its transaction.
async fn sent(browser: &Browser) -> (String, Value) {
    let event = browser.event("tender-transaction").await.detail;
    (
        event["hash"].as_str().unwrap().to_owned(),
        event["url"].clone(),
    )
}

/// The events and the text after the payment.
async fn is_paid(browser: &Browser, checkout: &Checkout<'_>, chain: &Chain, explorer: &str) {
    let (hash, url) = sent(browser).await;
    let receipt = chain.call("eth_getTransactionReceipt", json!([hash])).await;
    assert_eq!(receipt["status"], "0x1", "{receipt}");
    assert_eq!(url, format!("{explorer}{hash}"));
    let link = format!("[part~=explorer][href='{explorer}{hash}']");
    checkout.is_there(&link).await;
    assert!(checkout.parts("pay-with").await.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn bnb_arrives_to_the_last_wei() {
    let stage = Stage::open("en").await;
    let (ethereum, bnb) = (Chain::start(1), Chain::start(56));
    let chains = [("0x1", &ethereum), ("0x38", &bnb)];
    let checkout = awaiting(&stage, &chains, BNB).await;
    let payee = stage.servers.only_payment().wallet;
    assert_eq!(checkout.amount().await, "0.07919661");

    checkout.press(BUTTON).await;
    is_paid(&stage.browser, &checkout, &bnb, "https://bscscan.com/tx/").await;
    assert_eq!(bnb.balance(&payee).await, 79_196_610_000_000_000);
    assert_eq!(ethereum.balance(&payee).await, 0);
    let sends: u32 = stage.browser.run("return wallet.sends", []).await;
    assert_eq!(sends, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn usdt_on_ethereum_arrives_to_the_last_unit() {
    let stage = Stage::open("en").await;
    let (ethereum, holder) = with_usdt().await;
    let chains = [("0x1", &ethereum)];
    let checkout = awaiting(&stage, &chains, USDT_ON_ETHEREUM).await;
    let payee = stage.servers.only_payment().wallet;

    checkout.press(BUTTON).await;
    let explorer = "https://etherscan.io/tx/";
    is_paid(&stage.browser, &checkout, &ethereum, explorer).await;
    assert_eq!(ethereum.token_balance(USDT, &payee).await, 48_500_000);
    assert_eq!(ethereum.token_balance(USDT, &holder).await, 51_500_000);
    assert_eq!(ethereum.balance(&payee).await, 0);
}

/// Its contract refuses the transfer, because the account's tokens have gone elsewhere meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn a_reverted_transaction_can_be_paid_again() {
    let stage = Stage::open("en").await;
    let (ethereum, holder) = with_usdt().await;
    let chains = [("0x1", &ethereum)];
    let checkout = awaiting(&stage, &chains, USDT_ON_ETHEREUM).await;
    ethereum.stop_mining().await;
    checkout.press(BUTTON).await;
    let (hash, _) = sent(&stage.browser).await;
    ethereum.put_token(USDT, &holder, 0).await;
    ethereum.mine().await;
    let receipt = ethereum
        .call("eth_getTransactionReceipt", json!([hash]))
        .await;
    assert_eq!(receipt["status"], "0x0", "{receipt}");
    checkout
        .reads("Nothing was paid: the transaction failed")
        .await;
    assert_eq!(checkout.parts("pay-with").await.unwrap().len(), 1);
}

/// What is not in a block may still arrive.
#[tokio::test(flavor = "multi_thread")]
async fn a_dropped_or_replaced_transaction_is_not_paid_again() {
    for is_replaced in [false, true] {
        let stage = Stage::open("en").await;
        let bnb = Chain::start(56);
        let checkout = awaiting(&stage, &[("0x38", &bnb)], BNB).await;
        bnb.stop_mining().await;
        checkout.press(BUTTON).await;
        let (hash, _) = sent(&stage.browser).await;
        if is_replaced {
            let account = bnb.account().await;
            let nonce = bnb
                .call("eth_getTransactionCount", json!([account, "latest"]))
                .await;
            let other = json!([{
                "from": account, "to": account, "nonce": nonce, "gas": "0x5208",
                "gasPrice": "0x174876e800",
            }]);
            bnb.call("eth_sendTransaction", other).await;
        } else {
            bnb.call("anvil_dropTransaction", json!([hash])).await;
        }
        bnb.mine().await;
        let is_read = "return wallet.receipts > 1";
        stage.browser.sees("the receipt", is_read, []).await;
        assert!(checkout.text().await.contains("Do not send again"));
        assert!(checkout.parts("pay-with").await.unwrap().is_empty());
    }
}

/// The real provider of `WalletConnect` with a wallet at its other end: only the relay between them is replaced. What the wallet
/// rejects can be paid, and each press asks it once.
#[tokio::test(flavor = "multi_thread")]
async fn walletconnect_rejects_and_pays() {
    let stage = Stage::open("en").await;
    let bnb = Chain::start(56);
    let (relay, library) = (include_str!("support/walletconnect.js"), walletconnect());
    let relay = format!("{}({}, 56)", relay.trim_end(), json!(bnb.url));
    // In one script, as the library takes `WebSocket` when it is evaluated.
    stage.browser.install(&format!("{relay};{library}")).await;
    let checkout = stage.pay(BNB, Scenery::default()).await;
    let payee = stage.servers.only_payment().wallet;
    let chain: Value = stage.browser.run("return wallet.connect()", []).await;
    assert_eq!(chain, 56, "a number, unlike other wallets");

    let mut asked = Vec::new();
    for rejection in [
        json!({ "code": 5000, "message": "User rejected." }),
        json!({ "code": 5002, "message": "User rejected methods." }),
        json!({ "code": -32000, "message": "rejectedByUser" }),
        Value::Null,
    ] {
        let is_paid = rejection.is_null();
        let rejects = "wallet.rejection = arguments[0]";
        let () = stage.browser.run(rejects, [rejection]).await;
        checkout.press("Pay with WalletConnect").await;
        asked.push("eth_sendTransaction");
        let is_asked = "return JSON.stringify(wallet.asked) === JSON.stringify(arguments[0])";
        let asked = json!(asked);
        stage.browser.sees("the request", is_asked, [asked]).await;
        if !is_paid {
            checkout.part("pay-with").await;
            assert_eq!(bnb.balance(&payee).await, 0);
        }
    }
    self::is_paid(&stage.browser, &checkout, &bnb, "https://bscscan.com/tx/").await;
    assert_eq!(bnb.balance(&payee).await, 79_196_610_000_000_000);
    let all: Value = stage.browser.run("return wallet.asked", []).await;
    assert_eq!(all, json!(asked));
}

/// The script of `WalletConnect`'s provider.
fn walletconnect() -> String {
    let file = Path::new(&named("WALLETCONNECT")).join("universal-provider/dist/index.umd.js");
    std::fs::read_to_string(file).unwrap()
}
