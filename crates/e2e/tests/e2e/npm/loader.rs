//! `loadTender`, which loads the proxy's script.

use serde_json::{Value, json};

use super::json_of;
use crate::support::{Browser, Engine, Servers, dist, in_each_engine, until};

const LOADER: &str = include_str!("../../../../../npm/index.js");

/// A page that has `loadTender`.
struct Page {
    servers: Servers,
    browser: Browser,
}

impl Page {
    /// With this HTML above the script.
    async fn open(html: &str) -> Self {
        Self::open_in(Engine::Chromium, html).await
    }

    async fn open_in(engine: Engine, html: &str) -> Self {
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
        until("the page's script", async || {
            let script = "return 'loadTender' in window";
            let is_there: bool = self.browser.run(script, []).await;
            Ok(is_there.then_some(()))
        })
        .await;
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
        let script = "
            const requests = performance.getEntriesByType('resource').map(({ name }) => name);
            return requests.filter((name) => /\\/(checkout|payments)[^/]*\\.js$/.test(name))";
        self.browser.run(script, []).await
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
        let _: Value = self.browser.run(script, arguments).await;
        let checkout = self.browser.checkout("tender-checkout").await;
        checkout.choose("Tether USD, TRON").await;
        checkout.press_part("submit").await;
        assert_eq!(checkout.attribute("amount", "data-value").await, "3.25");
    }
}

/// A Content Security Policy for the head of a page.
fn policy(policy: &str) -> String {
    format!("<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">")
}

/// The name of the pinned loader, and its hash.
fn pinned() -> (String, Value) {
    let manifest = json_of(&dist().join("v1/checkout.integrity.json"));
    let loader = manifest["loader"].as_str().unwrap().to_owned();
    let integrity = manifest["integrity"][&loader].clone();
    (loader, integrity)
}

#[tokio::test(flavor = "multi_thread")]
async fn two_calls_load_one_script() {
    let page = Page::open("").await;
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
    let page = Page::open("").await;
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
    let page = Page::open(&policy("script-src 'nonce-of-this-page'")).await;
    let src = page.src("checkout.js");
    let other = json!({ "src": src, "nonce": "of-another-page" });
    assert!(page.load(other).await.is_some());
    let own = json!({ "src": src, "nonce": "of-this-page" });
    assert_eq!(page.load(own).await, None);
}

/// The loader without a version, and the pinned one.
#[tokio::test(flavor = "multi_thread")]
async fn a_script_with_another_hash_is_refused() {
    let page = Page::open("").await;
    for name in ["checkout.js", &pinned().0] {
        page.visit("").await;
        let src = page.src(name);
        let script = "
            const content = await (await fetch(arguments[0])).arrayBuffer();
            const hash = new Uint8Array(await crypto.subtle.digest('SHA-384', content));
            return `sha384-${btoa(String.fromCharCode(...hash))}`";
        let integrity: String = page.browser.run(script, [json!(src)]).await;
        let other = integrity.chars().rev().filter(|c| c.is_alphanumeric());
        let wrong = format!("sha384-{}", other.take(64).collect::<String>());
        let refused = page.load(json!({ "src": src, "integrity": wrong })).await;
        assert!(refused.is_some(), "{name}");
        let options = json!({ "src": src, "integrity": integrity });
        assert_eq!(page.load(options).await, None, "{name}");
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
    let page = Page::open_in(engine, &policy).await;
    for name in ["checkout.js", &pinned().0] {
        page.visit(&policy).await;
        let src = page.src(name);
        assert_eq!(page.load(json!({ "src": src })).await, None, "{name}");
        page.buys(name).await;
    }
}

/// The address of a script element does, which only a script with a hash or a nonce has.
#[tokio::test(flavor = "multi_thread")]
async fn a_script_with_a_hash_needs_a_trusted_address() {
    let policy = policy("require-trusted-types-for 'script'; trusted-types shop");
    let page = Page::open(&policy).await;
    let (loader, integrity) = pinned();
    let src = page.src(&loader);
    let refused = page
        .load(json!({ "src": src, "integrity": integrity }))
        .await;
    assert!(refused.is_some());
    let script = "
        const [src, integrity] = arguments;
        const shop = trustedTypes.createPolicy('shop', { createScriptURL: (address) => address });
        return loadTender({ src: shop.createScriptURL(src), integrity }).then(() => null, (error) => error.message)";
    let arguments = [json!(src), integrity];
    let failed: Option<String> = page.browser.run(script, arguments).await;
    assert_eq!(failed, None);
    page.buys(&loader).await;
}
