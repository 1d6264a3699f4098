//! The merchant's payments, as a merchant meets them: in the shop's back office, or by key.

use std::sync::Mutex;

use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use super::browser::Browser;
use super::house::{House, OFFICE_PASSWORD};
use super::wait::until;

/// Finds what a script asks for in the element.
const ROOT: &str = "
    const root = document.querySelector('tender-payments')?.shadowRoot;
    if (!root) return null;
    const part = (name) => [...root.querySelectorAll(`[part~=\"${name}\"]`)];
    const text = (node) => node.innerText.replace(/\\s+/g, ' ').trim();
    const invoices = () => part('row').map((row) => row.querySelector('td:nth-child(2) bdi').textContent);
";

/// A house and a browser, with the merchant's payments on the page.
pub(crate) struct Office {
    pub(crate) house: House,
    pub(crate) browser: Browser,
    locale: Mutex<&'static str>,
}

impl Office {
    /// Opens a house in which so many payments were created: `INV-1` is the oldest.
    pub(crate) async fn with(payments: usize) -> Self {
        let office = Self {
            house: House::open().await,
            browser: Browser::start().await,
            locale: Mutex::new("en"),
        };
        for number in 1..=payments {
            office
                .create(json!({ "invoiceNumber": format!("INV-{number}") }))
                .await;
        }
        office
    }

    /// Creates a payment at the service, as another shop page of the project does; these fields take the place of
    /// the usual ones.
    pub(crate) async fn create(&self, fields: Value) {
        let mut payment = json!({
            "token": "usdtt", "quantity": 48.5, "paymentToken": "trx", "invoiceNumber": "INV-1",
            "purchaseEmail": "buyer@example.com",
        });
        let fields = fields.as_object().unwrap().clone();
        payment.as_object_mut().unwrap().extend(fields);
        let (service, _) = self.house.service_urls();
        let client = reqwest::Client::builder().no_proxy().build().unwrap();
        let request = client
            .post(format!("{service}/api/v1/payment"))
            .json(&payment);
        let answer = request.send().await.unwrap();
        assert!(
            answer.status().is_success(),
            "{}",
            answer.text().await.unwrap()
        );
    }

    /// Logs in at the shop, and waits for the list.
    pub(crate) async fn log_in(&self) {
        self.browser
            .driver()
            .goto(self.house.office_page())
            .await
            .unwrap();
        let script = "
            document.querySelector('[name=password]').value = arguments[0];
            document.querySelector('form').submit();
            return null";
        let _: Value = self.browser.run(script, [json!(OFFICE_PASSWORD)]).await;
        self.part("desk").await;
    }

    /// Speaks this language on the pages that are opened from now on.
    pub(crate) fn set_locale(&self, language: &'static str) {
        *self.locale.lock().unwrap() = language;
    }

    /// Opens a page of the merchant that asks the proxy itself.
    pub(crate) async fn visit(&self, attributes: &str) {
        let proxy = self.house.proxy_url();
        let locale = *self.locale.lock().unwrap();
        let page = self.house.page(&format!(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
             <script src=\"{proxy}/v1/payments.js\" async></script>
             <main><h1>Back office</h1>
             <tender-payments proxy=\"{proxy}\" locale=\"{locale}\" {attributes}><p>Fallback</p></tender-payments></main>"
        ));
        self.browser.driver().goto(&page).await.unwrap();
    }

    /// Types a key and sends it.
    pub(crate) async fn enter(&self, key: &str) {
        self.part("entry").await;
        let script = "root.querySelector('#key').value = arguments[0]; part('submit')[0].click(); return true";
        let _: Value = self.ask(script, json!(key)).await;
    }

    /// What a script says of the element, with `root`, `part`, `text` and `invoices` at hand.
    pub(crate) async fn ask<T: DeserializeOwned>(&self, script: &str, argument: Value) -> T {
        self.browser
            .run(&format!("{ROOT}{script}"), [argument])
            .await
    }

    /// Waits until a script says so.
    pub(crate) async fn sees(&self, what: &str, script: &str, argument: Value) {
        let script = format!("{ROOT}return Boolean({script})");
        until(what, async || {
            let argument = argument.clone();
            let seen = self
                .browser
                .driver()
                .execute(&script, vec![argument])
                .await?;
            Ok((seen.json() == &json!(true)).then_some(()))
        })
        .await;
    }

    /// Waits for a part.
    pub(crate) async fn part(&self, name: &str) {
        self.sees(name, "part(arguments[0]).length > 0", json!(name))
            .await;
    }

    /// Presses a part, the first of its name.
    pub(crate) async fn press(&self, name: &str) {
        self.part(name).await;
        let _: Value = self
            .ask("part(arguments[0])[0].click(); return true", json!(name))
            .await;
    }

    /// Waits until the page shows these invoices.
    pub(crate) async fn shows(&self, invoices: &[String]) {
        let script = "JSON.stringify(invoices()) === JSON.stringify(arguments[0])";
        self.sees(&format!("{invoices:?}"), script, json!(invoices))
            .await;
    }

    /// Waits until the element says this somewhere.
    pub(crate) async fn reads(&self, words: &str) {
        let script = "text(root.querySelector('.card')).includes(arguments[0])";
        self.sees(words, script, json!(words)).await;
    }

    /// Looks for this.
    pub(crate) async fn search(&self, text: &str) {
        let script = "
            const input = root.querySelector('#search');
            input.value = arguments[0];
            input.dispatchEvent(new Event('input', { bubbles: true }));
            return true";
        let _: Value = self.ask(script, json!(text)).await;
    }

    /// Selects the payment of this invoice.
    pub(crate) async fn pick(&self, invoice: &str) {
        let script = "part('row')[invoices().indexOf(arguments[0])].querySelector('input').click(); return true";
        let _: Value = self.ask(script, json!(invoice)).await;
    }
}

/// `INV-from` to `INV-to`, newest first.
pub(crate) fn invoices(from: usize, to: usize) -> Vec<String> {
    (to..=from)
        .rev()
        .map(|number| format!("INV-{number}"))
        .collect()
}
