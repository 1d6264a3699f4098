//! Records come from outside: any content is shown as text and does no harm.

use js_sys::Reflect;
use serde_json::json;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::window;

use crate::support::office::Office;
use crate::support::shop::{Shop, record};
use crate::support::wait::settled;

/// Sets a global variable if it ever runs.
const SCRIPT: &str = "<img src=x onerror='hacked=1'><script>hacked=1</script>";

/// Texts of a person or another shop.
const TEXTS: [&str; 6] = [
    "transactionId",
    "invoiceNumber",
    "purchaseName",
    "purchaseEmail",
    "itemNumber",
    "wallet",
];

/// A record with this text in every field.
fn record_with_text(number: usize, text: &str) -> serde_json::Value {
    let mut hostile = record(number);
    for field in TEXTS {
        hostile[field] = json!(text);
    }
    hostile["statusText"] = json!(text);
    hostile["token"] = json!(text);
    hostile["transactionId"] = json!(format!("{text}{number}"));
    hostile
}

#[wasm_bindgen_test]
async fn a_script_in_a_record_stays_text() {
    let shop = Shop::with(1);
    let mut asked = record_with_text(4, SCRIPT);
    asked["statusText"] = json!("Created");
    shop.add([
        asked,
        record_with_text(2, SCRIPT),
        record_with_text(3, "javascript:hacked=1"),
    ]);
    shop.set_ledger(&json!({
        "payments": [{ "transactionId": "t-1", "notifiedAt": SCRIPT, "notifications": 1 }],
        "reconciling": [{
            "invoiceNumber": SCRIPT, "token": SCRIPT, "paymentToken": "trx", "quantity": "1",
            "since": SCRIPT, "reason": SCRIPT,
        }],
        "more": false,
    }));
    let office = Office::ready(&shop).await;
    office.until_part("reconciling").await;
    office.row("INV-1");
    assert_eq!(office.invoices()[1], SCRIPT);
    // Where it is repeated: in the confirmation before cancelling.
    let cancel = office.parts("cancel").remove(2);
    wasm_bindgen::JsCast::unchecked_into::<web_sys::HtmlElement>(cancel).click();
    office.until_shown("Cancel this payment?").await;
    settled().await;
    let harmful = office.all("script, img, a, iframe, [onerror], [href], [src]");
    assert!(harmful.is_empty(), "{}", office.part("card").inner_html());
    let hacked = Reflect::get(&window().unwrap(), &"hacked".into()).unwrap();
    assert_eq!(hacked, JsValue::UNDEFINED);
}

#[wasm_bindgen_test]
async fn bidirectional_text_does_not_affect_the_text_around_it() {
    let shop = Shop::with(0);
    let turned = "\u{202e}gnp.exe\u{2066}";
    shop.add([record_with_text(1, turned)]);
    let office = Office::ready(&shop).await;
    office.until_part("row").await;
    // Each text is in an element that isolates its direction.
    let row = office.part("row");
    let isolated = row.query_selector_all("bdi").unwrap();
    let isolated: String = (0..isolated.length())
        .map(|index| isolated.get(index).unwrap().text_content().unwrap())
        .collect();
    let all = row.text_content().unwrap();
    let count = |text: &str| text.matches('\u{202e}').count();
    // The status is shown without such characters.
    assert!(count(&all) >= TEXTS.len() - 1);
    assert!(all.contains("gnp.exe"));
    assert_eq!(count(&isolated), count(&all), "{all:?}");
}

#[wasm_bindgen_test]
async fn long_texts_do_not_widen_the_page() {
    let shop = Shop::with(1);
    let mut endless = record_with_text(2, &"W".repeat(5_000));
    endless["quantityPay"] = json!("123456789012345678901234567890.12345678");
    shop.add([endless]);
    let office = Office::open(&shop);
    office.set("style", "display: block; inline-size: 320px");
    office.until_part("dashboard").await;
    office.row("INV-1");
    let card = office.part("card");
    assert!(
        card.scroll_width() <= card.client_width(),
        "{} wide",
        card.scroll_width()
    );
    let amounts = office.all("[data-value='123456789012345678901234567890.12345678']");
    assert_eq!(amounts.len(), 1, "each digit is there");
}

#[wasm_bindgen_test]
async fn unreadable_records_do_not_hide_the_others() {
    let shop = Shop::with(1);
    shop.add([json!({}), json!({ "transactionId": "t" }), json!(null)]);
    shop.add([record(2)]);
    let office = Office::ready(&shop).await;
    office.shows(2, 1).await;
    office
        .until_shown("3 records can't be read and are not shown.")
        .await;
}
