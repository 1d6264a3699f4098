//! The form that a shop has in its HTML, before the loader is there.

use serde_json::Value;

use crate::first_paint::{OBSERVE, taken_over};
use crate::npm::loader::manifest;
use crate::support::{Browser, Stage, publish, until};

/// The address of a shop's page whose HTML has the form for a new order, with Bitcoin selected, and its styles as a `style` or
/// a `link`.
pub(crate) async fn page(stage: &Stage, inline: &str, head: &str) -> String {
    let proxy = stage.servers.proxy_url();
    let loader = format!("<script src=\"{proxy}/v1/checkout.js\" async></script>");
    page_with(stage, inline, head, &loader).await
}

async fn page_with(stage: &Stage, inline: &str, head: &str, loader: &str) -> String {
    let proxy = stage.servers.proxy_url();
    let language = &stage.language;
    let query = format!(
        "token=usdtt&quantity=48.50&payment-token=btc&ask=name&locale={language}&inline={inline}"
    );
    let response = reqwest::get(format!("{proxy}/v1/checkout.html?{query}")).await;
    let template = response.unwrap().error_for_status().unwrap().text().await;
    let order = stage.order(Value::Null);
    let template = template.unwrap().replace("{{order}}", &order);
    stage.servers.page(&format!(
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">{head}
         <style nonce=\"page\">body {{ margin: 0 }}</style>
         <main>
           <tender-checkout proxy=\"{proxy}\" order=\"{order}\" locale=\"{language}\" payment-token=\"btc\" ask=\"name\">
             <template shadowrootmode=\"open\">{template}</template>
             <a href=\"{proxy}/pay?order={order}\">Pay without JavaScript</a>
           </tender-checkout>
         </main>
         {loader}"
    ))
}

/// Presses "Pay" in a page without the loader, and pays on the page that it leads to.
pub(crate) async fn pays_without_the_loader(stage: &Stage, inline: &str, head: &str) {
    let address = page_with(stage, inline, head, "").await;
    let checkout = stage.browser.visit(&address).await;
    // By its value: WebKit's driver knows no roles in a shadow root of the page's HTML.
    let radio = checkout.is_there("[value=trx]").await;
    radio.click().await.unwrap();
    checkout.press_part("submit").await;
    let address = until("the payment page", async || {
        let address = stage.browser.driver.current_url().await?;
        Ok((address.path() == "/pay").then_some(address))
    })
    .await;
    let names: Vec<_> = address
        .query_pairs()
        .map(|(name, _)| name.into_owned())
        .collect();
    assert_eq!(names, ["order", "ask", "lang", "payment-token"]);
    let live = stage.browser.checkout("tender-checkout").await;
    live.is_choosing().await;
    live.press_part("submit").await;
    live.amount().await;
    assert_eq!(stage.servers.only_payment().payment_token, "TRX");
}

/// Nothing moves from the first paint to the module's view.
#[tokio::test(flavor = "multi_thread")]
async fn the_module_takes_over_without_a_shift() {
    // The parser may pause within a line of the form, whose rest then moves what is shown.
    let observe =
        format!("<script>addEventListener('DOMContentLoaded', () => {{ {OBSERVE} }})</script>");
    for (language, inline) in [("en", "style"), ("de", "link"), ("ar", "style")] {
        let stage = Stage::in_browser(Browser::start().await, language, publish).await;
        stage.browser.hold("*/v1/tender-checkout-*").await;
        let checkout = stage
            .browser
            .visit(&page(&stage, inline, &observe).await)
            .await;
        checkout.has("form.form").await;
        stage.browser.is_drawn().await;
        // A mark that only the same element has.
        let mark = "const root = document.querySelector('tender-checkout').shadowRoot;
            root.querySelector('form').mark = 'first'";
        stage.browser.execute(mark).await;
        checkout.has("[data-first-paint]").await;
        let is_there = "return performance.getEntriesByType('resource')
            .some(({ name, responseEnd }) => name.includes('/v1/checkout.html?') && responseEnd > 0)";
        stage.browser.sees("the form of now", is_there, []).await;
        stage.browser.is_drawn().await;
        let marked = "return document.querySelector('tender-checkout').shadowRoot.querySelector('form').mark ?? ''";
        let mark: String = stage.browser.run(marked, []).await;
        assert_eq!(mark, "first", "{language}");
        taken_over(&stage).await;
        let mark: String = stage.browser.run(marked, []).await;
        assert_eq!(mark, "", "{language}");
        checkout.press_part("submit").await;
        checkout.part("amount").await;
        assert_eq!(stage.servers.only_payment().payment_token, "BTC");
    }
}

/// With a policy that allows only what the documentation names, and Trusted Types without a policy.
#[tokio::test(flavor = "multi_thread")]
async fn a_strict_policy_allows_the_form() {
    let manifest = manifest();
    let hash = &manifest["integrity"][manifest["style"].as_str().unwrap()];
    let hash = format!("'{}'", hash.as_str().unwrap());
    for inline in ["style", "link"] {
        let stage = Stage::in_browser(Browser::start().await, "en", publish).await;
        let proxy = stage.servers.proxy_url();
        let style = if inline == "style" { &hash } else { &proxy };
        let policy = format!(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; \
             script-src {proxy} 'wasm-unsafe-eval'; connect-src {proxy}; img-src *; form-action {proxy}; \
             style-src {style} 'nonce-page'; require-trusted-types-for 'script'; trusted-types 'none'\">"
        );
        let address = page(&stage, inline, &policy).await;
        let checkout = stage.browser.visit(&address).await;
        checkout.is_choosing().await;
        let styled = "const root = document.querySelector('tender-checkout').shadowRoot;
            return getComputedStyle(root.querySelector('.card')).display";
        let display: String = stage.browser.run(styled, []).await;
        assert_eq!(display, "flex");
        assert_eq!(stage.browser.refused_by_policy().await, [""; 0]);
        pays_without_the_loader(&stage, inline, &policy).await;
    }
}
