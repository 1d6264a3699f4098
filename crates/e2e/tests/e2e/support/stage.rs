//! One set of servers and one browser that show many states one after the other.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};
use tender_programs::free_address;
use tender_proxy::Running;
use tokio::sync::OnceCell;

use super::browser::Browser;
use super::checkout::Checkout;
use super::servers::Servers;

const WALLET: &str = include_str!("wallet.js");

/// The statuses that the proxy maps to a state.
pub(crate) const STATUS_PENDING: &str = "Detected";
pub(crate) const STATUS_UNDERPAID: &str = "Partial";
pub(crate) const STATUS_PAID: &str = "Completed";
pub(crate) const STATUS_CLOSED: &str = "Expired";

/// Gives the proxy a public address, which a form in the shop's HTML leads to, and configures the meaning of statuses.
pub(crate) fn publish(proxy: &mut tender_proxy::Config) {
    proxy.server.listen = free_address();
    let url = format!("http://{}", proxy.server.listen);
    proxy.server.public_url = Some(url.parse().unwrap());
    map_statuses(proxy);
}

/// Configures the meaning of these statuses.
pub(crate) fn map_statuses(proxy: &mut tender_proxy::Config) {
    proxy.orders.status_pending = vec![STATUS_PENDING.to_owned()];
    proxy.orders.status_underpaid = vec![STATUS_UNDERPAID.to_owned()];
    proxy.orders.status_paid = vec![STATUS_PAID.to_owned()];
    proxy.orders.status_closed = vec![STATUS_CLOSED.to_owned()];
}

/// A page with only a checkout in a given language, with the real proxy and sandbox.
pub(crate) struct Stage {
    pub(crate) servers: Servers,
    pub(crate) browser: Browser,
    pub(crate) language: String,
    /// The texts of this language, by key.
    texts: HashMap<String, String>,
    /// HTML for the head of each page.
    pub(crate) head: String,
    /// Number of the next invoice: each visit is a new order.
    invoice: AtomicU32,
    /// A proxy in test mode, for the pages that ask for one.
    test_proxy: OnceCell<Running>,
}

/// Changes to the default checkout of 48.50 USDT.
#[derive(Default)]
pub(crate) struct Scenery {
    /// Claims of the order that replace the defaults.
    pub(crate) claims: Value,
    /// Additional attributes of the element.
    pub(crate) attributes: &'static str,
    /// HTML for the head of the page, before the loader.
    pub(crate) head: &'static str,
    /// Whether the proxy runs in test mode.
    pub(crate) is_test: bool,
    /// Whether the fallback is a link to the order's payment page.
    pub(crate) links_to_pay: bool,
}

impl Scenery {
    /// The default checkout with these additional attributes.
    pub(crate) fn with(attributes: &'static str) -> Self {
        Self {
            attributes,
            ..Self::default()
        }
    }

    /// The default checkout with these claims of the order.
    pub(crate) fn claiming(claims: Value) -> Self {
        Self {
            claims,
            ..Self::default()
        }
    }
}

impl Stage {
    /// A stage whose checkout uses this language.
    pub(crate) async fn open(language: &str) -> Self {
        Self::in_browser(Browser::start().await, language, map_statuses).await
    }

    /// The same in this browser, with a changed configuration of the proxy.
    pub(crate) async fn in_browser(
        browser: Browser,
        language: &str,
        change: impl Fn(&mut tender_proxy::Config),
    ) -> Self {
        Self {
            servers: Servers::open_with(change).await,
            browser,
            language: language.to_owned(),
            texts: texts(language),
            head: String::new(),
            invoice: AtomicU32::new(1042),
            test_proxy: OnceCell::new(),
        }
    }

    /// The text with this key in the stage's language.
    pub(crate) fn say(&self, key: &str) -> &str {
        &self.texts[key]
    }

    /// Undoes all changes of an earlier state to the service and the network.
    pub(crate) async fn clear(&self) {
        self.browser.leave().await;
        self.servers.service().reset();
    }

    /// A new order of 48.50 USDT, with these claims in place of the default's; `null` removes one.
    pub(crate) fn order(&self, claims: Value) -> String {
        let invoice = self.invoice.fetch_add(1, Ordering::Relaxed);
        let mut all = json!({
            "token": "usdtt", "quantity": "48.50", "invoiceNumber": format!("INV-{invoice}"),
        });
        if let (Some(all), Value::Object(other)) = (all.as_object_mut(), claims) {
            all.extend(other);
            all.retain(|_, value| !value.is_null());
        }
        self.servers.sign(all)
    }

