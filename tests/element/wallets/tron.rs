//! Paying on TRON.

use js_sys::JSON;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{TRON_PAYEE, TRX, USDT_ON_TRON, awaiting, until_paid};
use crate::support::proxy::Proxy;
use crate::support::wait::{settled, until};
use crate::support::wallet::{ICON, Wallet};

/// Whatever the broadcast answers, the signed transaction is known.
#[wasm_bindgen_test]
async fn trx_is_paid_in_sun_and_the_signed_transaction_is_kept() {
    let refused = JSON::parse(r#"{ "result": false, "code": "SERVER_BUSY" }"#).unwrap();
    for answer in [JsValue::UNDEFINED, "lost".into(), refused] {
        let proxy = Proxy::new();
        let wallet = Wallet::tron(true, true).announced("TIP6963", "TronLink", ICON);
        wallet.set("sent", &answer);
        let checkout = awaiting(&proxy, TRX).await;
        checkout.press("Pay with TronLink");
        until_paid(&checkout, &wallet, "https://tronscan.org/#/transaction/").await;
        let account = "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC";
        assert_eq!(wallet.asked()[0], json!(["eth_requestAccounts"]));
        assert_eq!(
            wallet.asked()[1],
            json!(["sendTrx", TRON_PAYEE, "48500001", account])
        );
        assert_eq!(wallet.count("sendRawTransaction"), 1);
    }
}

#[wasm_bindgen_test]
async fn usdt_on_tron_is_a_call_of_its_contract() {
    let proxy = Proxy::new();
    for (wallet, connect) in [
        (
            Wallet::tron(true, true).global("tron"),
            "eth_requestAccounts",
        ),
        (
            Wallet::tron(false, true).global("tronLink"),
            "tron_requestAccounts",
        ),
    ] {
        let checkout = awaiting(&proxy, USDT_ON_TRON).await;
        checkout.press("Pay with your wallet");
        until_paid(&checkout, &wallet, "https://tronscan.org/#/transaction/").await;
        let parameters = json!([
            { "type": "address", "value": TRON_PAYEE },
            { "type": "uint256", "value": "48500001" },
        ]);
        let call = json!([
            "triggerSmartContract",
            "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t",
            "transfer(address,uint256)",
            { "feeLimit": 100_000_000, "callValue": 0 },
            parameters,
            "TMVQGm1qAQYVdetCeGRRkTWYYrLXuHK2HC",
        ]);
        assert_eq!(wallet.asked()[..2], [json!([connect]), call]);
    }
}

/// On a test network, and where the transaction can't be built.
#[wasm_bindgen_test]
async fn what_tronlink_can_not_pay_is_not_signed() {
    let refusal =
        "Contract validate error : Validate TransferContract error, balance is not sufficient.";
    for (main, refuses, said, built) in [
        (false, "", "Choose TRON in it", 0),
        (true, refusal, "Your wallet can't make this payment", 1),
    ] {
        let proxy = Proxy::new();
        let wallet = Wallet::tron(true, main).announced("TIP6963", "TronLink", ICON);
        wallet.set("refuses", &refuses.into());
        let checkout = awaiting(&proxy, TRX).await;
        checkout.press("Pay with TronLink");
        checkout.until_shown(said).await;
        assert_eq!(wallet.count("sendTrx"), built, "{said}");
        assert_eq!(wallet.asked().len(), 1 + built, "{said}");
    }
}

#[wasm_bindgen_test]
async fn declining_in_tronlink_is_no_failure_either() {
    let proxy = Proxy::new();
    let checkouts = [
        (true, "eth_requestAccounts", "throw { code: 4001 };"),
        (true, "sign", "throw 'Confirmation declined by user';"),
        (
            true,
            "sign",
            "throw { code: 4001, message: 'User rejected' };",
        ),
        (false, "tron_requestAccounts", "return { code: 4001 };"),
        (false, "sign", "throw 'cancle';"),
    ];
    for (current, question, no) in checkouts {
        let wallet = Wallet::tron(current, true).global("tronLink");
        let checkout = awaiting(&proxy, TRX).await;
        let before = checkout.lines();
        wallet.answers(&format!("if (method === {question:?}) {{ {no} }}"));
        checkout.press("Pay with your wallet");
        until("it is asked", || wallet.count(question) == 1).await;
        settled().await;
        assert_eq!(checkout.lines(), before, "{question} {no}");
        assert_eq!(wallet.count("sendRawTransaction"), 0);
    }
}
