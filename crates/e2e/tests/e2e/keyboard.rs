//! Everything works with the keyboard alone: real key presses, and the focus moves where the user expects it.

mod dialogs;
mod payments;

use tender_sandbox::Endpoint;
use thirtyfour::Key;

use crate::support::{
    Browser, Checkout, Engine, Focus, Role, Scenery, Servers, Stage, State, until,
};

/// A buyer in the shop. Only Chromium lets a test read the clipboard.
pub(crate) async fn buys_cancels_and_chooses_again(
    engine: Engine,
    browser: &Browser,
    servers: &Servers,
) {
    let checkout = browser.visit(&servers.shop_page("/")).await;
    checkout.is_choosing().await;

    // From the top of the page to the token choice, where arrow keys choose.
    assert_eq!(browser.focus().await, None);
    browser.tab_to(&radio("Tether USD, TRON")).await;
    browser.press_to(Key::Tab, &button("Pay")).await;
    browser.press(Key::Enter).await;
    assert_eq!(checkout.alert().await, "Choose what to pay with.");
    browser.has_focus(&radio("Tether USD, TRON")).await;
    let steps = [
        (Key::Down, radio("Tether USD, Ethereum")),
        (Key::Down, radio("Bitcoin, Bitcoin")),
    ];
    browser.press_each(&steps).await;
    browser.press(Key::Down).await;
    let steps = [
        (Key::Up, radio("Bitcoin, Bitcoin")),
        (Key::Tab, button("Pay in BTC on Bitcoin")),
    ];
    browser.press_each(&steps).await;
    browser.press(Key::Enter).await;

    // The payment, from its heading: both values can be copied.
    browser.has_focus(&heading("Payment")).await;
    let payment = servers.only_payment();
    for (name, key, value) in [
        ("Copy amount", Key::Enter, payment.quantity_pay.to_string()),
        ("Copy wallet address on Bitcoin", Key::Space, payment.wallet),
    ] {
        browser.tab_to(&button(name)).await;
        browser.press(key).await;
        if engine == Engine::Chromium {
            browser.has_in_clipboard(&value).await;
        }
        browser.has_focus(&button(name)).await;
    }

    // "Use another token", then back.
    browser.tab_to(&button("Use another token")).await;
    browser
        .press_to(Key::Enter, &radio("Bitcoin, Bitcoin"))
        .await;
    browser.press_shift_tab().await;
    browser.has_focus(&button("Back to the payment")).await;
    browser.press_to(Key::Enter, &heading("Payment")).await;

    // "Cancel payment", then "Keep it", then cancel.
    browser.tab_to(&button("Cancel payment")).await;
    let steps = [
        (Key::Enter, button("Keep it")),
        (Key::Space, button("Cancel payment")),
        (Key::Space, button("Keep it")),
        (Key::Tab, button("Yes, cancel")),
        (Key::Enter, heading("Payment cancelled")),
    ];
    browser.press_each(&steps).await;

    // The choice is as it was; Enter on a token submits.
    let steps = [
        (Key::Tab, button("Copy details for the shop")),
        (Key::Tab, button("Start a new payment")),
        (Key::Tab, Focus::on("link", "Back to the shop")),
    ];
    browser.press_each(&steps).await;
    browser.press_shift_tab().await;
    let steps = [
        (Key::Enter, radio("Bitcoin, Bitcoin")),
        (Key::Up, radio("Tether USD, Ethereum")),
        (Key::Enter, heading("Payment")),
    ];
    browser.press_each(&steps).await;
    assert_eq!(servers.payments().len(), 2);
}

/// After a failure the focus moves to the retry button, and then to the result.
#[tokio::test(flavor = "multi_thread")]
async fn a_failure_does_not_lose_the_focus() {
    let stage = Stage::open("en").await;
    let browser = &stage.browser;
    // The glue is missing, then the module. Browsers may remember that a script could not be loaded.
    browser.block(&["*/v1/tender-checkout-*.js"]).await;
    let checkout = stage.visit(Scenery::default()).await;
    // The user has not interacted with the element: the focus stays in the page.
    checkout.part("retry").await;
    assert_eq!(browser.focus().await, None);
    browser.tab_to(&button("Try again")).await;
    browser.block(&["*.wasm"]).await;
    fails_again(browser, &checkout).await;
    browser.clear_network().await;
    browser
        .press_to(Key::Enter, &radio("Tether USD, TRON"))
        .await;
    assert!(checkout.names(Role::Alert).await.is_empty());
    assert_eq!(
        browser.event_names().await,
        ["tender-error", "tender-error", "tender-ready"]
    );

    let checkout = State::named("unavailable").reach(&stage).await;
    assert_eq!(browser.focus().await, None);
    stage.servers.drop_next(Endpoint::Tokens);
    browser.tab_to(&button("Try again")).await;
    fails_again(browser, &checkout).await;
    browser
        .press_to(Key::Enter, &radio("Tether USD, TRON"))
        .await;

    browser.press(Key::Down).await;
    stage.servers.drop_next(Endpoint::Create);
    let steps = [
        (Key::Enter, button("Try again")),
        (Key::Enter, heading("Payment")),
    ];
    browser.press_each(&steps).await;

    browser.block(&["*/payment/cancel"]).await;
    browser.tab_to(&button("Cancel payment")).await;
    browser.press_to(Key::Enter, &button("Keep it")).await;
    browser.press(Key::Tab).await;
    browser.press(Key::Enter).await;
    checkout.is_there(".boxed[role=alert]").await;
    browser.has_focus(&button("Cancel payment")).await;
}

/// Presses "Try again", which has the focus and fails; then the next one has the focus.
async fn fails_again(browser: &Browser, checkout: &Checkout<'_>) {
    let before = checkout.part("retry").await;
    browser.press(Key::Enter).await;
    until("another button", async || {
        let now = checkout.parts("retry").await?.into_iter().next();
        Ok(now.filter(|now| *now != before))
    })
    .await;
    browser.has_focus(&button("Try again")).await;
}

fn radio(name: &str) -> Focus {
    Focus::on("radio", name)
}

fn button(name: &str) -> Focus {
    Focus::on("button", name)
}

fn heading(name: &str) -> Focus {
    Focus::on("heading", name)
}
