//! Test mode: the card says it in every state, and nothing on it can be paid.

use tender_checkout_core::payment_uri::TEST_TEXT;
use tender_protocol::record::map_elements;
use tender_protocol::test_mode::marked;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::window;

use crate::support::checkout::Checkout;
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

fn assert_banner(checkout: &Checkout) {
    let banner = checkout.part("test-mode");
    assert_eq!(banner.text_content().as_deref(), Some(BANNER));
    assert!(is_seen(&banner));
    assert_eq!(checkout.role("note").len(), 1);
    // It is above everything else.
    let others = checkout.all(".form, .payment, .notice");
    let top = |element: &web_sys::Element| element.get_bounding_client_rect().top();
    assert!(!others.is_empty() && others.iter().all(|other| top(other) > top(&banner)));
}

#[wasm_bindgen_test]
async fn the_card_says_it_in_every_state_and_no_attribute_turns_it_off() {
    let proxy = Proxy::new();
    testing(&proxy);
    let attributes = ["test-mode", "testmode", "data-test-mode"].map(|name| (name, "false"));
    let checkout = Checkout::ready(&proxy, &attributes).await;
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
    let paid = &checkout.details_of("tender-paid")[0];
    assert_eq!(paid["payment"]["testMode"], true);
}

/// The address is shown, for the looks of the page, but it is not for use.
#[wasm_bindgen_test]
async fn the_address_can_t_be_selected_and_the_banner_is_in_the_language_of_the_page() {
    let proxy = Proxy::new();
    testing(&proxy);
    let checkout = Checkout::ready(&proxy, &[("payment-token", "btc")]).await;
    checkout.submit(&proxy, test_payment(None)).await;
    let style = |part| {
        let style = window().unwrap().get_computed_style(&checkout.part(part));
        style.unwrap().unwrap()
    };
    assert_eq!(checkout.text_of("wallet"), record::WALLET);
    // All engines know it by this name, and WebKit by no other.
    let select = style("wallet").get_property_value("-webkit-user-select");
    assert_eq!(select.as_deref(), Ok("none"));
    for part in TO_PAY {
        assert!(!checkout.has_part(part), "{part}");
    }
    assert!(!checkout.text().contains("Send only"));
    checkout.until_part("qr").await;
    assert_eq!(checkout.names("image"), ["QR code"]);

    checkout.set("locale", "ar");
    checkout.until_shown("وضع الاختبار").await;
    let direction = style("test-mode").get_property_value("direction");
    assert_eq!(direction.as_deref(), Ok("rtl"));
    checkout.holds_code(TEST_TEXT).await;
}
