//! `loadTender`, which loads the proxy's script.

use serde_json::{Value, json};

use super::json_of;
use crate::support::{Browser, Engine, Servers, dist, in_each_engine};

const LOADER: &str = include_str!("../../../../../npm/index.js");

/// A page that has `loadTender`.
struct Page {
    servers: Servers,
    browser: Browser,
}

impl Page {
    /// With this HTML above the script.
    async fn open(engine: Engine, html: &str) -> Self {
        let page = Self {
            servers: Servers::open().await,
            browser: Browser::start_in(engine, &[]).await,
        };
        page.visit(html).await;
        page
    }

    async fn visit(&self, html: &str) {
        let page = self.servers.page(&format!(
            "{html}<script type=\"module\" nonce=\"of-this-page\">{LOADER} window.loadTender = loadTender;</script>"
        ));
        self.browser.go(&page).await;
        let is_there = "return 'loadTender' in window";
        self.browser.sees("the page's script", is_there, []).await;
    }

    /// The address of a file of the proxy.
    fn src(&self, name: &str) -> String {
        format!("{}/v1/{name}", self.servers.proxy_url())
    }

    /// Calls `loadTender`, and returns the error's message.
    async fn load(&self, options: Value) -> Option<String> {
        let script = "return loadTender(arguments[0]).then(() => null, (error) => error.message)";
        self.browser.run(script, [options]).await
    }

    /// The loaders that the page has requested.
    async fn requests(&self) -> Vec<String> {
        let mut requested = self.browser.requested().await;
        requested.retain(|name| name.ends_with("/checkout.js") || name.ends_with("/payments.js"));
        requested
    }

    /// Adds a checkout to the page, and buys in it: the script finds its files.
    async fn buys(&self, invoice: &str) {
        let claims = json!({ "token": "usdtt", "quantity": "3.25", "invoiceNumber": invoice });
        let script = "
            const [proxy, order] = arguments;
            document.body.append(Object.assign(document.createElement('tender-checkout'), { proxy, order, locale: 'de' }));
            return null";
        let proxy = json!(self.servers.proxy_url());
        let arguments = [proxy, json!(self.servers.sign(claims))];
        let () = self.browser.run(script, arguments).await;
        let checkout = self.browser.checkout("tender-checkout").await;
        checkout.pay_with("Tether USD, TRON").await;
        assert_eq!(checkout.attribute("amount", "data-value").await, "3.25");
    }
}

/// A Content Security Policy for the head of a page.
fn policy(policy: &str) -> String {
    format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")
}

/// The hashes of the widget's files.
pub(crate) fn manifest() -> Value {
    json_of(&dist().join("v1/checkout.integrity.json"))
}

/// The name of the pinned loader, and its hash.
pub(crate) fn pinned() -> (String, String) {
    let manifest = manifest();
    assert_eq!(manifest["version"], env!("CARGO_PKG_VERSION"));
    let loader = manifest["loader"].as_str().unwrap();
    let integrity = manifest["integrity"][loader].as_str().unwrap();
    (loader.to_owned(), integrity.to_owned())
}

