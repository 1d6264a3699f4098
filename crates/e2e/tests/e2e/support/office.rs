//! The dashboard as a merchant uses it: in the shop's back office, or with a key.

mod states;

use axum::http::StatusCode;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tender_protocol::path;

pub(crate) use self::states::STATES;
use super::browser::{BREAKS_ONCE, Browser};
use super::checkout::Checkout;
use super::servers::{MERCHANT_KEY, OFFICE_PASSWORD, Servers};
use super::stage::map_statuses;

/// JavaScript helpers for scripts about the element.
const ROOT: &str = "
    const root = document.querySelector('tender-payments')?.shadowRoot;
    if (!root) return null;
    const part = (name) => [...root.querySelectorAll(`[part~=\"${name}\"]`)];
    const text = (node) => node.innerText.replace(/\\s+/g, ' ').trim();
    const invoices = () => part('row').map((row) => row.querySelector('td:nth-child(2) bdi').textContent);
";

/// Enters a search text.
const SEARCH: &str = "
    const input = root.querySelector('#search');
    input.value = arguments[0];
    input.dispatchEvent(new Event('input', { bubbles: true }))";

/// The servers and a browser, with the dashboard on the page.
pub(crate) struct Office {
    pub(crate) servers: Servers,
    pub(crate) browser: Browser,
    language: &'static str,
}

impl Office {
    /// Starts servers without payments; the element uses this language.
    pub(crate) async fn open(language: &'static str) -> Self {
        Self {
            servers: Servers::open_office(map_statuses).await,
            browser: Browser::start().await,
            language,
        }
    }

    /// Starts servers with this number of payments; `INV-1` is the oldest.
    pub(crate) async fn with(payments: usize) -> Self {
        let office = Self::open("en").await;
        office.fill(payments).await;
        office
    }

    /// Switches to new servers without payments, whose proxy makes payment links.
    pub(crate) async fn move_on(&mut self) {
        self.browser.leave().await;
        self.browser.driver.delete_all_cookies().await.unwrap();
        self.servers = Servers::open_office(|config| {
            map_statuses(config);
            config.server.public_url = Some("https://pay.shop.example".parse().unwrap());
            config.payment_links.is_on = true;
            let max = ["usdtt=500", "btc=0.01"].map(|max| max.parse().unwrap());
            config.payment_links.max_quantities = max.into();
        })
        .await;
    }

    /// Creates this number of payments, from `INV-1`.
    pub(crate) async fn fill(&self, payments: usize) {
        for number in 1..=payments {
            let invoice = json!({ "invoiceNumber": format!("INV-{number}") });
            self.create(invoice).await;
        }
    }

    /// Creates a payment directly at the service, with these fields replaced.
    pub(crate) async fn create(&self, fields: Value) {
        let mut payment = json!({
            "token": "usdtt", "quantity": 48.5, "paymentToken": "trx", "invoiceNumber": "INV-1",
            "purchaseEmail": "buyer@example.com",
        });
        let fields = fields.as_object().unwrap().clone();
        payment.as_object_mut().unwrap().extend(fields);
        let (service, _) = self.servers.service_urls();
        let status = ask_for_payment(&service, &payment).await;
        assert!(status.is_success(), "{status}");
    }

    /// Sends the proxy a signed order for this invoice. Only what is created through the proxy is notified.
    pub(crate) async fn order(&self, invoice: &str) -> StatusCode {
        let body = json!({ "order": self.servers.order(invoice), "paymentToken": "trx" });
        ask_for_payment(&self.servers.proxy_url(), &body).await
    }

    /// Logs in at the shop, and waits for the list. The page's language is the shop's, the element's its own.
    pub(crate) async fn log_in(&self) {
        self.browser.go(self.servers.shop_page("/office")).await;
        let script = "
            document.querySelector('[name=password]').value = arguments[0];
            document.querySelector('form').submit()";
        let () = self.browser.run(script, [json!(OFFICE_PASSWORD)]).await;
        self.part("dashboard").await;
        self.element().await.speak(self.language).await;
    }

    /// Ends the shop's session without the page's knowledge.
    pub(crate) async fn log_out(&self) {
        self.browser.driver.delete_all_cookies().await.unwrap();
    }

    /// Opens a page of the merchant that calls the proxy directly.
    pub(crate) async fn visit(&self) {
        let proxy = self.servers.proxy_url();
        let language = self.language;
        let page = self.servers.page(&format!(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
             <meta name=\"color-scheme\" content=\"light dark\">
             <style>body {{ margin: 0 }} a {{ color: inherit }} h1 {{ margin: 16px; font-size: 24px }}</style>
             <script src=\"{proxy}/v1/payments.js\" async></script>
             <header><a href=\"#\">The shop</a></header>
             <main>
               <h1>Back office</h1>
               <tender-payments proxy=\"{proxy}\" locale=\"{language}\"><p>Fallback</p></tender-payments>
             </main>
             <footer><a href=\"#\">Help</a></footer>"
        ));
        self.browser.go(&page).await;
    }

