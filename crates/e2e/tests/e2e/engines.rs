//! Walks in more than one engine. All other tests run in Chromium.
//!
//! Nothing here needs more than WebDriver: failures come from the servers, and preferences are set before the start.

use axum::http::StatusCode;
use serde_json::json;
use tender_sandbox::{Endpoint, Fault};
use thirtyfour::Key;

use crate::buy;
use crate::hosted::page::PayPage;
use crate::keyboard::{button, heading, radio};
use crate::support::{
    Browser, Engine, Preference, STATUS_PAID, Scenery, Stage, Tls, in_each_engine, map_statuses,
    recorder,
};

in_each_engine! {
    buys_with_each_token
    changes_the_token_and_cancels
    a_failure_can_be_retried
    a_strict_content_security_policy_has_nothing_to_refuse
}

in_each_engine! {
    except Chromium:
    a_reload_shows_the_same_payment
    buys_in_other_languages
    buys_with_the_keyboard_alone
    the_users_dark_theme_is_used
    pays_on_the_payment_page
    pays_on_the_payment_page_without_scripts
}

const TOKEN: &str = "Bitcoin, Bitcoin";

/// A stage in this engine, whose pages record events.
async fn open(engine: Engine, language: &str, preferences: &[Preference]) -> Stage {
    let browser = Browser::start_in(engine, preferences).await;
    let mut stage = Stage::in_browser(browser, language, map_statuses).await;
    stage.set_head(recorder());
    stage
}

async fn buys_with_each_token(engine: Engine) {
    let browser = Browser::start_in(engine, &[]).await;
    for expected in &buy::ALL {
        buy::buys(&browser, expected).await;
    }
}

async fn changes_the_token_and_cancels(engine: Engine) {
    let stage = open(engine, "en", &[]).await;
    let checkout = stage.pay("TRON, TRON", Scenery::default()).await;
    checkout.press("Use another token").await;
    checkout.pay_with(TOKEN).await;
    stage.browser.event("tender-cancelled").await;
    checkout.reads("on Bitcoin").await;
    checkout.amount().await;
    checkout.cancel().await;
    checkout.reads("Payment cancelled").await;

    let payments = stage.servers.payments();
    let statuses: Vec<_> = payments.iter().map(|one| one.status.text()).collect();
    assert_eq!(statuses, ["Cancelled", "Cancelled"]);
    let mut names = stage.browser.event_names().await;
    // Updates may come before the response to a cancellation, or not at all.
    names.retain(|name| name != "tender-status");
    assert_eq!(
        names,
        [
            "tender-ready",
            "tender-created",
            // The form again, to change the token.
            "tender-ready",
            "tender-cancelled",
            "tender-created",
            "tender-cancelled"
        ]
    );
    let created = stage.browser.event("tender-created").await;
    assert_eq!(
        created.detail["payment"]["transactionId"],
        payments[1].transaction_id
    );
}

/// The payment is followed by the event stream, and ends as paid.
async fn a_reload_shows_the_same_payment(engine: Engine) {
    let stage = open(engine, "en", &[]).await;
    let checkout = stage.visit(Scenery::default()).await;
    let amount = checkout.pay(TOKEN).await;
    let checkout = stage.browser.reload().await;
    assert_eq!(checkout.amount().await, amount);
    let payment = stage.servers.only_payment();
    assert_eq!(payment.quantity_pay.to_string(), amount);
    assert_eq!(checkout.text_of("wallet").await, payment.wallet);

    stage.servers.set_status(STATUS_PAID);
    stage.browser.event("tender-paid").await;
    stage.reads(&checkout, "paid").await;
    assert_eq!(stage.servers.requests(Endpoint::Create).received, 1);
}

async fn a_failure_can_be_retried(engine: Engine) {
    let mut stage = open(engine, "en", &[]).await;
    let unavailable = || Fault::respond(StatusCode::SERVICE_UNAVAILABLE, "{}");
    stage.servers.inject(Endpoint::Create, unavailable());
    let checkout = stage.visit(Scenery::default()).await;
    checkout.pay_with(TOKEN).await;
    let alert = checkout.alert().await;
    assert!(alert.starts_with("The payment was not started"), "{alert}");
    let error = stage.browser.event("tender-error").await.detail;
    assert_eq!(error["code"], "service-failed");
    checkout.press("Try again").await;
    checkout.amount().await;

    // The proxy can't be reached.
    let page = stage
        .servers
        .checkout_page(&format!("order=\"{}\"", stage.order(json!({}))));
    let checkout = stage.browser.visit(&page).await;
    checkout.choose(TOKEN).await;
    stage.servers.close_proxy().await;
    let checkout = stage.browser.checkout("tender-checkout").await;
    checkout.press("Pay in BTC on Bitcoin").await;
    let alert = checkout.alert().await;
    assert!(
        alert.contains("We could not reach the payment service"),
        "{alert}"
    );
    stage.servers.reopen_proxy().await;
    let checkout = stage.browser.checkout("tender-checkout").await;
    checkout.press("Try again").await;
    checkout.amount().await;
    assert_eq!(stage.servers.payments().len(), 2);
}

