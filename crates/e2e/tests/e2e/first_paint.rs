//! The form that the proxy renders, and the module's, which takes its place.

mod takeover;

use serde_json::json;

use crate::support::{Browser, Checkout, Scenery, Stage, until};

/// What every script here begins with.
const ROOT: &str = "const root = document.querySelector('tender-checkout').shadowRoot;
    const find = (css) => root.querySelector(css);
    const card = find('.card');";

/// Elements, attributes and texts, without the comments that Leptos marks places with, and without how an image loads,
/// which depends on whether it is there already.
const SERIALISE: &str = "const serialise = (node) => {
        const { localName, attributes, childNodes } = node;
        const skipped = ['data-first-paint', 'loading', 'decoding'];
        const own = [...attributes].filter(({ name }) => !skipped.includes(name));
        const names = own.map(({ name, value }) => `${name}=${JSON.stringify(value)}`).sort();
        const inner = [...childNodes].map((child) =>
            child.nodeType === 1 ? serialise(child) : child.nodeType === 3 ? child.data : '');
        return `<${localName} ${names.join(' ')}>${inner.join('')}</${localName}>`;
    };";

async fn run<T: serde::de::DeserializeOwned>(browser: &Browser, script: &str) -> T {
    browser.run(&format!("{ROOT} {script}"), []).await
}

/// Records what moves in the page from here on, from where and to where.
pub(crate) const OBSERVE: &str = "window.shifts = [];
    const box = ({ x, y, width, height }) => `${x},${y} ${width}x${height}`;
    const move = ({ node, previousRect, currentRect }) =>
      `${node?.outerHTML ?? node?.data}: ${box(previousRect)} -> ${box(currentRect)}`;
    const shift = ({ value, sources }) => `${value} ${sources.map(move).join('; ')}`;
    new PerformanceObserver((list) => window.shifts.push(...list.getEntries().map(shift)))
      .observe({ type: 'layout-shift' });";

/// Opens the page, and waits for the first paint. The module is held.
async fn painted(stage: &Stage, scenery: Scenery) -> Checkout<'_> {
    let checkout = stage.first_paint(scenery).await;
    stage.browser.execute(OBSERVE).await;
    checkout
}

/// Lets the module come, and waits until it has taken over. Nothing may move.
pub(crate) async fn taken_over(stage: &Stage) {
    stage.browser.clear_network().await;
    let is_there = format!("{ROOT} return !find('[data-first-paint], .skeleton')");
    stage.browser.sees("the module's view", &is_there, []).await;
    stage.browser.is_drawn().await;
    let shifts: Vec<String> = stage.browser.run("return window.shifts", []).await;
    assert!(shifts.is_empty(), "{shifts:#?}");
}

/// The form is the same whether the proxy writes it or the module builds it, in three languages. In test mode, both have the
/// banner.
#[tokio::test(flavor = "multi_thread")]
async fn both_renderers_show_the_same() {
    for language in ["en", "fr", "ar"] {
        let stage = Stage::open(language).await;
        shown_by_both(&stage, false).await;
        if language == "en" {
            let html = shown_by_both(&stage, true).await;
            assert!(html.contains(stage.say("test-mode")), "{html}");
        }
    }
}

/// Sends the request for the form once the look-up of the order's payment is answered.
const LATE_FORM: &str = "<script>
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function () {
      this.addEventListener('loadend', () => setTimeout(() => (window.hasForm = true), 100));
      const timer = setInterval(() => {
        const requests = performance.getEntriesByType('resource');
        if (!requests.some(({ name, responseEnd }) => name.includes('/api/v1/payment?') && responseEnd)) return;
        clearInterval(timer);
        send.call(this);
      }, 20);
    };
    </script>";

#[tokio::test(flavor = "multi_thread")]
async fn the_form_of_an_order_that_has_a_payment_is_not_shown() {
    let stage = Stage::open("en").await;
    let order = stage.order(json!({}));
    for has_payment in [false, true] {
        stage.browser.hold("*/v1/tender-checkout-*").await;
        let scenery = Scenery {
            head: LATE_FORM,
            ..Scenery::default()
        };
        let checkout = stage.visit_order(&order, scenery).await;
        let has_form = "return Boolean(window.hasForm)";
        stage.browser.sees("the form", has_form, []).await;
        let is_shown: bool =
            run(&stage.browser, "return Boolean(find('[data-first-paint]'))").await;
        assert_eq!(is_shown, !has_payment);
        stage.browser.clear_network().await;
        if !has_payment {
            checkout.pay_with("Bitcoin, Bitcoin").await;
        }
        checkout.part("amount").await;
        stage.change_device().await;
    }
}

/// Asserts that the form of both renderers is the same. Returns it.
async fn shown_by_both(stage: &Stage, is_test: bool) -> String {
    painted(
        stage,
        Scenery {
            claims: json!({ "quantity": "1234567.50" }),
            attributes: "payment-token=\"usdtt\" ask=\"email! name\" accept=\"usdtt btc trx\"",
            is_test,
            ..Scenery::default()
        },
    )
    .await;
    let script = format!("{SERIALISE} return serialise(card.firstElementChild)");
    let by_proxy: String = run(&stage.browser, &script).await;
    assert!(by_proxy.contains(stage.say("pay-with")), "{by_proxy}");
    taken_over(stage).await;
    let by_module: String = run(&stage.browser, &script).await;
    assert_eq!(by_proxy, by_module);
    by_module
}

/// An address without what makes it another one for each request.
fn without_number(address: &str) -> &str {
    address.split("?_=").next().unwrap_or(address)
}

/// The loader, the form, the listing, the look-up of the order's payment, the glue and the module, each once. Neither invoice,
/// nor e-mail address, nor name is in an address.
#[tokio::test(flavor = "multi_thread")]
async fn six_requests_until_the_first_choice_wait_for_nothing_but_the_loader() {
    let stage = Stage::open("en").await;
    stage.browser.hold("*/v1/tender-checkout-*").await;
    let claims = json!({ "purchaseEmail": "ada@example.com", "purchaseName": "Ada" });
    let scenery = Scenery {
        claims,
        attributes: "ask=\"email name\"",
        ..Scenery::default()
    };
    let checkout = stage.visit(scenery).await;
    let proxy = stage.servers.proxy_url();
    let requested = async || {
        let mut requested = stage.browser.requested().await;
        requested.retain(|name| name.starts_with(&proxy));
        requested
    };
    // Neither glue nor module has been answered.
    until("an answered listing and look-up", async || {
        let requested = requested().await;
        let has = |end: &str| {
            requested
                .iter()
                .any(|name| without_number(name).ends_with(end))
        };
        Ok((has("my-tokens") && has("/api/v1/payment")).then_some(()))
    })
    .await;
    stage.browser.clear_network().await;
    checkout.is_choosing().await;

    let mut requested = requested().await;
    for end in [
        "/checkout.js",
        "/checkout.html?token=usdtt&quantity=48.50&ask=email+name&locale=en",
        "/my-tokens",
        "/api/v1/payment",
        "_bg.wasm",
        // The glue is what remains.
        ".js",
    ] {
        let place = requested
            .iter()
            .position(|name| without_number(name).ends_with(end));
        requested.remove(place.unwrap_or_else(|| panic!("no {end} in {requested:?}")));
    }
    assert_eq!(requested, [""; 0]);
}