    /// The element on this page.
    pub(crate) async fn element(&self) -> Checkout<'_> {
        self.browser.checkout("tender-payments").await
    }

    /// Enters a key and submits it.
    pub(crate) async fn enter(&self, key: &str) {
        self.part("key-form").await;
        let script = "root.querySelector('#key').value = arguments[0]; part('submit')[0].click()";
        let () = self.ask(script, key).await;
    }

    /// Evaluates a script about the element; `root`, `part`, `text` and `invoices` are available.
    pub(crate) async fn ask<T: DeserializeOwned>(
        &self,
        script: &str,
        argument: impl Into<Value>,
    ) -> T {
        self.browser
            .run(&format!("{ROOT}{script}"), [argument.into()])
            .await
    }

    /// Waits until a script returns true.
    pub(crate) async fn sees(&self, what: &str, script: &str, argument: impl Into<Value>) {
        let script = format!("{ROOT}return Boolean({script})");
        self.browser.sees(what, &script, [argument.into()]).await;
    }

    /// Waits for a part.
    pub(crate) async fn part(&self, name: &str) {
        self.sees(name, "part(arguments[0]).length > 0", name).await;
    }

    /// Waits for what a CSS selector finds.
    pub(crate) async fn has(&self, css: &str) {
        let is_there = "root.querySelector(arguments[0])";
        self.sees(css, is_there, css).await;
    }

    /// Presses the first part of this name.
    pub(crate) async fn press(&self, name: &str) {
        self.part(name).await;
        let () = self.ask("part(arguments[0])[0].click()", name).await;
    }

    /// Waits until the page shows these invoices.
    pub(crate) async fn shows(&self, invoices: &[String]) {
        let script = "JSON.stringify(invoices()) === JSON.stringify(arguments[0])";
        self.sees(&format!("{invoices:?}"), script, invoices).await;
    }

    /// Waits until the element contains this text.
    pub(crate) async fn reads(&self, words: &str) {
        let script = "text(root.querySelector('.card')).includes(arguments[0])";
        self.sees(words, script, words).await;
    }

    /// Enters a search text.
    pub(crate) async fn search(&self, text: &str) {
        let () = self.ask(SEARCH, text).await;
    }

    /// Enters a search text on a page that breaks when it shows what was found. No update of the page comes between.
    pub(crate) async fn search_and_break(&self, text: &str) {
        let script = format!("{BREAKS_ONCE}{SEARCH}");
        let () = self.ask(&script, text).await;
    }

    /// Records the downloads of all later pages.
    pub(crate) async fn records_files(&self) {
        let recorder = "
            const make = URL.createObjectURL;
            URL.createObjectURL = (blob) => { window.offered = blob; return make.call(URL, blob); };";
        self.browser.install(recorder).await;
    }

    /// The last downloaded file.
    pub(crate) async fn file(&self) -> String {
        self.browser.run("return offered.text()", []).await
    }

    /// Submits the form for a payment link with this price and invoice.
    pub(crate) async fn ask_for_link(&self, price: &str, invoice: &str) {
        let script = "
            const [price, invoice] = arguments[0];
            root.querySelector('#link-price').value = price;
            root.querySelector('#link-invoice').value = invoice;
            root.querySelector('.link-form [part=submit]').click()";
        let () = self.ask(script, json!([price, invoice])).await;
    }

    /// Asserts that the page has no merchant key, and that its policy blocked nothing.
    pub(crate) async fn has_no_key(&self) {
        let kept = "return document.documentElement.outerHTML + JSON.stringify(sessionStorage) + document.cookie";
        let kept: String = self.browser.run(kept, []).await;
        assert!(!kept.contains(MERCHANT_KEY));
        assert_eq!(self.browser.refused_by_policy().await, [""; 0]);
    }

    /// Selects the payment of this invoice.
    pub(crate) async fn pick(&self, invoice: &str) {
        let script = "part('row')[invoices().indexOf(arguments[0])].querySelector('input').click()";
        let () = self.ask(script, invoice).await;
    }
}

/// Sends a create request to the service or the proxy.
async fn ask_for_payment(origin: &str, body: &Value) -> StatusCode {
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = client.post(format!("{origin}{}", path::PAYMENT)).json(body);
    request.send().await.unwrap().status()
}

/// `INV-from` to `INV-to`, newest first.
pub(crate) fn invoices(from: usize, to: usize) -> Vec<String> {
    (to..=from)
        .rev()
        .map(|number| format!("INV-{number}"))
        .collect()
}
