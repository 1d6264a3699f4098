//! The demo as a new user tries it: `cargo xtask test newcomer` starts it by the README's command, and passes the address
//! that it printed.

use std::env;
use std::time::Duration;

use reqwest::StatusCode;
use serde_json::json;
use thirtyfour::By;
use tokio::time::{Instant, sleep};

use crate::support::Browser;
use crate::test_mode::{mark, sandbox_page};

/// How long mdBook is installed in the background, at most.
const DOCS_LIMIT: Duration = Duration::from_mins(10);

/// The browser on the demo's shop page.
struct Newcomer {
    browser: Browser,
    shop: String,
}

impl Newcomer {
    async fn start() -> Self {
        let shop =
            env::var("TENDER_DEMO").expect("TENDER_DEMO is the address that the demo prints");
        Self {
            browser: Browser::start().await,
            shop: shop.trim_end_matches('/').to_owned(),
        }
    }

    async fn go(&self, path: &str) {
        let url = format!("{}{path}", self.shop);
        self.browser.go(&url).await;
    }

    /// Buys on the shop's page, and marks the payment as paid on the sandbox's page. Returns the invoice number.
    async fn buy(&self) -> String {
        let checkout = self.browser.pay(&self.shop, "TRON, TRON").await;
        let invoice = self.browser.find(By::Css(".reference")).await;
        let invoice = invoice.text().await.unwrap();

        let page = sandbox_page(&self.browser).await;
        let paid = mark(&self.browser, &page, "Paid");
        self.browser.in_tab(paid).await;
        checkout.reads("Payment received").await;
        invoice
    }

    /// Waits until the dashboard shows this invoice as paid.
    async fn sees_in_the_back_office(&self, invoice: &str) {
        self.go("/office").await;
        let password = self.browser.find(By::Css("[name=password]")).await;
        password.send_keys("demo").await.unwrap();
        self.browser.click(By::Css("form button")).await;
        let is_paid = "
            const root = document.querySelector('tender-payments')?.shadowRoot;
            const rows = [...root?.querySelectorAll('[part~=row]') ?? []];
            return rows.some(({ innerText }) => innerText.includes(arguments[0]) && innerText.includes('Paid'))";
        let what = format_args!("{invoice} as paid");
        self.browser.sees(what, is_paid, [json!(invoice)]).await;
    }

    /// Waits until the documentation is made, and opens it.
    async fn reads_the_documentation(&self) {
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let deadline = Instant::now() + DOCS_LIMIT;
        let page = format!("{}/docs/", self.shop);
        while client.get(&page).send().await.unwrap().status() != StatusCode::OK {
            assert!(Instant::now() < deadline, "{page} is not there");
            sleep(Duration::from_secs(1)).await;
        }
        self.go("/docs/").await;
        self.browser.click(By::LinkText("Quick start")).await;
        let heading = By::XPath("//main//h1[normalize-space()='Quick start']");
        self.browser.find(heading).await;
        // A link to one language shows its program alone.
        self.go("/docs/orders.html#python").await;
        let is_alone = "
            const shown = [...document.querySelectorAll('.languages h3')].filter((heading) => heading.checkVisibility());
            const own = performance.getEntriesByType('resource').every(({ name }) => name.startsWith(location.origin));
            return own && shown.map(({ textContent }) => textContent).join() === arguments[0]";
        let python = [json!("Python")];
        self.browser
            .sees("the program in Python", is_alone, python)
            .await;
        self.browser.click(By::Id("tab-ruby")).await;
        let ruby = [json!("Ruby")];
        self.browser
            .sees("the program in Ruby", is_alone, ruby)
            .await;
    }

    /// Buys by the link in the element, which browsers without scripts show.
    async fn buys_without_scripts(&self) {
        self.browser.scripts(false).await;
        self.go("/").await;
        self.browser
            .click(By::LinkText("Pay without JavaScript"))
            .await;
        self.browser.click(By::Css("input[value=btc]")).await;
        self.browser.click(By::Css("[part=submit]")).await;
        self.browser.amount().await;
    }
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the running demo: cargo xtask test newcomer"]
async fn buys() {
    let newcomer = Newcomer::start().await;
    newcomer.buy().await;
    assert_eq!(newcomer.browser.console_errors().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "needs the running demo: cargo xtask test newcomer"]
async fn buys_and_looks_around() {
    let newcomer = Newcomer::start().await;
    let invoice = newcomer.buy().await;
    newcomer.sees_in_the_back_office(&invoice).await;
    newcomer.go("/playground").await;
    let checkout = newcomer.browser.checkout("tender-checkout").await;
    checkout.is_choosing().await;
    newcomer.reads_the_documentation().await;
    newcomer.buys_without_scripts().await;
    assert_eq!(newcomer.browser.console_errors().await, [""; 0]);
}
