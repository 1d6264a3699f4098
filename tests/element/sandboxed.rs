//! A frame that is sandboxed without `allow-forms`: the browser submits no form in it.

use js_sys::Promise;
use wasm_bindgen::JsCast;
use wasm_bindgen_futures::JsFuture;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Document, HtmlElement, HtmlIFrameElement};

use crate::support::checkout::ORDER;
use crate::support::page;
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::wait::until;

/// A frame with a `<main>` that has the attributes of a checkout, and an empty card in it.
async fn open(proxy: &Proxy, sandbox: &str) -> HtmlIFrameElement {
    let frame = page::document().create_element("iframe").unwrap();
    let frame: HtmlIFrameElement = frame.unchecked_into();
    frame.set_attribute("sandbox", sandbox).unwrap();
    let order = ORDER
        .map(|(name, value)| format!("{name}='{value}'"))
        .join(" ");
    let address = proxy.address();
    frame.set_srcdoc(&format!(
        "<main proxy='{address}' {order}><div></div></main>"
    ));
    let loaded = Promise::new(&mut |resolve, _| frame.set_onload(Some(&resolve)));
    page::body().append_child(&frame).unwrap();
    JsFuture::from(loaded).await.unwrap();
    frame
}

fn find(document: &Document, selector: &str) -> Option<HtmlElement> {
    let found = document.query_selector(selector).unwrap();
    found.map(JsCast::unchecked_into)
}

#[wasm_bindgen_test]
async fn the_button_pays_once_with_forms_and_without() {
    for sandbox in [
        "allow-scripts allow-same-origin",
        "allow-scripts allow-same-origin allow-forms",
    ] {
        let proxy = Proxy::new();
        let frame = open(&proxy, sandbox).await;
        let document = frame.content_document().unwrap();
        let (host, card) = (
            find(&document, "main").unwrap(),
            find(&document, "div").unwrap(),
        );
        let mounted = tender_checkout::mount(host, card, "en".to_owned(), None, None, None);
        until("the tokens are shown", || {
            find(&document, "[value=btc]").is_some()
        })
        .await;

        find(&document, "[value=btc]").unwrap().click();
        proxy.reply(CREATE, Reply::ok(record::payment(None)));
        find(&document, "[part=submit]").unwrap().click();
        until("the payment is shown", || {
            find(&document, "[part=amount]").is_some()
        })
        .await;
        assert_eq!(proxy.sent(CREATE).len(), 1, "{sandbox}");
        drop(mounted);
        frame.remove();
    }
}