#[tokio::test(flavor = "multi_thread")]
async fn two_calls_load_one_script() {
    let page = Page::open(Engine::Chromium, "").await;
    let src = page.src("checkout.js");
    let script = "return Promise.all([loadTender({ src: arguments[0] }), loadTender({ src: new URL(arguments[0]) })])
        .then(() => Boolean(customElements.get('tender-checkout')))";
    let is_registered: bool = page.browser.run(script, [json!(src)]).await;
    assert!(is_registered);
    assert_eq!(page.load(json!({ "src": src })).await, None);
    assert_eq!(page.requests().await, [src.as_str()]);

    // The other element has a script of its own.
    let payments = page.src("payments.js");
    assert_eq!(page.load(json!({ "src": payments })).await, None);
    assert_eq!(page.requests().await, [src.clone(), payments]);

    // The page may have the script tag, too.
    page.visit(&format!("<script src=\"{src}\"></script>"))
        .await;
    assert_eq!(page.load(json!({ "src": src })).await, None);
    assert_eq!(page.requests().await, [src]);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_load_is_an_error_and_the_next_call_tries_again() {
    let page = Page::open(Engine::Chromium, "").await;
    let src = page.src("checkout.js");
    page.browser.block(&["*/v1/checkout.js*"]).await;
    let expected = format!(
        "{src} could not be loaded: check the address, the network and the page's Content Security Policy"
    );
    for _ in 0..2 {
        let failed = page.load(json!({ "src": src })).await;
        assert_eq!(failed.as_ref(), Some(&expected));
    }
    page.browser.block(&[]).await;
    assert_eq!(page.load(json!({ "src": src })).await, None);
    page.buys("INV-1042").await;

    page.visit("").await;
    let preload = json_of(&dist().join("v1/checkout.preload.json"));
    let another = page.src(preload["modulepreload"][0].as_str().unwrap());
    let expected = format!(
        "{another} did not register <tender-tender>: check that it is the proxy's checkout.js or payments.js"
    );
    let failed = page.load(json!({ "src": another })).await;
    assert_eq!(failed, Some(expected));
}

/// With a policy that names no origin, the script needs the page's nonce.
#[tokio::test(flavor = "multi_thread")]
async fn the_script_gets_the_nonce_of_the_page() {
    let page = Page::open(Engine::Chromium, &policy("script-src 'nonce-of-this-page'")).await;
    let src = page.src("checkout.js");
    let other = json!({ "src": src, "nonce": "of-another-page" });
    assert!(page.load(other).await.is_some());
    let own = json!({ "src": src, "nonce": "of-this-page" });
    assert_eq!(page.load(own).await, None);
}

/// The loader without a version, and the pinned one. The address of a script element must be trusted, which only a script with
/// a hash or a nonce has.
#[tokio::test(flavor = "multi_thread")]
async fn a_script_with_a_hash_needs_the_right_one_and_a_trusted_address() {
    let policy = policy("require-trusted-types-for 'script'; trusted-types shop");
    let page = Page::open(Engine::Chromium, &policy).await;
    for name in ["checkout.js", &pinned().0] {
        page.visit(&policy).await;
        let src = page.src(name);
        let script = "
            const content = await (await fetch(arguments[0])).arrayBuffer();
            const hash = new Uint8Array(await crypto.subtle.digest('SHA-384', content));
            return `sha384-${btoa(String.fromCharCode(...hash))}`";
        let integrity: String = page.browser.run(script, [json!(src)]).await;
        let options = json!({ "src": src, "integrity": integrity });
        assert!(page.load(options).await.is_some(), "{name}");
        let script = "
            const [src, integrity] = arguments;
            window.shop ??= trustedTypes.createPolicy('shop', { createScriptURL: (address) => address });
            return loadTender({ src: shop.createScriptURL(src), integrity }).then(() => null, (error) => error.message)";
        let load = async |integrity: &str| -> Option<String> {
            let arguments = [json!(src), json!(integrity)];
            page.browser.run(script, arguments).await
        };
        let other = integrity.chars().rev().filter(|c| c.is_alphanumeric());
        let wrong = format!("sha384-{}", other.take(64).collect::<String>());
        assert!(load(&wrong).await.is_some(), "{name}");
        assert_eq!(load(&integrity).await, None, "{name}");
        page.buys(name).await;
    }
}

in_each_engine! { an_import_needs_neither_a_policy_nor_a_nonce }

/// It has the nonce of the page's script. Browsers without Trusted Types ignore their directives.
async fn an_import_needs_neither_a_policy_nor_a_nonce(engine: Engine) {
    let policy = policy(
        "script-src 'nonce-of-this-page' 'wasm-unsafe-eval'; \
         require-trusted-types-for 'script'; trusted-types 'none'",
    );
    let page = Page::open(engine, &policy).await;
    for name in ["checkout.js", &pinned().0] {
        page.visit(&policy).await;
        let src = page.src(name);
        assert_eq!(page.load(json!({ "src": src })).await, None, "{name}");
        page.buys(name).await;
    }
}
