//! Links that open the payment in the browser of a wallet on a phone.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{BNB, USDT_ON_TRON};
use crate::support::checkout::{Checkout, signed};
use crate::support::page;
use crate::support::proxy::Proxy;
use crate::support::record;
use crate::support::wait::{settled, until};
use crate::support::wallet::{ICON, Wallet};

/// A signed order.
fn order() -> String {
    signed(&json!({ "token": "usdtt", "quantity": "48.5", "invoiceNumber": "INV-7" }))
}

/// A payment of this order, inside of whose element the shop has put this link.
async fn with_link(order: &str, link: &str, payment: (&str, &str)) -> Checkout {
    let proxy = Proxy::new();
    let checkout = Checkout::bare(&[("proxy", proxy.address()), ("order", order)]);
    let fallback = page::document().create_element("a").unwrap();
    fallback.set_attribute("href", link).unwrap();
    checkout.element.append_child(&fallback).unwrap();
    checkout.insert();
    checkout.until_ready().await;
    checkout.pay_in(&proxy, payment, None).await;
    checkout
}

/// The names of the wallets, and the schemes of their links.
fn apps(checkout: &Checkout) -> Vec<String> {
    let links = checkout.parts("open-in-wallet");
    let read = links.iter().map(|link| {
        let href = link.get_attribute("href").unwrap();
        let scheme = href.split_once(':').unwrap().0;
        format!("{}: {scheme}", link.text_content().unwrap())
    });
    read.collect()
}

/// Where the proxy has no payment page, the shop has no link to it.
#[wasm_bindgen_test]
async fn an_order_with_a_link_to_its_payment_page_is_opened_in_the_wallets_of_its_network() {
    let order = order();
    let own = format!("https://pay.shop.example/pay?order={order}");
    for (payment, link, expected) in [
        (
            USDT_ON_TRON,
            own.as_str(),
            &["OKX Wallet: okx", "TronLink: tronlinkoutside"][..],
        ),
        (BNB, &own, &["Trust Wallet: trust", "OKX Wallet: okx"]),
        (("Bitcoin, Bitcoin", record::WALLET), &own, &[]),
        (USDT_ON_TRON, "/checkout/other", &[]),
        (
            USDT_ON_TRON,
            "https://pay.shop.example/pay?order=a.b.c",
            &[],
        ),
    ] {
        let checkout = with_link(&order, link, payment).await;
        assert_eq!(apps(&checkout), expected, "{} {link}", payment.0);
    }
}

/// In the browser of a wallet.
#[wasm_bindgen_test]
async fn a_wallet_in_this_browser_takes_their_place() {
    let order = order();
    let checkout = with_link(&order, &format!("/pay?order={order}"), BNB).await;
    assert_eq!(apps(&checkout).len(), 2);
    let _wallet = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    until("its button is shown", || checkout.has_part("pay-with")).await;
    settled().await;
    assert_eq!(apps(&checkout), [""; 0]);
}