    /// Opens the page with a new order.
    pub(crate) async fn visit(&self, scenery: Scenery) -> Checkout<'_> {
        let order = self.order(scenery.claims.clone());
        self.visit_order(&order, scenery).await
    }

    /// Opens the page with this order.
    pub(crate) async fn visit_order(&self, order: &str, scenery: Scenery) -> Checkout<'_> {
        let proxy = if scenery.is_test {
            self.test_proxy_url().await
        } else {
            self.servers.proxy_url()
        };
        let fallback = if scenery.links_to_pay {
            format!("{proxy}/pay?order={order}")
        } else {
            "/other".to_owned()
        };
        let page = self.servers.page(&format!(
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
             <meta name=\"color-scheme\" content=\"light dark\">
             <style>body {{ margin: 0 }} h1 {{ margin: 16px; font-size: 24px }}</style>
             {}{}
             <script src=\"{proxy}/v1/checkout.js\" async></script>
             <main>
               <h1>Checkout</h1>
               <tender-checkout proxy=\"{proxy}\" order=\"{}\" locale=\"{}\" {}>
                 <a href=\"{fallback}\">Pay by bank transfer</a>
               </tender-checkout>
             </main>",
            self.head, scenery.head, order, self.language, scenery.attributes,
        ));
        self.browser.visit(&page).await
    }

    async fn test_proxy_url(&self) -> String {
        let start = || {
            self.servers
                .another_proxy(|config| config.upstream.test_mode = true)
        };
        let proxy = self.test_proxy.get_or_init(start).await;
        format!("http://{}", proxy.address())
    }

    /// Forgets what the pages have stored, as on another device.
    pub(crate) async fn change_device(&self) {
        // A checkout could store its payment again.
        self.browser.go(self.servers.page("elsewhere")).await;
        self.browser.execute("sessionStorage.clear()").await;
        self.browser.driver.delete_all_cookies().await.unwrap();
        self.browser.leave().await;
    }

    /// Opens the page of this order on another device.
    pub(crate) async fn on_another_device(&self, order: &str) -> Checkout<'_> {
        self.change_device().await;
        self.visit_order(order, Scenery::default()).await
    }

    /// Adds a browser wallet that supports only this chain, which has no node.
    pub(crate) async fn adds_wallet(&self, chain: &str) {
        let wallet = format!("{}({{}}, {})", WALLET.trim_end(), json!(chain));
        self.browser.execute(&wallet).await;
    }

    /// Opens the page, and waits for the first paint. The module is held.
    pub(crate) async fn first_paint(&self, scenery: Scenery) -> Checkout<'_> {
        self.browser.hold("*/v1/tender-checkout-*").await;
        let checkout = self.visit(scenery).await;
        checkout.has("[data-first-paint]").await;
        checkout
    }

    /// Opens the page, chooses this token, and submits.
    pub(crate) async fn submit(&self, token: &str, scenery: Scenery) -> Checkout<'_> {
        let checkout = self.visit(scenery).await;
        checkout.pay_with(token).await;
        checkout
    }

    /// Opens the page, and proceeds until the payment in this token is shown.
    pub(crate) async fn pay(&self, token: &str, scenery: Scenery) -> Checkout<'_> {
        let checkout = self.submit(token, scenery).await;
        checkout.part("amount").await;
        checkout
    }

    /// Presses the button whose text has this key.
    pub(crate) async fn press(&self, checkout: &Checkout<'_>, key: &str) {
        checkout.press(self.say(key)).await;
    }

    /// The service changes the status of its newest payment, and the checkout shows the text with this key.
    pub(crate) async fn moves(&self, checkout: &Checkout<'_>, status: &str, text: &str) {
        self.servers.set_status(status);
        self.reads(checkout, text).await;
    }

    /// Waits until the checkout contains the text with this key.
    pub(crate) async fn reads(&self, checkout: &Checkout<'_>, key: &str) {
        checkout.reads(self.say(key)).await;
    }
}

fn texts(language: &str) -> HashMap<String, String> {
    let locales = concat!(env!("CARGO_MANIFEST_DIR"), "/../../locales");
    let texts = std::fs::read_to_string(format!("{locales}/{language}.json")).unwrap();
    serde_json::from_str(&texts).unwrap()
}
