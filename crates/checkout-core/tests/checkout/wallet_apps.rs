//! The links to wallets on phones.

use tender_checkout_core::wallet_apps::WALLET_APPS;
use tender_checkout_core::{EvmTransfer, Transfer, TronTransfer};

const PAGE: &str = "https://pay.shop.example/pay?order=eyJ.e_Y-.c&ask=email!%20name";

#[test]
fn each_wallet_opens_the_page_as_its_maker_documents() {
    let links: Vec<_> = WALLET_APPS
        .iter()
        .map(|app| (app.name, app.open(PAGE)))
        .collect();
    let page =
        "https%3A%2F%2Fpay.shop.example%2Fpay%3Forder%3DeyJ.e_Y-.c%26ask%3Demail%21%2520name";
    let request = format!(
        "%7B%22url%22%3A%22{page}%22%2C%22action%22%3A%22open%22%2C%22protocol%22%3A%22TronLink%22%2C%22version%22%3A%221.0%22%7D"
    );
    assert_eq!(
        links,
        [
            (
                "Trust Wallet",
                format!("trust://open_url?coin_id=60&url={page}")
            ),
            (
                "OKX Wallet",
                format!("okx://wallet/dapp/url?dappUrl={page}")
            ),
            (
                "TronLink",
                format!("tronlinkoutside://pull.activity?param={request}")
            ),
        ]
    );
}

#[test]
fn a_wallet_is_offered_for_its_networks_only() {
    let names = |transfer: &Transfer| {
        let able = WALLET_APPS.iter().filter(|app| app.can_pay(transfer));
        able.map(|app| app.name).collect::<Vec<_>>()
    };
    let evm = Transfer::Evm(EvmTransfer {
        chain_id: "0x38".to_owned(),
        to: "0x".to_owned(),
        value: "0x1".to_owned(),
        data: None,
    });
    let tron = Transfer::Tron(TronTransfer {
        to: "T".to_owned(),
        amount: "1".to_owned(),
        contract: None,
    });
    assert_eq!(names(&evm), ["Trust Wallet", "OKX Wallet"]);
    assert_eq!(names(&tron), ["OKX Wallet", "TronLink"]);
}
