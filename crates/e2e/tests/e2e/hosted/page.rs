//! The payment page in a browser, with scripts turned on or off.

use std::ops::Deref;

use serde_json::{Value, json};
use thirtyfour::By;

use crate::support::{SHOP_NAME, STATUS_PAID, Stage, until};

/// A stage whose browser shows the payment page.
pub(crate) struct PayPage(pub(crate) Stage);

impl Deref for PayPage {
    type Target = Stage;

    fn deref(&self) -> &Stage {
        &self.0
    }
}

impl PayPage {
    /// Chromium without scripts.
    pub(crate) async fn without_scripts(language: &str) -> Self {
        let stage = Stage::open(language).await;
        stage.browser.scripts(false).await;
        Self(stage)
    }

    /// The address of the page of an order with these claims, beside those of the default.
    pub(crate) fn address(&self, claims: Value, attributes: &str) -> String {
        self.address_of(&self.order(claims), attributes)
    }

    /// The address of the page of this order.
    pub(crate) fn address_of(&self, order: &str, attributes: &str) -> String {
        let (proxy, language) = (self.servers.proxy_url(), &self.language);
        format!("{proxy}/pay?order={order}&lang={language}{attributes}")
    }

    /// Opens the page of an order.
    pub(crate) async fn open(&self, claims: Value, attributes: &str) {
        self.browser.go(self.address(claims, attributes)).await;
    }

    pub(crate) async fn reload(&self) {
        self.browser.driver.refresh().await.unwrap();
    }

    /// Clicks what a CSS selector finds, as soon as it is there.
    pub(crate) async fn click(&self, css: &str) {
        self.browser.click(By::Css(css)).await;
    }

    /// Follows the link whose text has this key, as soon as it is there.
    pub(crate) async fn follow(&self, key: &str) {
        self.browser.click(By::LinkText(self.say(key))).await;
    }

    pub(crate) async fn write(&self, css: &str, text: &str) {
        until(css, async || {
            let field = self.browser.driver.find(By::Css(css)).await?;
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
        self.browser.amount().await;
    }

    /// The visible text of the page.
    pub(crate) async fn text(&self) -> String {
        let body = self.browser.driver.find(By::Tag("body")).await;
        body.unwrap().text().await.unwrap()
    }

    /// Waits until the page contains the text with this key.
    pub(crate) async fn reads(&self, key: &str) {
        self.browser.reads(self.say(key)).await;
    }

    /// The service receives the money. The page shows so by itself, and no code any more.
    pub(crate) async fn gets_paid(&self) {
        self.servers.set_status(STATUS_PAID);
        self.reads("paid").await;
        assert_eq!(self.count(".qr").await, 0);
    }

    /// Waits until the visible heading of the page names the shop.
    pub(crate) async fn names_the_shop(&self) {
        let expected = format!("Payment to \u{2068}{SHOP_NAME}\u{2069}");
        self.browser.is_headed(&expected).await;
    }

    /// The number of elements that a CSS selector finds now.
    pub(crate) async fn count(&self, css: &str) -> usize {
        let found = self.browser.driver.find_all(By::Css(css)).await;
        found.unwrap().len()
    }
}
