//! What comes before the first choice, what comes after it, and what becomes of the wish to pay where
//! the latter does not come.

use serde_json::Value;
use tender_checkout_core::text::Text;

use crate::support::{Browser, Checkout, Role, Scenery, Servers, Stage, until};

const TOKEN: &str = "Bitcoin, Bitcoin";
const PART: &str = "*_later.wasm";

/// Loader, glue, module and listing: each once. The part that a payment needs comes by itself.
#[tokio::test(flavor = "multi_thread")]
async fn four_requests_and_the_rest_while_the_buyer_chooses() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.is_choosing().await;
    let asked = until("the part that a payment needs", async || {
        let asked = asked(&browser, &servers).await;
        let has_part = asked.iter().any(|name| name.ends_with("_later.wasm"));
        Ok(has_part.then_some(asked))
    })
    .await;
    let kind = |name: &str| {
        let ends = ["_later.wasm", "_bg.wasm", "checkout.js", ".js", "my-tokens"];
        *ends.iter().find(|end| name.ends_with(*end)).unwrap()
    };
    let mut kinds: Vec<_> = asked.iter().map(|name| kind(name)).collect();
    kinds.sort_unstable();
    assert_eq!(
        kinds,
        [".js", "_bg.wasm", "_later.wasm", "checkout.js", "my-tokens"]
    );
}

/// No request waits for the answer to another one but the loader's.
#[tokio::test(flavor = "multi_thread")]
async fn the_loader_asks_for_all_at_once() {
    let stage = Stage::open("en").await;
    stage.browser.hold("*/v1/tender-checkout-*").await;
    let page = stage.servers.shop_page("");
    stage.browser.driver().goto(page).await.unwrap();
    // Neither glue nor module has been answered: still the listing has come.
    until("an answered listing", async || {
        let asked = asked(&stage.browser, &stage.servers).await;
        let is_there = asked.iter().any(|name| name.ends_with("my-tokens"));
        Ok(is_there.then_some(()))
    })
    .await;
    stage.browser.clear_network().await;
    let checkout = stage.browser.checkout("tender-checkout").await;
    checkout.is_choosing().await;
}

/// The loader may change with every release, what it loads never under the same name; all of it is
/// compressed.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_served_is_compressed_and_kept() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser.visit(&servers.shop_page("")).await;
    checkout.is_choosing().await;
    let files = asked(&browser, &servers).await;
    let client = reqwest::Client::new();
    let files = files.iter().filter(|file| !file.contains("/api/"));
    for file in files {
        let request = client.get(file).header("accept-encoding", "br, gzip");
        let answer = request.send().await.unwrap();
        let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
        assert_eq!(header("content-encoding"), "br", "{file}");
        let kept = header("cache-control");
        let is_for_ever = kept.contains("immutable");
        assert_eq!(
            is_for_ever,
            !file.ends_with("/checkout.js"),
            "{file}: {kept}"
        );
    }
}

/// Writes down what the page makes (`made`), and what of its own is called that anybody else could notice (`called`): the
/// later part itself may be asked for.
const LISTEN: &str = "
    window.made = [];
    window.called = [];
    const watch = (owner, method, word) => {
      const real = owner[method];
      owner[method] = function (...given) {
        word(...given);
        return real.apply(this, given);
      };
    };
    watch(Document.prototype, 'createElementNS', (space, tag) => made.push(tag));
    watch(window, 'fetch', (asked) => {
      const url = asked.url ?? String(asked);
      if (!url.endsWith('_later.wasm')) called.push(`fetch ${url}`);
    });
    watch(Storage.prototype, 'setItem', (name) => called.push(`setItem ${name}`));
    watch(Storage.prototype, 'removeItem', (name) => called.push(`removeItem ${name}`));
    watch(EventTarget.prototype, 'dispatchEvent', (event) => called.push(`dispatchEvent ${event.type}`));
    watch(HTMLElement.prototype, 'focus', () => called.push('focus'));
    window.EventSource = class extends EventSource {
      constructor(...given) {
        called.push(`EventSource ${given[0]}`);
        super(...given);
      }
    };
    return null";

