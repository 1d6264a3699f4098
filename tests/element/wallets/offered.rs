//! Which wallets are offered, and how.

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use super::{BNB, EVM_PAYEE, awaiting, buttons, until_paid};
use crate::support::checkout::Checkout;
use crate::support::proxy::Proxy;
use crate::support::record;
use crate::support::wait::{settled, until};
use crate::support::wallet::{ICON, Wallet};

#[wasm_bindgen_test]
async fn there_is_no_button_without_a_wallet_or_without_an_address() {
    let proxy = Proxy::new();
    let checkout = awaiting(&proxy, BNB).await;
    assert_eq!(buttons(&checkout), [""; 0]);
    // One that comes later is found all the same.
    let _wallet = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    settled().await;
    assert_eq!(buttons(&checkout), ["Pay with Fox"]);

    for (token, wallet) in [
        ("KXP, BNB Smart Chain", EVM_PAYEE),
        ("Bitcoin, Bitcoin", record::WALLET),
    ] {
        let checkout = awaiting(&proxy, (token, wallet)).await;
        assert_eq!(buttons(&checkout), [""; 0], "{token} {wallet}");
    }
}

#[wasm_bindgen_test]
async fn wallets_are_shown_by_name_and_by_an_icon_that_is_no_request() {
    let proxy = Proxy::new();
    let _wallets = [
        Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON),
        Wallet::evm("0x38", &[]).announced("eip6963", "Owl", "https://owl.example/icon.png"),
        Wallet::evm("0x38", &[]).announced("eip6963", "Elk", "data:image/png,broken"),
        Wallet::evm("0x38", &[]).announced("eip6963", "Gnu\u{202e}<b>", "javascript:alert(1)"),
    ];
    let checkout = awaiting(&proxy, BNB).await;
    assert_eq!(
        buttons(&checkout),
        [
            "Pay with Fox",
            "Pay with Owl",
            "Pay with Elk",
            "Pay with Gnu<b>"
        ]
    );
    // What the browser can't show gives way to the monogram.
    let icons = || checkout.all("[part='pay-with'] img");
    until("the broken icon is gone", || icons().len() == 1).await;
    assert_eq!(icons()[0].get_attribute("src").as_deref(), Some(ICON));
    let monograms = checkout.all("[part='pay-with'] .logo");
    let monograms = monograms
        .iter()
        .map(|logo| logo.get_attribute("data-initial"));
    assert_eq!(
        monograms.collect::<Vec<_>>(),
        ["F", "O", "E", "G"].map(|initial| Some(initial.to_owned()))
    );
}

#[wasm_bindgen_test]
async fn a_wallet_of_before_is_offered_where_none_announces_itself() {
    let proxy = Proxy::new();
    let wallet = Wallet::evm("0x38", &[]).global("ethereum");
    let checkout = awaiting(&proxy, BNB).await;
    checkout.press("Pay with your wallet");
    until_paid(&checkout, &wallet, "https://bscscan.com/tx/").await;

    let _announced = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let checkout = awaiting(&proxy, BNB).await;
    assert_eq!(buttons(&checkout), ["Pay with Fox"]);
}

#[wasm_bindgen_test]
async fn a_shop_can_bring_a_wallet_of_its_own_and_take_it_back() {
    let proxy = Proxy::new();
    let wallet = Wallet::evm("0x38", &[]);
    let checkout = Checkout::create(&proxy, &[]);
    checkout.set_property("provider", wallet.provider());
    checkout.insert();
    checkout.until_ready().await;
    checkout.pay_in(&proxy, BNB, None).await;
    assert!(checkout.property("provider") == wallet.provider());
    assert_eq!(buttons(&checkout), ["Pay with your wallet"]);

    // Taken back, and set again with a name, while the payment is shown.
    checkout.set_property("provider", JsValue::UNDEFINED);
    settled().await;
    assert_eq!(buttons(&checkout), [""; 0]);
    assert!(checkout.property("provider").is_null());
    let name = Function::new_with_args(
        "provider",
        "return { info: { name: 'WalletConnect' }, provider };",
    );
    let named = name.call1(&JsValue::UNDEFINED, &wallet.provider());
    checkout.set_property("provider", named.unwrap());
    settled().await;
    assert_eq!(buttons(&checkout), ["Pay with WalletConnect"]);
    checkout.press("Pay with WalletConnect");
    until_paid(&checkout, &wallet, "https://bscscan.com/tx/").await;
}
