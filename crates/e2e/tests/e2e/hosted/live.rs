//! The live element, which replaces the page in browsers with scripts.

use serde_json::{Value, json};
use tender_sandbox::Endpoint;

use super::page::PayPage;
use crate::support::{Checkout, STATUS_PAID, until};

impl PayPage {
    /// Waits for the live element.
    pub(crate) async fn live(&self) -> Checkout<'_> {
        let checkout = self.stage.browser.checkout("tender-checkout:not([hidden])");
        let checkout = checkout.await;
        assert_eq!(self.count("[data-live]").await, 0);
        checkout
    }

    /// A payment was made once, and this page shows it.
    fn shows_the_only_payment(&self, amount: &str) {
        assert_eq!(self.stage.servers.requests(Endpoint::Create).received, 1);
        let payment = self.stage.servers.only_payment();
        assert_eq!(payment.quantity_pay.to_string(), amount);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_without_scripts_is_continued_with_them() {
    let page = PayPage::without_scripts("en").await;
    page.pay("bnb").await;
    let amount = page.amount().await;
    page.names_the_shop().await;
    page.scripts(true).await;
    page.reload().await;
    let live = page.live().await;
    page.names_the_shop().await;
    assert_eq!(live.amount().await, amount);
    page.shows_the_only_payment(&amount);
    // The element is live: it replaces the payment. A reload shows the other one, and that one is cancelled.
    live.press_part("change").await;
    live.pay_with("Bitcoin, Bitcoin").await;
    live.reads("on Bitcoin").await;
    let amount = live.amount().await;
    page.reload().await;
    let live = page.live().await;
    live.reads("on Bitcoin").await;
    assert_eq!(live.amount().await, amount);
    live.cancel().await;
    live.reads("Payment cancelled").await;
    let payments = page.stage.servers.payments();
    let statuses: Vec<_> = payments.iter().map(|one| one.status.text()).collect();
    assert_eq!(statuses, ["Cancelled", "Cancelled"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_with_scripts_is_continued_without_them() {
    let page = PayPage::with_scripts("en").await;
    page.open(json!({}), "").await;
    let live = page.live().await;
    let amount = live.pay("Bitcoin, Bitcoin").await;
    // The policy of the page allows what the element needs, except the tokens' logos.
    let refused = page.stage.browser.refused_by_policy().await;
    let others = refused.iter().filter(|what| !what.starts_with("img-src: "));
    assert_eq!(others.count(), 0, "{refused:?}");
    page.reload().await;
    assert_eq!(page.live().await.amount().await, amount);
    page.scripts(false).await;
    page.reload().await;
    assert_eq!(page.amount().await, amount);
    page.shows_the_only_payment(&amount);
}

/// The tab has saved the payment while it was open.
#[tokio::test(flavor = "multi_thread")]
async fn a_paid_payment_does_not_ask_for_money_for_a_moment() {
    let page = PayPage::with_scripts("en").await;
    page.open(json!({}), "").await;
    let live = page.live().await;
    live.pay_with("Bitcoin, Bitcoin").await;
    live.amount().await;
    let browser = &page.stage.browser;
    browser.block(&["*/api/v1/payment/*"]).await;
    page.reload().await;
    page.live().await;
    page.stage.servers.set_status(STATUS_PAID);
    page.scripts(false).await;
    until("a paid page", async || {
        page.reload().await;
        let is_paid = page.text().await.contains(page.stage.say("paid"));
        Ok(is_paid.then_some(()))
    })
    .await;
    page.scripts(true).await;
    page.reload().await;
    until("the live element", async || {
        let script = "const { shadowRoot } = document.querySelector('tender-checkout') ?? {};
            return Boolean(shadowRoot?.querySelector('[part=wallet]'))";
        let asks: bool = browser.run(script, []).await;
        Ok(asks.then_some(()))
    })
    .await;
    browser.is_drawn().await;
    page.has(1, "[data-live]").await;
    page.reads("paid").await;
    browser.clear_network().await;
    let live = page.live().await;
    live.reads(page.stage.say("paid")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_choice_and_its_focus_stay() {
    let page = PayPage::with_scripts("en").await;
    let browser = &page.stage.browser;
    browser.hold("*/v1/tender-checkout-*").await;
    page.open(json!({}), "").await;
    page.click("[data-live] input[value=usdte]").await;
    browser.clear_network().await;
    let live = page.live().await;
    let script = "const { activeElement } = document.querySelector('tender-checkout').shadowRoot;
        return [activeElement.value, activeElement.checked]";
    let focused: Value = browser.run(script, []).await;
    assert_eq!(focused, json!(["usdte", true]));
    live.press("Pay in USDT on Ethereum (ERC20)").await;
    live.amount().await;
    assert_eq!(page.stage.servers.only_payment().payment_token, "USDTE");
}

/// The live element does not replace the page while the buyer types.
#[tokio::test(flavor = "multi_thread")]
async fn a_field_in_use_is_replaced_when_the_buyer_leaves_it() {
    let page = PayPage::with_scripts("en").await;
    let browser = &page.stage.browser;
    browser.hold("*/v1/tender-checkout-*").await;
    page.open(json!({}), "&ask=name").await;
    page.write("[data-live] #name", "Ada").await;
    browser.clear_network().await;
    let ready = browser.event("tender-ready").await;
    assert_eq!(ready.name, "tender-ready");
    browser.is_drawn().await;
    browser.write(" Lovelace").await;
    page.click("[data-live] input[value=btc]").await;
    let live = page.live().await;
    live.submit().await.click().await.unwrap();
    live.amount().await;
    let name = page.stage.servers.only_payment().purchase_name;
    assert_eq!(name.as_deref(), Some("Ada Lovelace"));
}

/// The page works as without scripts. In a browser that is too old for the loader, the page's own script keeps it up to date.
#[tokio::test(flavor = "multi_thread")]
async fn without_the_module_the_page_stays() {
    let page = PayPage::with_scripts("en").await;
    for missing in ["*.wasm", "*/v1/pay.js", "*/v1/checkout.js"] {
        page.stage.clear().await;
        page.stage.browser.block(&[missing]).await;
        page.open(json!({}), "").await;
        page.pay_with("btc").await;
        let amount = page.amount().await;
        page.shows_the_only_payment(&amount);
    }
    page.gets_paid().await;
}

/// A form of another site brings no payment, wherever the buyer has a cookie.
#[tokio::test(flavor = "multi_thread")]
async fn a_form_of_another_site_is_refused() {
    let page = PayPage::without_scripts("en").await;
    page.pay("trx").await;
    let address = page.current_address().await;
    let sites = [
        page.address(json!({}), ""),
        format!("{address}&view=choose"),
    ];
    for target in sites {
        // The host name differs, so the site does.
        let form = format!(
            "<form method=\"post\" action=\"{target}\"><input name=\"payment-token\" value=\"btc\">
             <button id=\"send\">Free</button></form>"
        );
        let path = page.stage.servers.merchant.put_up(&form);
        page.go(&format!(
            "{}{path}",
            page.stage.servers.merchant.other_origin()
        ))
        .await;
        page.click("#send").await;
        page.reads("unavailable-title").await;
    }
    assert_eq!(page.stage.servers.requests(Endpoint::Create).received, 1);
    assert_eq!(page.stage.servers.requests(Endpoint::Cancel).received, 0);
}
