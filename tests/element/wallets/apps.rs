//! Links that open the payment in the browser of a wallet on a phone.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{BNB, USDT_ON_TRON};
use crate::attributes::signed;
use crate::support::checkout::Checkout;
use crate::support::page;
use crate::support::proxy::Proxy;
use crate::support::record;
use crate::support::wait::{settled, until};
use crate::support::wallet::{ICON, Wallet};

/// A checkout with a signed order, inside of which the shop has put this link.
async fn with_link(proxy: &Proxy, order: &str, link: &str) -> Checkout {
    let checkout = Checkout::bare(&[("proxy", proxy.address()), ("order", order)]);
    let fallback = page::document().create_element("a").unwrap();
    fallback.set_attribute("href", link).unwrap();
    checkout.element.append_child(&fallback).unwrap();
    checkout.insert();
    checkout.until_ready().await;
    checkout
}

/// The names of the wallets, and the beginning of their links.
fn apps(checkout: &Checkout) -> Vec<(String, String)> {
    let links = checkout.parts("open-in-wallet");
    let read = links.iter().map(|link| {
        let href = link.get_attribute("href").unwrap();
        let scheme = href.split_once(':').unwrap().0.to_owned();
        (link.text_content().unwrap(), scheme)
    });
    read.collect()
}

fn named(apps: &[(&str, &str)]) -> Vec<(String, String)> {
    let owned = apps.iter();
    owned
        .map(|(name, scheme)| ((*name).to_owned(), (*scheme).to_owned()))
        .collect()
}

#[wasm_bindgen_test]
async fn a_signed_order_is_opened_in_the_wallets_of_its_network() {
    let order = signed(&json!({ "token": "usdtt", "quantity": "48.5", "invoiceNumber": "INV-7" }));
    let link = format!("https://pay.shop.example/pay?order={order}");
    for (token, expected) in [
        (
            USDT_ON_TRON,
            named(&[("OKX Wallet", "okx"), ("TronLink", "tronlinkoutside")]),
        ),
        (
            BNB,
            named(&[("Trust Wallet", "trust"), ("OKX Wallet", "okx")]),
        ),
        (("Bitcoin, Bitcoin", record::WALLET), named(&[])),
    ] {
        let proxy = Proxy::new();
        let checkout = with_link(&proxy, &order, &link).await;
        checkout.pay_in(&proxy, token.0, token.1).await;
        assert_eq!(apps(&checkout), expected, "{}", token.0);
    }
}

/// Where the proxy has no payment page, the shop has no link to it.
#[wasm_bindgen_test]
async fn without_a_link_to_the_order_s_payment_page_no_wallet_is_opened() {
    let order = signed(&json!({ "token": "usdtt", "quantity": "48.5", "invoiceNumber": "INV-7" }));
    for link in [
        "/checkout/other",
        "https://pay.shop.example/pay?order=a.b.c",
    ] {
        let proxy = Proxy::new();
        let checkout = with_link(&proxy, &order, link).await;
        checkout
            .pay_in(&proxy, USDT_ON_TRON.0, USDT_ON_TRON.1)
            .await;
        assert_eq!(apps(&checkout), named(&[]), "{link}");
    }
}

/// In the browser of a wallet.
#[wasm_bindgen_test]
async fn a_wallet_in_this_browser_takes_their_place() {
    let order = signed(&json!({ "token": "usdtt", "quantity": "48.5", "invoiceNumber": "INV-7" }));
    let proxy = Proxy::new();
    let checkout = with_link(&proxy, &order, &format!("/pay?order={order}")).await;
    checkout.pay_in(&proxy, BNB.0, BNB.1).await;
    assert_eq!(apps(&checkout).len(), 2);
    let _wallet = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    until("its button is shown", || checkout.has_part("pay-with")).await;
    settled().await;
    assert_eq!(apps(&checkout), named(&[]));
}
