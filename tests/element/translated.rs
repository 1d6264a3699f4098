//! A page translator, like those of browsers: it replaces text nodes with its own elements.

use js_sys::Function;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::checkout::Checkout;
use crate::support::mounted::type_into;
use crate::support::proxy::Proxy;
use crate::support::record;
use crate::support::wait::settled;
use crate::support::walk::{click_last, through_the_views};

/// Translates all visible text, except where `translate="no"` forbids it.
fn translate(checkout: &Checkout) {
    let translate = Function::new_with_args(
        "root",
        "const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
        const texts = [];
        while (walker.nextNode()) texts.push(walker.currentNode);
        for (const text of texts) {
            if (!text.data.trim() || text.parentElement.closest('[translate=no], font')) continue;
            const font = document.createElement('font');
            font.append(document.createElement('font'));
            font.firstChild.append(`[${text.data}]`);
            text.replaceWith(font);
        }",
    );
    translate.call1(&JsValue::NULL, &checkout.root()).unwrap();
}

fn hint(checkout: &Checkout) -> String {
    checkout.first(".note").text_content().unwrap()
}

#[wasm_bindgen_test]
async fn what_changes_is_the_latest_and_what_has_to_be_exact_is_not_translated() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[]).await;
    let is_exempt = |part: &str| {
        let exempt = checkout.part(part).closest("[translate=no]");
        exempt.unwrap().is_some()
    };
    assert!(is_exempt("price"));
    checkout.choose("Bitcoin, Bitcoin");
    settled().await;
    translate(&checkout);
    assert!(hint(&checkout).starts_with('['), "{}", hint(&checkout));
    assert_eq!(checkout.text_of("submit"), "[Pay in BTC on Bitcoin]");
    checkout.choose("TRON, TRON");
    settled().await;
    let said = hint(&checkout);
    assert!(
        said.contains("in TRX on TRON") && !said.contains("BTC"),
        "{said}"
    );
    assert_eq!(checkout.text_of("submit"), "Pay in TRX on TRON");

    checkout.choose("Bitcoin, Bitcoin");
    checkout
        .submit(&proxy, record::payment(Some("receipt-7")))
        .await;
    settled().await;
    for part in ["amount", "network", "wallet", "status"] {
        assert!(is_exempt(part), "{part}");
    }
    translate(&checkout);
    let text = checkout.text();
    assert!(text.contains("The code includes the amount.]"), "{text}");
    click_last(&checkout, "[role=switch]");
    checkout.until_shown("then enter the exact amount.").await;
    assert!(!checkout.text().contains("includes the amount"));
    type_into(&checkout.first("#hash"), &"a".repeat(64));
    settled().await;
    let link = checkout.text_of("explorer");
    assert_eq!(link, "See the transaction on mempool.space");
    translate(&checkout);
    checkout.fetch(&proxy, record::with_status("2", "Confirming"));
    checkout.until_shown("Confirming").await;
    assert_eq!(checkout.text_of("status"), "Confirming");
}

/// A line could break at a hyphen before a letter or before the full stop, and a translator could change the letters.
#[wasm_bindgen_test]
async fn an_invoice_number_in_a_sentence_stays_whole() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("invoice-number", "SHOP-RED-CHAIR")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    checkout
        .submit(&proxy, record::payment(Some("receipt-7")))
        .await;
    let other = record::payment(None).replace("0.00012345", "0.00012346");
    checkout.fetch(&proxy, other.replace("INV-7", "SHOP-RED-CHAIR"));
    checkout.until_shown("and name SHOP-RED-CHAIR.").await;
    let number = checkout.first("[role=alert] bdi");
    assert_eq!(number.text_content().as_deref(), Some("SHOP-RED-CHAIR"));
    assert_eq!(number.get_attribute("translate").as_deref(), Some("no"));
    let below = Function::new_with_args(
        "number",
        "const after = document.createRange();
        after.setStart(number.nextSibling, 0);
        after.setEnd(number.nextSibling, 1);
        return after.getBoundingClientRect().top - number.getBoundingClientRect().top",
    );
    for width in (260..440).step_by(4) {
        checkout.set("style", &format!("inline-size: {width}px"));
        let height = number.get_bounding_client_rect().height();
        assert!(height < 30.0, "{height} px high in {width} px");
        let below = below.call1(&JsValue::NULL, &number).unwrap();
        assert!(below.as_f64().unwrap() < 5.0, "the full stop in {width} px");
    }
}

#[wasm_bindgen_test]
async fn every_view_can_be_left_after_it_was_translated() {
    let proxy = Proxy::new();
    let checkout = through_the_views(&proxy, |checkout, _| translate(checkout)).await;
    click_last(&checkout, "button");
    checkout.until_ready().await;
    assert_eq!(checkout.chosen().as_deref(), Some("btc"));
    let errors = checkout.details_of("tender-error");
    assert_eq!(errors.len(), 2, "the listing and the create that were lost");
}
