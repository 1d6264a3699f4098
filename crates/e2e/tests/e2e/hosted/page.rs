//! The payment page in a browser, with scripts turned on or off.

use serde_json::{Value, json};
use thirtyfour::By;

use crate::support::{SHOP_NAME, STATUS_PAID, Stage, until};

pub(crate) struct PayPage {
    pub(crate) stage: Stage,
}

impl PayPage {
    /// Chromium with scripts.
    pub(crate) async fn with_scripts(language: &str) -> Self {
        Self {
            stage: Stage::open(language).await,
        }
    }

    /// Chromium without scripts.
    pub(crate) async fn without_scripts(language: &str) -> Self {
        let page = Self::with_scripts(language).await;
        page.scripts(false).await;
        page
    }

    /// Turns scripts on or off, for pages that are loaded from now on.
    pub(crate) async fn scripts(&self, are_on: bool) {
        self.stage.browser.scripts(are_on).await;
    }

    /// The address of the page of an order with these claims, beside those of the default.
    pub(crate) fn address(&self, claims: Value, attributes: &str) -> String {
        self.address_of(&self.stage.order(claims), attributes)
    }

    /// The address of the page of this order.
    pub(crate) fn address_of(&self, order: &str, attributes: &str) -> String {
        let language = self.stage.language();
        let proxy = self.stage.servers.proxy_url();
        format!("{proxy}/pay?order={order}&lang={language}{attributes}")
    }

    /// Opens the page of an order.
    pub(crate) async fn open(&self, claims: Value, attributes: &str) {
        self.go(&self.address(claims, attributes)).await;
    }

    pub(crate) async fn go(&self, address: &str) {
        self.stage.browser.go(address).await;
    }

    pub(crate) async fn reload(&self) {
        self.stage.browser.driver().refresh().await.unwrap();
    }

    pub(crate) async fn current_address(&self) -> String {
        let address = self.stage.browser.driver().current_url().await;
        address.unwrap().to_string()
    }

    /// Clicks what a CSS selector finds, as soon as it is there.
    pub(crate) async fn click(&self, css: &str) {
        self.stage.browser.click(By::Css(css)).await;
    }

    /// Follows the link whose text has this key, as soon as it is there.
    pub(crate) async fn follow(&self, key: &str) {
        let link = By::LinkText(self.stage.say(key));
        self.stage.browser.click(link).await;
    }

    pub(crate) async fn write(&self, css: &str, text: &str) {
        until(css, async || {
            let field = self.stage.browser.driver().find(By::Css(css)).await?;
            field.send_keys(text).await.map(Some)
        })
        .await;
    }

    /// Chooses this token, and submits the form.
    pub(crate) async fn pay_with(&self, code: &str) {
        self.click(&format!("input[value={code}]")).await;
        self.click("[part=submit]").await;
    }

    /// Opens the page of an order, and pays with this token.
    pub(crate) async fn pay(&self, code: &str) {
        self.open(json!({}), "").await;
        self.pay_with(code).await;
        self.amount().await;
    }

    /// The amount to send, which the page must show.
    pub(crate) async fn amount(&self) -> String {
        until("an amount", async || {
            let amount = self.stage.browser.driver().find(By::Css("[part=amount]"));
            amount.await?.attr("data-value").await
        })
        .await
    }

    /// The visible text of the page.
    pub(crate) async fn text(&self) -> String {
        let body = self.stage.browser.driver().find(By::Tag("body")).await;
        body.unwrap().text().await.unwrap()
    }

    /// Waits until the page contains the text with this key.
    pub(crate) async fn reads(&self, key: &str) {
        self.stage.browser.reads(self.stage.say(key)).await;
    }

    /// The service receives the money. The page shows so by itself, and no code any more.
    pub(crate) async fn gets_paid(&self) {
        self.stage.servers.set_status(STATUS_PAID);
        self.reads("paid").await;
        assert_eq!(self.count(".qr").await, 0);
    }

    /// Waits until the visible heading of the page names the shop.
    pub(crate) async fn names_the_shop(&self) {
        let expected = format!("Payment to \u{2068}{SHOP_NAME}\u{2069}");
        self.stage.browser.is_headed(&expected).await;
    }

    /// Waits until a CSS selector finds so many elements.
    pub(crate) async fn has(&self, number: usize, css: &str) {
        until(format_args!("{number} of {css}"), async || {
            let found = self.stage.browser.driver().find_all(By::Css(css)).await?;
            Ok((found.len() == number).then_some(()))
        })
        .await;
    }

    /// The number of elements that a CSS selector finds now.
    pub(crate) async fn count(&self, css: &str) -> usize {
        let found = self.stage.browser.driver().find_all(By::Css(css)).await;
        found.unwrap().len()
    }
}
