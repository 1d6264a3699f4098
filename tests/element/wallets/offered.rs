//! Which wallets are offered, and how.

use std::cell::Cell;
use std::rc::Rc;

use js_sys::{Function, Object};
use wasm_bindgen::prelude::*;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, window};

use super::{BNB, EVM_PAYEE, TRX, awaiting, buttons, until_paid};
use crate::support::checkout::Checkout;
use crate::support::proxy::Proxy;
use crate::support::wait::{settled, until};
use crate::support::wallet::{ICON, Wallet};
use crate::support::{clock, record};

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

/// Older wallets set their object without telling anyone.
#[wasm_bindgen_test]
async fn a_wallet_that_comes_late_is_offered() {
    let proxy = Proxy::new();
    for (payment, global, is_tron) in [
        (BNB, "ethereum", false),
        (TRX, "tron", true),
        (TRX, "tronLink", true),
    ] {
        let checkout = awaiting(&proxy, payment).await;
        assert_eq!(buttons(&checkout), [""; 0]);
        clock::fire(FIRST_LOOK);
        settled().await;
        let wallet = if is_tron {
            Wallet::tron(global == "tron", true).global(global)
        } else {
            Wallet::evm("0x38", &[]).global(global)
        };
        until("it is looked for again", || {
            clock::held(2.0 * FIRST_LOOK) == 1
        })
        .await;
        clock::fire(2.0 * FIRST_LOOK);
        settled().await;
        assert_eq!(buttons(&checkout), ["Pay with your wallet"], "{global}");
        assert_eq!(clock::held(4.0 * FIRST_LOOK), 0, "it is found");
        checkout.press("Pay with your wallet");
        checkout.until_event("tender-transaction").await;
        drop(wallet);
    }
}

/// Milliseconds until an older wallet is looked for again.
const FIRST_LOOK: f64 = 1_000.0;

/// A change of the page, or another wallet, moves no button and no focus.
#[wasm_bindgen_test]
async fn what_comes_later_changes_nothing_for_the_wallets_before() {
    let proxy = Proxy::new();
    let fox = Wallet::evm("0x38", &[]).announced("eip6963", "Fox", ICON);
    let checkout = awaiting(&proxy, BNB).await;
    let button = checkout.named("button", "Pay with Fox");
    let button: HtmlElement = button.dyn_into().unwrap();
    button.focus().unwrap();
    let confirm = fox.hesitates_at(|method| method == "eth_sendTransaction");
    checkout.press("Pay with Fox");
    until("it is asked", || fox.count("eth_sendTransaction") == 1).await;
    let requests = Rc::new(Cell::new(0));
    let heard = Rc::clone(&requests);
    let listener = Closure::<dyn FnMut()>::new(move || heard.set(heard.get() + 1));
    let (window, event) = (window().unwrap(), "eip6963:requestProvider");
    let listener = listener.as_ref().unchecked_ref();
    window
        .add_event_listener_with_callback(event, listener)
        .unwrap();
    checkout.element.set_attribute("theme", "dark").unwrap();
    let owl = Wallet::evm("0x38", &[]).announced("eip6963", "Owl", ICON);
    settled().await;
    assert_eq!(buttons(&checkout), ["Pay with Fox", "Pay with Owl"]);
    assert_eq!(requests.get(), 0, "no list is made again");
    window
        .remove_event_listener_with_callback(event, listener)
        .unwrap();
    assert!(Object::is(&checkout.focused().unwrap(), &button));
    let now = checkout.named("button", "Pay with Fox");
    assert!(Object::is(&now, &button), "it is the same button");
    confirm.call0(&JsValue::UNDEFINED).unwrap();
    until_paid(&checkout, &fox, "https://bscscan.com/tx/").await;
    assert!(owl.asked().is_empty());
}

/// A wallet that was found as a global object, and announces itself later.
#[wasm_bindgen_test]
async fn a_wallet_that_announces_itself_late_gets_its_name() {
    let proxy = Proxy::new();
    let fox = Wallet::evm("0x38", &[]).global("ethereum");
    let checkout = awaiting(&proxy, BNB).await;
    assert_eq!(buttons(&checkout), ["Pay with your wallet"]);
    let fox = fox.announced("eip6963", "Fox", ICON);
    settled().await;
    assert_eq!(buttons(&checkout), ["Pay with Fox"]);
    checkout.press("Pay with Fox");
    until_paid(&checkout, &fox, "https://bscscan.com/tx/").await;
}
