//! The live element, which replaces the page in browsers with scripts.

use serde_json::{Value, json};
use tender_sandbox::Endpoint;
use thirtyfour::By;

use super::page::PayPage;
use crate::support::{Checkout, STATUS_PAID, Stage, until};

impl PayPage {
    /// Waits for the live element.
    pub(crate) async fn live(&self) -> Checkout<'_> {
        let checkout = self.browser.checkout("tender-checkout:not([hidden])");
        let checkout = checkout.await;
        assert_eq!(self.count("[data-live]").await, 0);
        checkout
    }

    /// A payment was made once, and this page shows it.
    fn shows_the_only_payment(&self, amount: &str) {
        assert_eq!(self.servers.requests(Endpoint::Create).received, 1);
        let payment = self.servers.only_payment();
        assert_eq!(payment.quantity_pay.to_string(), amount);
    }
}

/// A payment that is created without scripts is replaced with them, continued without them, and cancelled with them.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_continued_with_and_without_scripts() {
    let page = PayPage::without_scripts("en").await;
    page.pay("bnb").await;
    let amount = page.browser.amount().await;
    page.names_the_shop().await;
    page.browser.scripts(true).await;
    page.reload().await;
    let live = page.live().await;
    page.names_the_shop().await;
    assert_eq!(live.amount().await, amount);
    page.shows_the_only_payment(&amount);

    live.press_part("change").await;
    live.pay_with("Bitcoin, Bitcoin").await;
    live.reads("on Bitcoin").await;
    let amount = live.amount().await;
    // The policy of the page allows what the element needs, except the tokens' logos.
    let refused = page.browser.refused_by_policy().await;
    let others = refused.iter().filter(|what| !what.starts_with("img-src: "));
    assert_eq!(others.count(), 0, "{refused:?}");
    page.reload().await;
    let live = page.live().await;
    live.reads("on Bitcoin").await;
    assert_eq!(live.amount().await, amount);

    page.browser.scripts(false).await;
    page.reload().await;
    assert_eq!(page.browser.amount().await, amount);
    page.browser.scripts(true).await;
    page.reload().await;
    let live = page.live().await;
    live.cancel().await;
    live.reads("Payment cancelled").await;
    let payments = page.servers.payments();
    let statuses: Vec<_> = payments.iter().map(|one| one.status.text()).collect();
    assert_eq!(statuses, ["Cancelled", "Cancelled"]);
}

/// The tab has saved the payment while it was open.
#[tokio::test(flavor = "multi_thread")]
async fn a_paid_payment_does_not_ask_for_money_for_a_moment() {
    let page = PayPage(Stage::open("en").await);
    page.open(json!({}), "").await;
    let live = page.live().await;
    live.pay("Bitcoin, Bitcoin").await;
    let browser = &page.browser;
    browser.block(&["*/api/v1/payment/*"]).await;
    page.reload().await;
    page.live().await;
    page.servers.set_status(STATUS_PAID);
    browser.scripts(false).await;
    until("a paid page", async || {
        page.reload().await;
        let is_paid = page.text().await.contains(page.say("paid"));
        Ok(is_paid.then_some(()))
    })
    .await;
    browser.scripts(true).await;
    page.reload().await;
    let asks = "const { shadowRoot } = document.querySelector('tender-checkout') ?? {};
        return Boolean(shadowRoot?.querySelector('[part=wallet]'))";
    browser.sees("the live element", asks, []).await;
    browser.is_drawn().await;
    browser.find(By::Css("[data-live]")).await;
    page.reads("paid").await;
    browser.clear_network().await;
    let live = page.live().await;
    live.reads(page.say("paid")).await;
}

/// The live element does not replace the page while the buyer types, but as soon as the buyer chooses: the choice and its
/// focus stay.
#[tokio::test(flavor = "multi_thread")]
async fn a_field_in_use_is_replaced_when_the_buyer_leaves_it() {
    let page = PayPage(Stage::open("en").await);
    let browser = &page.browser;
    browser.hold("*/v1/tender-checkout-*").await;
    page.open(json!({}), "&ask=name").await;
    page.write("[data-live] #name", "Ada").await;
    browser.clear_network().await;
    let ready = browser.event("tender-ready").await;
    assert_eq!(ready.name, "tender-ready");
    browser.is_drawn().await;
    browser.write(" Lovelace").await;
    page.click("[data-live] input[value=usdte]").await;
    let live = page.live().await;
    let script = "const { activeElement } = document.querySelector('tender-checkout').shadowRoot;
        return [activeElement.value, activeElement.checked]";
    let focused: Value = browser.run(script, []).await;
    assert_eq!(focused, json!(["usdte", true]));
    live.press("Pay in USDT on Ethereum (ERC20)").await;
    live.amount().await;
    let payment = page.servers.only_payment();
    assert_eq!(payment.purchase_name.as_deref(), Some("Ada Lovelace"));
    assert_eq!(payment.payment_token, "USDTE");
}

/// The page works as without scripts. In a browser that is too old for the loader, the page's own script keeps it up to date.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_module_the_page_stays() {
    let page = PayPage(Stage::open("en").await);
    for missing in ["*.wasm", "*/v1/pay.js", "*/v1/checkout.js"] {
        page.clear().await;
        page.browser.block(&[missing]).await;
        page.open(json!({}), "").await;
        page.pay_with("btc").await;
        let amount = page.browser.amount().await;
        page.shows_the_only_payment(&amount);
    }
    page.gets_paid().await;
}
