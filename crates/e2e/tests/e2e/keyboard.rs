//! With nothing but a keyboard: real key presses, and the focus where the eye goes after each change.

use tender_sandbox::{Endpoint, Fault, Outcome};
use thirtyfour::Key;

use crate::support::{Browser, Checkout, House, Scenery, Stage, State, until};

/// More stops than a page and a checkout have.
const STOPS: usize = 40;

#[tokio::test(flavor = "multi_thread")]
async fn buys_cancels_and_chooses_again() {
    let house = House::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&house.shop_page("")).await;
    checkout.is_choosing().await;

    // From the page's top to the choice, where the arrows choose.
    assert_eq!(checkout.focused().await, "");
    tab_to(&browser, &checkout, "Tether USD, TRON").await;
    browser.press(Key::Tab).await;
    has_focus(&checkout, "Pay").await;
    browser.press(Key::Enter).await;
    assert_eq!(checkout.alert().await, "Choose what to pay with.");
    has_focus(&checkout, "Tether USD, TRON").await;
    browser.press(Key::Down).await;
    has_focus(&checkout, "Bitcoin, Bitcoin").await;
    browser.press(Key::Down).await;
    browser.press(Key::Up).await;
    has_focus(&checkout, "Bitcoin, Bitcoin").await;
    browser.press(Key::Tab).await;
    has_focus(&checkout, "Pay in BTC").await;
    browser.press(Key::Enter).await;

    // The payment, from where it begins: both values can be copied.
    has_focus(&checkout, "Payment").await;
    let payment = house.only_payment();
    for (button, key, value) in [
        ("Copy amount", Key::Enter, payment.quantity_pay.to_string()),
        ("Copy wallet address on Bitcoin", Key::Space, payment.wallet),
    ] {
        tab_to(&browser, &checkout, button).await;
        browser.press(key).await;
        browser.has_in_clipboard(&value).await;
        has_focus(&checkout, button).await;
    }

    // Another token, or rather not.
    tab_to(&browser, &checkout, "Use another token").await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Bitcoin, Bitcoin").await;
    browser.press_shift_tab().await;
    has_focus(&checkout, "Back to the payment").await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Payment").await;

    // A mind is changed twice.
    tab_to(&browser, &checkout, "Cancel payment").await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Keep it").await;
    browser.press(Key::Space).await;
    has_focus(&checkout, "Cancel payment").await;
    browser.press(Key::Space).await;
    has_focus(&checkout, "Keep it").await;
    browser.press(Key::Tab).await;
    has_focus(&checkout, "Yes, cancel").await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Payment cancelled").await;

    // The choice is where it was left; Enter on a token submits.
    browser.press(Key::Tab).await;
    has_focus(&checkout, "Choose again").await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Bitcoin, Bitcoin").await;
    browser.press(Key::Up).await;
    has_focus(&checkout, "Tether USD, TRON").await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Payment").await;
    assert_eq!(house.payments().len(), 2);
}

/// Each failure hands the focus to the way on, and that to what comes of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_failure_does_not_lose_the_focus() {
    let stage = Stage::open("en").await;
    let browser = &stage.browser;
    stage.block(&["*.wasm"]).await;
    let checkout = stage.visit(Scenery::default()).await;
    // Nobody is at work in it: the focus stays in the page.
    checkout.part("retry").await;
    assert_eq!(checkout.focused().await, "");
    tab_to(browser, &checkout, "Try again").await;
    fails_again(browser, &checkout).await;
    stage.clear_network().await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Tether USD, TRON").await;

    let checkout = State::named("unavailable").reach(&stage).await;
    assert_eq!(checkout.focused().await, "");
    let lost = || Fault::new(Outcome::DropRequest);
    stage.inject(Endpoint::Tokens, lost());
    tab_to(browser, &checkout, "Try again").await;
    fails_again(browser, &checkout).await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Tether USD, TRON").await;

    browser.press(Key::Down).await;
    stage.inject(Endpoint::Create, lost());
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Try again").await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Payment").await;

    stage.inject(Endpoint::Cancel, lost());
    tab_to(browser, &checkout, "Cancel payment").await;
    browser.press(Key::Enter).await;
    has_focus(&checkout, "Keep it").await;
    browser.press(Key::Tab).await;
    browser.press(Key::Enter).await;
    checkout.is_there(".cancel .problem").await;
    has_focus(&checkout, "Cancel payment").await;
}

/// Presses "Try again", which has the focus, in vain: another one of the kind has it then.
async fn fails_again(browser: &Browser, checkout: &Checkout<'_>) {
    let before = checkout.part("retry").await;
    browser.press(Key::Enter).await;
    until("another button", async || {
        let now = checkout.parts("retry").await?.into_iter().next();
        Ok(now.filter(|now| *now != before))
    })
    .await;
    has_focus(checkout, "Try again").await;
}

/// The Tab key, until it comes to what has this name. Wherever it stops, that is seen.
async fn tab_to(browser: &Browser, checkout: &Checkout<'_>, name: &str) {
    for _ in 0..STOPS {
        browser.press(Key::Tab).await;
        let focused = checkout.focused().await;
        let is_seen = "
            const focused = arguments[0].shadowRoot.activeElement;
            if (!focused) return true;
            return [focused, focused.closest('label') ?? focused].map((element) => getComputedStyle(element))
              .some(({ outlineStyle, outlineWidth }) => outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2)";
        let host = checkout.host().to_json().unwrap();
        assert!(
            browser.run::<bool, 1>(is_seen, [host]).await,
            "{focused:?} shows its focus"
        );
        if focused == name {
            return;
        }
    }
    panic!("the Tab key never came to {name:?}");
}

async fn has_focus(checkout: &Checkout<'_>, name: &str) {
    until(format_args!("the focus on {name:?}"), async || {
        Ok((checkout.focused().await == name).then_some(()))
    })
    .await;
}