/// One from right to left, and one with other digits and plural rules than English.
async fn buys_in_other_languages(engine: Engine) {
    let browser = Browser::start_in(engine, &[]).await;
    let arabic = Stage::in_browser(browser, "ar", map_statuses).await;
    let checkout = arabic.pay("Bitcoin, Bitcoin", Scenery::default()).await;
    arabic.reads(&checkout, "cancel").await;
    let direction = "return getComputedStyle(arguments[0].shadowRoot.querySelector('[part=amount]')
        .closest('[lang]')).direction";
    let host = checkout.host().to_json().unwrap();
    let direction: String = arabic.browser.run(direction, [host]).await;
    assert_eq!(direction, "rtl");
    checkout.speak("de").await;
    checkout.reads("Zahlung abbrechen").await;
    assert_eq!(arabic.servers.payments().len(), 1);
}

async fn buys_with_the_keyboard_alone(engine: Engine) {
    let stage = open(engine, "en", &[]).await;
    let browser = &stage.browser;
    let checkout = stage.visit(Scenery::default()).await;
    checkout.is_choosing().await;
    browser.tab_to(&radio("Tether USD, TRON")).await;
    browser.press(Key::Down).await;
    browser.has_focus(&radio("Tether USD, Ethereum")).await;
    browser.press(Key::Down).await;
    browser.has_focus(&radio(TOKEN)).await;
    browser.press(Key::Tab).await;
    browser.has_focus(&button("Pay in BTC on Bitcoin")).await;
    browser.press(Key::Enter).await;
    browser.has_focus(&heading("Payment")).await;
    assert_eq!(stage.servers.only_payment().payment_token, "BTC");

    browser.tab_to(&button("Cancel payment")).await;
    browser.press(Key::Space).await;
    browser.has_focus(&button("Keep it")).await;
    browser.press(Key::Tab).await;
    browser.has_focus(&button("Yes, cancel")).await;
    browser.press(Key::Enter).await;
    let cancelled = heading("Payment cancelled");
    browser.has_focus(&cancelled).await;
}

/// The policy of docs/security.md.
async fn a_strict_content_security_policy_has_nothing_to_refuse(engine: Engine) {
    let mut stage = open(engine, "en", &[]).await;
    let proxy = stage.servers.proxy_url();
    let (_, logos) = stage.servers.service_urls();
    // A policy in the page applies to what follows it.
    stage.set_head(format!(
        "{}<meta http-equiv=\"content-security-policy\" content=\"default-src 'none'; \
         script-src {proxy} 'wasm-unsafe-eval'; connect-src {proxy}; img-src 'self' {logos}\">",
        recorder()
    ));
    let checkout = stage.visit(Scenery::default()).await;
    checkout.is_choosing().await;
    for logo in checkout.select(".logo img").await.unwrap() {
        stage.browser.has_loaded(&logo).await;
    }
    checkout.pay(TOKEN).await;
    assert_eq!(stage.browser.refused_by_policy().await, [""; 0]);

    // The policy is active, and violations are recorded.
    let violate = "document.body.setAttribute('style', 'color: red')";
    stage.browser.execute(violate).await;
    assert_eq!(
        stage.browser.refused_by_policy().await,
        ["style-src-attr: inline"]
    );
}

async fn the_users_dark_theme_is_used(engine: Engine) {
    for (preferences, surface) in [
        (&[][..], "rgb(255, 255, 255)"),
        (&[Preference::DarkTheme], "rgb(21, 24, 28)"),
    ] {
        let stage = open(engine, "en", preferences).await;
        let checkout = stage.visit(Scenery::default()).await;
        checkout.is_choosing().await;
        let card = checkout.part("card").await;
        let colour = card.css_value("background-color").await.unwrap();
        assert_eq!(colour, surface);
    }
}

async fn pays_on_the_payment_page(engine: Engine) {
    let page = PayPage {
        stage: open(engine, "en", &[]).await,
    };
    page.open(json!({}), "").await;
    let live = page.live().await;
    let amount = live.pay(TOKEN).await;
    page.reload().await;
    assert_eq!(page.live().await.amount().await, amount);
    let payment = page.stage.servers.only_payment();
    assert_eq!(payment.quantity_pay.to_string(), amount);
}

/// The browser loads the page again by itself until the payment is paid. The page is served by HTTPS: `WebKit` keeps no
/// `Secure` cookie of an HTTP page, not even of this machine.
async fn pays_on_the_payment_page_without_scripts(engine: Engine) {
    let page = PayPage {
        stage: open(engine, "en", &[Preference::NoScripts]).await,
    };
    let proxy = page.stage.servers.proxy_url();
    let Some(https) = Tls::before(&proxy).await else {
        return;
    };
    let address = page.address(json!({}), "").replace(&proxy, &https.origin());
    page.go(&address).await;
    page.pay_with("btc").await;
    let amount = page.amount().await;
    let payment = page.stage.servers.only_payment();
    assert_eq!(amount, payment.quantity_pay.to_string());
    page.stage.servers.set_status(STATUS_PAID);
    page.reads("paid").await;
    assert_eq!(page.count(".qr").await, 0);
}
