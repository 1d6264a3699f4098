//! The loader's script: what it does once in a page. Each test has a page of its own, in a frame.

use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::frame::{Frame, QUIET_GLUE, late_glue};
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
    body.set_inner_html(&Frame::element_of(&proxy, ""));
    frame.until_mounted().await;
    until("the listing is requested", || {
        !proxy.sent(TOKENS).is_empty()
    })
    .await;
    assert_eq!(proxy.sent(TOKENS).len(), 1);
}

#[wasm_bindgen_test]
async fn a_tag_in_the_head_puts_its_element_into_the_body() {
    let proxy = Proxy::new();
    let data = format!(
        "data-proxy='{}' data-order='one.two.three' data-invoice-number='INV-7' data-theme='dark' data-unrelated='x'",
        proxy.address()
    );
    let frame = Frame::open(&Frame::tag(&module(QUIET_GLUE), &data), "<p>A shop</p>").await;
    assert_eq!(frame.checkouts().len(), 1);
    let checkout = frame.checkout();
    assert_eq!(checkout.parent_element().unwrap().local_name(), "body");
    assert_eq!(checkout.get_attribute_names().length(), 4);
    for (name, value) in [
        ("proxy", proxy.address()),
        ("order", "one.two.three"),
        ("invoice-number", "INV-7"),
        ("theme", "dark"),
    ] {
        assert_eq!(checkout.get_attribute(name).as_deref(), Some(value));
    }
    frame.until_mounted().await;
}

#[wasm_bindgen_test]
async fn a_tag_in_the_body_puts_its_element_behind_itself() {
    let proxy = Proxy::new();
    let data = format!("data-proxy='{}'", proxy.address());
    let tag = Frame::tag(&module(QUIET_GLUE), &data);
    let frame = Frame::open("", &format!("<p>before</p>{tag}<p>after</p>")).await;
    let checkout = frame.checkout();
    let behind = checkout.next_element_sibling().unwrap();
    assert_eq!(behind.text_content().as_deref(), Some("after"));
    let before = checkout.previous_element_sibling().unwrap();
    assert_eq!(before.local_name(), "script");
}

#[wasm_bindgen_test]
async fn a_module_script_works_as_well() {
    let tag = Frame::tag(&module(QUIET_GLUE), "type='module'");
    let frame = Frame::open(&tag, &Frame::element("")).await;
    frame.until_mounted().await;
}

#[wasm_bindgen_test]
async fn an_element_that_left_before_the_module_came_is_not_started() {
    let proxy = Proxy::new();
    let body = Frame::element_of(&proxy, "").repeat(2);
    let frame = Frame::open(&Frame::tag(&module(&late_glue()), ""), &body).await;
    let checkouts = frame.checkouts();
    checkouts[0].remove();
    // Moving the element in the meantime does not remove it.
    frame.append(&checkouts[1]);
    settled().await;
    frame.arrive().await;
    settled().await;
    assert_eq!(frame.mounted(), 1);
    assert_eq!(proxy.sent(TOKENS).len(), 1);
}

/// Turbo, PJAX and htmx run a page's scripts again: a copy of the tag, in its place or elsewhere, beside the element that the
/// first one has inserted.
#[wasm_bindgen_test]
async fn a_tag_that_is_run_again_inserts_no_second_element() {
    let data = |proxy: &Proxy| {
        format!(
            "data-proxy='{}' data-order='one.two.three'",
            proxy.address()
        )
    };
    let run_again = |frame: &Frame, is_in_place: bool| {
        let document = frame.document();
        let old = document
            .query_selector("script[data-proxy]")
            .unwrap()
            .unwrap();
        let new = document.create_element("script").unwrap();
        for name in ["data-proxy", "data-order"] {
            let value = old.get_attribute(name).unwrap();
            new.set_attribute(name, &value).unwrap();
        }
        new.set_text_content(old.text_content().as_deref());
        if is_in_place {
            old.replace_with_with_node_1(&new).unwrap();
        } else {
            frame.append(&new);
        }
    };
    for is_in_body in [true, false] {
        let proxy = Proxy::new();
        let tag = Frame::tag(&module(QUIET_GLUE), &data(&proxy));
        let frame = if is_in_body {
            Frame::open("", &format!("{tag}<p>after</p>")).await
        } else {
            Frame::open(&tag, "<p>A shop</p>").await
        };
        frame.until_mounted().await;
        for is_in_place in [true, false, true] {
            run_again(&frame, is_in_place);
            settled().await;
            assert_eq!(frame.checkouts().len(), 1, "{is_in_body} {is_in_place}");
        }
        // Another order's tag.
        let script = frame.document().query_selector("script[data-proxy]");
        let script = script.unwrap().unwrap();
        script.set_attribute("data-order", "four.five.six").unwrap();
        run_again(&frame, false);
        settled().await;
        assert_eq!(frame.checkouts().len(), 2);
    }
}