/// Once a token is chosen, the page goes through a payment of nobody's, so that the browser has compiled what a real one
/// needs. Nothing of it is seen, events, kept or asked for.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_rehearsed_leaves_nothing_behind() {
    let stage = Stage::open("en").await;
    let Stage {
        browser, servers, ..
    } = &stage;
    let checkout = stage.visit(Scenery::default()).await;
    checkout.is_choosing().await;
    browser.run::<Value, 0>(LISTEN, []).await;
    checkout.choose(TOKEN).await;
    until("a payment's details, made for nobody to see", async || {
        let is_made: bool = browser.run("return made.includes('dl')", []).await;
        Ok(is_made.then_some(()))
    })
    .await;

    // The view is made in one task, and the script that saw it was another.
    let called: Vec<String> = browser.run("return called", []).await;
    assert_eq!(called, [""; 0]);
    assert!(checkout.parts("payment").await.unwrap().is_empty());
    let events = "return recorded.events.map(({ type }) => type)";
    let events: Vec<String> = browser.run(events, []).await;
    assert_eq!(events, ["tender-ready"]);
    let kept: u32 = browser.run("return sessionStorage.length", []).await;
    assert_eq!(kept, 0);
    let asked = asked(browser, servers).await;
    assert!(asked.iter().all(|name| !name.contains("/payment")));
    assert!(servers.payments().is_empty());

    checkout.press_part("submit").await;
    shows_the_only_payment(&stage, &checkout).await;
    // What it would have been seen by: a real payment is.
    until("the calls of a payment", async || {
        let called: Vec<String> = browser.run("return called", []).await;
        let is_called = |what: &&str| called.iter().any(|call| call.starts_with(what));
        let kinds = [
            "fetch ",
            "setItem ",
            "dispatchEvent tender-created",
            "focus",
        ];
        Ok(kinds.iter().all(is_called).then_some(()))
    })
    .await;
}

/// Who is quicker than the part is events that something is under way, and need not press again.
#[tokio::test(flavor = "multi_thread")]
async fn who_submits_before_the_part_is_here_waits_for_it() {
    let stage = Stage::open("en").await;
    stage.browser.hold(PART).await;
    let checkout = stage.submit(TOKEN, Scenery::default()).await;
    stage.reads(&checkout, Text::Creating).await;
    checkout.press_part("submit").await;
    assert!(stage.servers.payments().is_empty());

    stage.browser.clear_network().await;
    shows_the_only_payment(&stage, &checkout).await;
}

/// Without the part nothing is begun: what the buyer has chosen is there again after another try.
#[tokio::test(flavor = "multi_thread")]
async fn a_wish_to_pay_waits_for_its_part() {
    let stage = Stage::open("en").await;
    stage.browser.block(&[PART]).await;
    let checkout = stage.submit(TOKEN, Scenery::default()).await;
    checkout.get(Role::Button, "Try again").await;
    assert!(stage.servers.payments().is_empty());

    stage.browser.clear_network().await;
    checkout.press("Try again").await;
    checkout.is_choosing().await;
    checkout.press_part("submit").await;
    shows_the_only_payment(&stage, &checkout).await;
}

/// The tab remembers a payment that its page can't show: nothing else may begin.
#[tokio::test(flavor = "multi_thread")]
async fn a_payment_of_before_waits_for_its_part() {
    let stage = Stage::open("en").await;
    stage.pay(TOKEN, Scenery::default()).await;
    stage.browser.block(&[PART]).await;
    stage.browser.driver().refresh().await.unwrap();
    let checkout = stage.browser.checkout("tender-checkout").await;
    checkout.get(Role::Button, "Try again").await;
    assert!(checkout.names(Role::Radio).await.is_empty());
    checkout.press("Try again").await;

    stage.browser.clear_network().await;
    until("the payment", async || {
        // While the part is asked for again there is nothing to press.
        if checkout.parts("amount").await?.is_empty() {
            for button in checkout.parts("retry").await? {
                button.click().await?;
            }
            return Ok(None);
        }
        Ok(Some(()))
    })
    .await;
    shows_the_only_payment(&stage, &checkout).await;
}

async fn shows_the_only_payment(stage: &Stage, checkout: &Checkout<'_>) {
    let amount = checkout.amount().await;
    assert_eq!(
        amount,
        stage.servers.only_payment().quantity_pay.to_string()
    );
}

/// What the page has asked the proxy for, and had an answer to.
async fn asked(browser: &Browser, servers: &Servers) -> Vec<String> {
    let script = "return performance.getEntriesByType('resource').map(({ name }) => name)";
    let names: Vec<Value> = browser.run(script, []).await;
    let names = names.iter().filter_map(Value::as_str).map(str::to_owned);
    names
        .filter(|name| name.starts_with(&servers.proxy_url()))
        .collect()
}
