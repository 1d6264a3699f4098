//! The loader's script: what it does once in a page. Each test has a page of its own, in a frame.

use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::frame::{Frame, QUIET_GLUE};
use crate::support::loader::module;
use crate::support::proxy::{Proxy, TOKENS};
use crate::support::wait::{settled, until};

#[wasm_bindgen_test]
async fn a_page_without_an_element_asks_for_nothing_until_there_is_one() {
    let proxy = Proxy::new();
    let frame = Frame::open(&Frame::tag(&module(QUIET_GLUE), ""), "<p>A shop</p>").await;
    settled().await;
    assert!(frame.global("mounted").is_undefined());

    let body = frame.document().body().unwrap();
    body.set_inner_html(&Frame::element(&proxy, ""));
    until("it is shown", || frame.mounted() == 1).await;
    assert_eq!(proxy.sent(TOKENS).len(), 1);
}

#[wasm_bindgen_test]
async fn a_tag_in_the_head_puts_its_element_into_the_body() {
    let proxy = Proxy::new();
    let data = format!(
        "data-proxy='{}' data-order='one.two.three' data-invoice-number='INV-7' data-theme='dark'",
        proxy.address()
    );
    let frame = Frame::open(&Frame::tag(&module(QUIET_GLUE), &data), "<p>A shop</p>").await;
    let found = frame.checkouts();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].parent_element().unwrap().local_name(), "body");
    let written = found[0].get_attribute_names();
    assert_eq!(written.length(), 4);
    assert_eq!(
        found[0].get_attribute("order").as_deref(),
        Some("one.two.three")
    );
    until("it is shown", || frame.mounted() == 1).await;
}

#[wasm_bindgen_test]
async fn a_tag_in_the_body_puts_its_element_behind_itself() {
    let proxy = Proxy::new();
    let data = format!("data-proxy='{}'", proxy.address());
    let tag = Frame::tag(&module(QUIET_GLUE), &data);
    let frame = Frame::open("", &format!("<p>before</p>{tag}<p>after</p>")).await;
    let checkout = frame.checkouts().remove(0);
    let behind = checkout.next_element_sibling().unwrap();
    assert_eq!(behind.text_content().as_deref(), Some("after"));
    assert_eq!(
        checkout.previous_element_sibling().unwrap().local_name(),
        "script"
    );
}

#[wasm_bindgen_test]
async fn a_module_script_works_as_well() {
    let proxy = Proxy::new();
    let tag = Frame::tag(&module(QUIET_GLUE), "type='module'");
    let frame = Frame::open(&tag, &Frame::element(&proxy, "")).await;
    until("it is shown", || frame.mounted() == 1).await;
}

#[wasm_bindgen_test]
async fn an_element_that_left_before_the_module_came_is_not_started() {
    let proxy = Proxy::new();
    // The module arrives when the test says so.
    let glue = module(&QUIET_GLUE.replace(
        "export default async () => {};",
        "export default () => new Promise((resolve) => { globalThis.arrive = resolve; });",
    ));
    let body = [Frame::element(&proxy, ""), Frame::element(&proxy, "")].concat();
    let frame = Frame::open(&Frame::tag(&glue, ""), &body).await;
    until("the module is on its way", || {
        frame.global("arrive").is_function()
    })
    .await;
    let checkouts = frame.checkouts();
    checkouts[0].remove();
    // Moving the element in the meantime does not remove it.
    frame
        .document()
        .body()
        .unwrap()
        .prepend_with_node_1(&checkouts[1])
        .unwrap();
    settled().await;
    let arrive: js_sys::Function = frame.global("arrive").unchecked_into();
    arrive.call0(&JsValue::UNDEFINED).unwrap();
    until("the other is shown", || frame.mounted() == 1).await;
    settled().await;
    assert_eq!(frame.mounted(), 1);
    assert_eq!(proxy.sent(TOKENS).len(), 1);
}
