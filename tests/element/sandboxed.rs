//! A frame that is sandboxed without `allow-forms`: the browser submits no form in it.

use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::support::frame::Frame;
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::subject::SUBJECT;
use crate::support::wait::{settled, until};

#[wasm_bindgen_test]
async fn the_button_pays_once_with_forms_and_without() {
    for sandbox in [
        "allow-scripts allow-same-origin",
        "allow-scripts allow-same-origin allow-forms",
    ] {
        let proxy = Proxy::new();
        let head = format!(
            "<script>tender = parent.tender;</script><script>{}</script>",
            SUBJECT.script()
        );
        let frame = Frame::sandboxed(Some(sandbox), &head, &Frame::element(&proxy, "")).await;
        let find = |selector: &str| -> Option<HtmlElement> {
            let root = frame.checkout().shadow_root().unwrap();
            let found = root.query_selector(selector).unwrap();
            found.map(JsCast::unchecked_into)
        };
        until("the tokens are shown", || find("[value=btc]").is_some()).await;
        find("[value=btc]").unwrap().click();
        proxy.reply(CREATE, Reply::ok(record::payment(None)));
        find("[part=submit]").unwrap().click();
        until("the payment is shown", || find("[part=amount]").is_some()).await;
        assert_eq!(proxy.sent(CREATE).len(), 1, "{sandbox}");
        frame.checkout().remove();
        settled().await;
    }
}
