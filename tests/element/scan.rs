//! The QR code, the switch that adds the amount, and the link to a wallet app.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlInputElement};

use crate::support::accessibility::name;
use crate::support::checkout::Checkout;
use crate::support::proxy::Proxy;
use crate::support::record;
use crate::support::wait::settled;

const EVM_PAYEE: &str = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const TRON_PAYEE: &str = "TJRabPrwbZy45sbavfcjinPJC18kjpRTv8";
const USDT_ON_ETHEREUM: &str = "Tether USD, Ethereum";
const BITCOIN_URI: &str = "bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=48.50000001";
const BNB_URI: &str =
    "ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed@56?value=48500000010000000000";

/// A checkout with a payment of 48.50000001 of a token.
async fn awaiting(proxy: &Proxy, token: &str, wallet: &str) -> Checkout {
    let checkout = Checkout::ready(proxy, &[]).await;
    checkout.pay_in(proxy, (token, wallet), None).await;
    checkout
}

fn switch(checkout: &Checkout) -> HtmlInputElement {
    checkout.named("switch", "With amount").unchecked_into()
}

/// Asserts the content of the code, and that the link has the same URI, if it is one.
async fn holds(checkout: &Checkout, text: &str) {
    checkout.holds_code(text).await;
    let link = checkout.parts("open-wallet").pop();
    if text.contains(':') {
        let link = link.unwrap();
        assert_eq!(link.get_attribute("href").as_deref(), Some(text));
        assert_eq!(name(&link), "Open in wallet app");
    } else {
        assert!(link.is_none(), "an address alone is no link");
    }
}

/// Asserts the name of the code, which describes its content.
fn is_named(checkout: &Checkout, name: &str) {
    assert_eq!(checkout.names("image"), [name]);
}

#[wasm_bindgen_test]
async fn bitcoin_s_code_holds_the_amount_at_once() {
    let proxy = Proxy::new();
    let checkout = awaiting(&proxy, "Bitcoin, Bitcoin", record::WALLET).await;
    holds(&checkout, BITCOIN_URI).await;
    is_named(
        &checkout,
        "QR code: the wallet address on Bitcoin, and the amount",
    );
    assert!(switch(&checkout).checked());

    switch(&checkout).click();
    settled().await;
    holds(&checkout, record::WALLET).await;
    is_named(&checkout, "QR code: the wallet address on Bitcoin");
    assert!(checkout.role("alert").is_empty());
}

#[wasm_bindgen_test]
async fn a_code_for_bnb_holds_the_amount_only_when_asked_and_with_a_caution() {
    let proxy = Proxy::new();
    let checkout = awaiting(&proxy, "BNB, BNB Smart Chain", EVM_PAYEE).await;
    let without = checkout.lines();
    holds(&checkout, EVM_PAYEE).await;
    let network = "BNB Smart Chain (BEP20)";
    let code = format!("QR code: the wallet address on {network}");
    is_named(&checkout, &code);
    assert!(!switch(&checkout).checked());
    assert!(checkout.role("alert").is_empty());

    switch(&checkout).focus().unwrap();
    switch(&checkout).click();
    settled().await;
    holds(&checkout, BNB_URI).await;
    let focused = checkout.focused().unwrap();
    assert_eq!(name(&focused), "With amount", "the switch keeps the focus");
    is_named(&checkout, &format!("{code}, and the amount"));
    let caution = checkout.alert();
    for part in ["ignore the network", "48.50000001 BNB", network] {
        assert!(caution.contains(part), "{part}: {caution}");
    }

    switch(&checkout).click();
    settled().await;
    holds(&checkout, EVM_PAYEE).await;
    assert_eq!(checkout.lines(), without);

    // The caution ends with the request for money.
    switch(&checkout).click();
    settled().await;
    checkout.paste_hash(&format!("0x{}", "ab".repeat(32)));
    settled().await;
    assert!(!checkout.has_part("scan") && checkout.role("alert").is_empty());
}

#[wasm_bindgen_test]
async fn the_code_of_a_token_or_on_tron_holds_the_address_in_every_language_and_has_no_switch() {
    let proxy = Proxy::new();
    for (token, network, payee) in [
        ("TRON, TRON", "TRON", TRON_PAYEE),
        ("Tether USD, TRON", "TRON (TRC20)", TRON_PAYEE),
        (USDT_ON_ETHEREUM, "Ethereum (ERC20)", EVM_PAYEE),
    ] {
        let checkout = awaiting(&proxy, token, payee).await;
        holds(&checkout, payee).await;
        let name = format!("QR code: the wallet address on {network}");
        is_named(&checkout, &name);
        assert!(checkout.role("switch").is_empty());
        assert!(!checkout.has_part("open-wallet"));

        checkout.set("locale", "ar");
        checkout.until_shown("امسح الرمز بتطبيق محفظتك").await;
        holds(&checkout, payee).await;
        let image = checkout.names("image").remove(0);
        assert!(image != name && image.contains(network), "{image}");
    }
}

#[wasm_bindgen_test]
async fn what_is_no_address_of_the_network_has_no_code() {
    let proxy = Proxy::new();
    for (token, wallet) in [
        ("KXP, BNB Smart Chain", "the wallet"),
        ("KXP, BNB Smart Chain", EVM_PAYEE),
    ] {
        let checkout = awaiting(&proxy, token, wallet).await;
        for part in ["scan", "qr", "with-amount", "open-wallet"] {
            assert!(!checkout.has_part(part), "{part} of {token} {wallet}");
        }
        assert_eq!(checkout.text_of("wallet"), wallet);
    }
}

#[wasm_bindgen_test]
async fn the_code_fits_into_a_narrow_page_and_is_large_in_a_wide_one() {
    fn size(element: &Element) -> (f64, f64) {
        let rect = element.get_bounding_client_rect();
        (rect.width(), rect.height())
    }
    let proxy = Proxy::new();
    let checkout = awaiting(&proxy, "BNB, BNB Smart Chain", EVM_PAYEE).await;
    checkout.until_part("qr").await;
    for (page, least) in [(200, 100.0), (288, 190.0), (448, 190.0)] {
        checkout.set("style", &format!("inline-size: {page}px"));
        for with_amount in [true, false] {
            switch(&checkout).click();
            settled().await;
            let card = checkout.part("card");
            assert_eq!(card.scroll_width(), card.client_width(), "{page}: cut");
            let (width, height) = size(&checkout.part("qr"));
            assert!((width - height).abs() < 0.5, "{width} x {height}");
            assert!(width >= least, "{page}: {width}");
            let mut targets = vec![checkout.part("with-amount")];
            targets.extend(with_amount.then(|| checkout.part("open-wallet")));
            for target in targets {
                let (width, height) = size(&target);
                assert!(width >= 44.0 && height >= 44.0, "{width} x {height}");
            }
        }
    }
}
