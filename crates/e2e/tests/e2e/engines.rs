//! Walks in more than one engine. All other tests run in Chromium.
//!
//! Nothing here needs more than WebDriver: failures come from the servers, and preferences are set before the start.

use serde_json::json;
use tender_sandbox::Endpoint;

use crate::hosted::page::PayPage;
use crate::in_page;
use crate::support::{
    Browser, Checkout, Engine, Preference, STATUS_PAID, Scenery, Stage, Tls, in_each_engine,
    map_statuses, publish, recorder,
};
use crate::{buy, keyboard};

in_each_engine! { walks_of_one_browser }

in_each_engine! {
    except Chromium:
    the_users_dark_theme_is_used
    pays_on_the_payment_page_without_scripts
}

const TOKEN: &str = "Bitcoin, Bitcoin";

/// A stage in this engine, whose pages record events.
async fn open(
    engine: Engine,
    preferences: &[Preference],
    change: impl Fn(&mut tender_proxy::Config),
) -> Stage {
    let browser = Browser::start_in(engine, preferences).await;
    let mut stage = Stage::in_browser(browser, "en", change).await;
    stage.head = recorder();
    stage
}

/// The start of a browser takes longer than a walk, so one browser has all of them. Another test pays on the payment page in
/// Chromium.
async fn walks_of_one_browser(engine: Engine) {
    let mut stage = open(engine, &[], publish).await;
    // The others differ by data alone: one whose amount is rounded is enough.
    let tokens = match engine {
        Engine::Chromium => &buy::TOKENS[..],
        Engine::Firefox | Engine::WebKit => &buy::TOKENS[2..3],
    };
    for expected in tokens {
        buy::buys(&stage.browser, expected).await;
    }
    a_strict_content_security_policy_has_nothing_to_refuse(&mut stage).await;
    a_lost_connection_can_be_retried(&mut stage).await;
    a_reload_and_the_way_back_show_the_same_payment(&stage).await;
    stage.servers.service().reset();
    keyboard::buys_cancels_and_chooses_again(engine, &stage.browser, &stage.servers).await;
    buys_with_the_form_in_the_page(&stage).await;
    if engine != Engine::Chromium {
        pays_on_the_payment_page(stage).await;
    }
}

/// The shop signs the order again for each page view; it remains the same order. The payment is followed by the event stream,
/// and ends as paid.
async fn a_reload_and_the_way_back_show_the_same_payment(stage: &Stage) {
    stage.servers.service().reset();
    let browser = &stage.browser;
    let page = stage.servers.shop_page("/?invoice=INV-1042");
    let checkout = browser.visit(&page).await;
    let amount = checkout.pay(TOKEN).await;
    assert_eq!(surface(browser, &checkout).await, "rgb(255, 255, 255)");
    let payment = stage.servers.only_payment();
    assert_eq!(payment.quantity_pay.to_string(), amount);
    let shows_it = async |checkout: &Checkout<'_>| {
        assert_eq!(checkout.amount().await, amount);
        assert_eq!(checkout.text_of("wallet").await, payment.wallet);
    };
    shows_it(&browser.reload().await).await;
    // A saved payment is shown next, so no form is requested.
    let requested = browser.requested().await;
    assert!(!requested.iter().any(|name| name.contains("/checkout.html")));
    browser.go(stage.servers.page("elsewhere")).await;
    browser.driver.back().await.unwrap();
    shows_it(&browser.checkout("tender-checkout").await).await;
    let checkout = browser.visit(&page).await;
    shows_it(&checkout).await;

    stage.servers.set_status(STATUS_PAID);
    stage.reads(&checkout, "paid").await;
    stage.servers.only_payment();
    assert_eq!(stage.servers.requests(Endpoint::Create).received, 1);
}

/// With the loader, after a way back, when the engines mostly show the page from their back/forward cache; and without the
/// loader.
async fn buys_with_the_form_in_the_page(stage: &Stage) {
    stage.servers.service().reset();
    let browser = &stage.browser;
    let address = in_page::page(stage, "style", "").await;
    let checkout = browser.visit(&address).await;
    // The module's view. A page that is still loading is not cached.
    checkout
        .has(".locale-root:not([data-first-paint]) [method=post]")
        .await;
    browser.go(stage.servers.page("elsewhere")).await;
    browser.driver.back().await.unwrap();
    browser
        .checkout("tender-checkout")
        .await
        .pay("TRON, TRON")
        .await;
    assert_eq!(stage.servers.only_payment().payment_token, "TRX");

    stage.servers.service().reset();
    in_page::pays_without_the_loader(stage, "link", "").await;
}

/// The policy of docs/security.md.
async fn a_strict_content_security_policy_has_nothing_to_refuse(stage: &mut Stage) {
    let proxy = stage.servers.proxy_url();
    let (_, logos) = stage.servers.service_urls();
    // A policy in the page applies to what follows it.
    stage.head = format!(
        "{}<meta http-equiv=\"content-security-policy\" content=\"default-src 'none'; \
         script-src {proxy} 'wasm-unsafe-eval'; connect-src {proxy}; img-src 'self' {logos}\">",
        recorder()
    );
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
    stage.head = recorder();
}

async fn a_lost_connection_can_be_retried(stage: &mut Stage) {
    stage.servers.service().reset();
    let checkout = stage.visit(Scenery::default()).await;
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
    stage.servers.only_payment();
}

async fn pays_on_the_payment_page(stage: Stage) {
    stage.servers.service().reset();
    let page = PayPage(stage);
    page.open(json!({}), "").await;
    let live = page.live().await;
    let amount = live.pay(TOKEN).await;
    page.reload().await;
    assert_eq!(page.live().await.amount().await, amount);
    let payment = page.servers.only_payment();
    assert_eq!(payment.quantity_pay.to_string(), amount);
}

async fn the_users_dark_theme_is_used(engine: Engine) {
    let stage = open(engine, &[Preference::DarkTheme], map_statuses).await;
    let checkout = stage.visit(Scenery::default()).await;
    checkout.is_choosing().await;
    let surface = surface(&stage.browser, &checkout).await;
    assert_eq!(surface, "rgb(21, 24, 28)");
}

/// The colour of the card.
async fn surface(browser: &Browser, checkout: &Checkout<'_>) -> String {
    let card = checkout.part("card").await.to_json().unwrap();
    let colour = "return getComputedStyle(arguments[0]).backgroundColor";
    browser.run(colour, [card]).await
}

/// The browser loads the page again by itself until the payment is paid. The page is served by HTTPS: `WebKit` keeps no
/// `Secure` cookie of an HTTP page, not even of this machine.
async fn pays_on_the_payment_page_without_scripts(engine: Engine) {
    let page = PayPage(open(engine, &[Preference::NoScripts], map_statuses).await);
    let proxy = page.servers.proxy_url();
    let forward = format!("proxy_pass {proxy}; proxy_set_header Host $http_host;");
    let forward = format!("location / {{ {forward} proxy_buffering off; }}");
    let Some(https) = Tls::serve(&forward).await else {
        return;
    };
    let address = page.address(json!({}), "").replace(&proxy, &https.origin());
    page.browser.go(&address).await;
    page.pay_with("btc").await;
    let amount = page.browser.amount().await;
    let payment = page.servers.only_payment();
    assert_eq!(amount, payment.quantity_pay.to_string());
    page.gets_paid().await;
}
