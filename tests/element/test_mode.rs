//! Test mode: the card says it in every state, and nothing on it can be paid.

use tender_checkout_core::payment_uri::TEST_TEXT;
use tender_protocol::record::map_elements;
use tender_protocol::test_mode::marked;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{HtmlElement, window};

use crate::support::camera;
use crate::support::checkout::Checkout;
use crate::support::clipboard;
use crate::support::mounted::is_seen;
use crate::support::proxy::{CREATE, Proxy, Reply, TOKENS};
use crate::support::record;
use crate::support::wait::settled;

const BANNER: &str = "Test mode: no real money. Don't send any.";

/// What only a payment of real money has.
const TO_PAY: [&str; 4] = ["wallets", "pay-with", "with-amount", "open-wallet"];

/// Lists the tokens in test mode.
fn testing(proxy: &Proxy) {
    let listing = map_elements(record::listing(), |token| marked(token, true)).unwrap();
    proxy.reply(TOKENS, Reply::ok(listing));
}

fn test_payment(receipt: Option<&str>) -> String {
    marked(&record::payment(receipt), true)
}

/// A checkout in test mode that offers tokens.
async fn ready(proxy: &Proxy, more: &[(&str, &str)]) -> Checkout {
    testing(proxy);
    Checkout::ready(proxy, more).await
}

/// A checkout in test mode with a payment.
async fn awaiting(proxy: &Proxy, token: &str, receipt: Option<&str>) -> Checkout {
    let checkout = ready(proxy, &[]).await;
    checkout.choose(token);
    checkout.submit(proxy, test_payment(receipt)).await;
    checkout
}

fn assert_banner(checkout: &Checkout) {
    let banner = checkout.part("test-mode");
    assert_eq!(banner.text_content().as_deref(), Some(BANNER));
    assert!(is_seen(&banner));
    let notes = checkout.role("note");
    assert_eq!(notes.len(), 1);
    // It is above everything else.
    let others = checkout.all(".form, .payment, .notice");
    let top = |element: &web_sys::Element| element.get_bounding_client_rect().top();
    assert!(!others.is_empty() && others.iter().all(|other| top(other) > top(&banner)));
}

#[wasm_bindgen_test]
async fn the_card_says_it_in_every_state() {
    let proxy = Proxy::new();
    let checkout = ready(&proxy, &[]).await;
    assert_banner(&checkout);
    checkout.choose("Bitcoin, Bitcoin");
    proxy.reply(CREATE, Reply::problem(503, "service-unreachable"));
    checkout.pay();
    checkout.until_part("retry").await;
    assert_banner(&checkout);
    proxy.reply(CREATE, Reply::ok(test_payment(Some("receipt-7"))));
    checkout.press("Try again");
    checkout.until_part("amount").await;
    assert_banner(&checkout);
    let paid = record::with_state("Paid", "paid");
    checkout.fetch(&proxy, marked(&paid, true));
    checkout.until_event("tender-paid").await;
    settled().await;
    assert_banner(&checkout);
    assert_eq!(
        checkout.details_of("tender-paid")[0]["payment"]["testMode"],
        true
    );
}

#[wasm_bindgen_test]
async fn a_payment_of_real_money_has_no_banner() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    assert!(!checkout.has_part("test-mode"));
    checkout.choose("Bitcoin, Bitcoin");
    checkout.submit(&proxy, record::payment(None)).await;
    assert!(!checkout.has_part("test-mode"));
    assert!(checkout.text().contains("Send only BTC"));
}

#[wasm_bindgen_test]
async fn the_code_and_the_clipboard_hold_a_text_that_no_wallet_can_pay() {
    for token in [
        "Bitcoin, Bitcoin",
        "BNB, BNB Smart Chain",
        "KXP, BNB Smart Chain",
    ] {
        let proxy = Proxy::new();
        let checkout = awaiting(&proxy, token, None).await;
        checkout.until_part("qr").await;
        assert_eq!(camera::read(&checkout.part("qr")).await, TEST_TEXT);
        assert_eq!(checkout.names("image"), ["QR code"]);
        let network = match token {
            "BNB, BNB Smart Chain" => "BNB Smart Chain (BEP20)",
            _ => token.split_once(", ").unwrap().1,
        };
        checkout.press(&format!("Copy wallet address on {network}"));
        settled().await;
        assert_eq!(clipboard::take().as_deref(), Some(TEST_TEXT));
        for part in TO_PAY {
            assert!(!checkout.has_part(part), "{part} of {token}");
        }
        assert!(!checkout.text().contains("Send only"));
        checkout.press("Copy amount");
        settled().await;
        assert_eq!(clipboard::take().as_deref(), Some("0.00012345"));
    }
}

/// The address is shown, for the looks of the page, but it is not for use.
#[wasm_bindgen_test]
async fn the_address_can_t_be_selected() {
    let proxy = Proxy::new();
    let checkout = awaiting(&proxy, "Bitcoin, Bitcoin", None).await;
    let wallet: HtmlElement = checkout.part("wallet").unchecked_into();
    assert_eq!(wallet.text_content().as_deref(), Some(record::WALLET));
    // All engines know it by this name, and WebKit by no other.
    let style = window().unwrap().get_computed_style(&wallet).unwrap();
    let select = style.unwrap().get_property_value("-webkit-user-select");
    assert_eq!(select.as_deref(), Ok("none"));
}

#[wasm_bindgen_test]
async fn no_attribute_of_the_page_turns_it_off() {
    let proxy = Proxy::new();
    let attributes = [
        ("test-mode", "false"),
        ("testmode", "false"),
        ("data-test-mode", "false"),
    ];
    let checkout = ready(&proxy, &attributes).await;
    assert_banner(&checkout);
}

#[wasm_bindgen_test]
async fn it_is_said_in_the_language_of_the_page() {
    let proxy = Proxy::new();
    let checkout = awaiting(&proxy, "Bitcoin, Bitcoin", None).await;
    checkout.set("locale", "ar");
    checkout.until_shown("وضع الاختبار").await;
    let banner = checkout.part("test-mode");
    let style = window().unwrap().get_computed_style(&banner).unwrap();
    let direction = style.unwrap().get_property_value("direction");
    assert_eq!(direction.as_deref(), Ok("rtl"));
    checkout.until_part("qr").await;
    assert_eq!(camera::read(&checkout.part("qr")).await, TEST_TEXT);
}
