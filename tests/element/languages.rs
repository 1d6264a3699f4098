//! The languages of the element.

use js_sys::Function;
use serde_json::Value;
use tender_element::number;
use tender_protocol::Amount;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlInputElement};

use crate::support::Replaced;
use crate::support::accessibility::name;
use crate::support::checkout::Checkout;
use crate::support::developer::Console;
use crate::support::proxy::{CREATE, Proxy, Reply};
use crate::support::record;
use crate::support::subject::SUBJECT;
use crate::support::wait::settled;

fn arabic(key: &str) -> String {
    let texts: Value = serde_json::from_str(SUBJECT.arabic).unwrap();
    texts[key].as_str().unwrap().to_owned()
}

#[wasm_bindgen_test]
async fn a_language_is_fetched_and_spoken_in_its_direction() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("locale", "ar-EG")]).await;
    assert_eq!(checkout.names("radiogroup"), [arabic("pay-with")]);
    let root = checkout.all("[lang]").remove(0);
    assert_eq!(root.get_attribute("lang").as_deref(), Some("ar"));
    assert_eq!(root.get_attribute("dir").as_deref(), Some("rtl"));
}

#[wasm_bindgen_test]
async fn an_amount_keeps_its_digits_and_its_direction_in_every_language() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("locale", "ar")]).await;
    checkout.choose("Bitcoin, Bitcoin");
    proxy.reply(CREATE, Reply::ok(record::payment(None)));
    checkout.press(&arabic("pay"));
    checkout.until_part("amount").await;
    let digits = checkout.all("[part=amount] b").remove(0);
    assert_eq!(digits.text_content().as_deref(), Some("0.00012345"));
    assert_eq!(digits.get_attribute("dir").as_deref(), Some("ltr"));
    let wallet = checkout.part("wallet");
    assert_eq!(wallet.text_content().as_deref(), Some(record::WALLET));
    assert_eq!(wallet.get_attribute("dir").as_deref(), Some("ltr"));
}

#[wasm_bindgen_test]
fn the_numbers_that_are_built_in_are_those_of_the_browser() {
    let expected = Function::new_with_args(
        "locale, digits, places",
        "return new Intl.NumberFormat(locale, {
            minimumFractionDigits: places, maximumFractionDigits: 100, numberingSystem: 'latn',
        }).format(digits)",
    );
    for locale in ["en", "en-US", "en-GB", "en-IN", "de", "ar"] {
        for digits in [
            "0",
            "7.5",
            "25.00",
            "100",
            "999.999",
            "1000",
            "12345.6",
            "123456",
            "1234567.00000001",
            "90071992547409931234567.123456789012345678",
        ] {
            let amount: Amount = digits.parse().unwrap();
            for min_fraction_digits in [0, 2] {
                let places = amount.fraction().len().max(min_fraction_digits);
                let (locale, digits) = (JsValue::from(locale), JsValue::from(digits));
                let expected = expected.call3(&JsValue::NULL, &locale, &digits, &places.into());
                let grouped =
                    number::format(&amount, min_fraction_digits, &locale.as_string().unwrap());
                assert_eq!(expected.unwrap().as_string(), Some(grouped), "{locale:?}");
            }
        }
    }
}

/// With a hyphen between a number and a word, the text direction would swap them.
#[wasm_bindgen_test]
async fn an_invoice_keeps_its_order_in_every_language() {
    let proxy = Proxy::new();
    let attributes = [("locale", "ar"), ("invoice-number", "17-A")];
    let checkout = Checkout::ready(&proxy, &attributes).await;
    checkout.choose("Bitcoin, Bitcoin");
    proxy.reply(CREATE, Reply::ok(record::payment(None)));
    checkout.press(&arabic("pay"));
    checkout.until_part("invoice").await;
    let invoice = checkout.part("invoice");
    assert_eq!(invoice.text_content().as_deref(), Some("17-A"));
    assert!(place_of(&invoice, "1") < place_of(&invoice, "A"));
}

/// The distance of a character from the left edge of the window.
fn place_of(element: &Element, character: &str) -> f64 {
    let measure = Function::new_with_args(
        "element, character",
        "const text = document.createTreeWalker(element, NodeFilter.SHOW_TEXT).nextNode();
        const range = new Range();
        range.setStart(text, text.data.indexOf(character));
        range.setEnd(text, range.startOffset + 1);
        return range.getBoundingClientRect().left;",
    );
    let place = measure.call2(&JsValue::NULL, element, &character.into());
    place.unwrap().as_f64().unwrap()
}

#[wasm_bindgen_test]
async fn another_language_takes_effect_at_once_and_keeps_the_payment() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    assert_eq!(checkout.names("region"), ["Payment"]);
    let requests = proxy.total();
    checkout.set("locale", "ar");
    checkout.until_shown(&arabic("send-exactly")).await;
    assert_eq!(checkout.names("region"), [arabic("payment")]);
    checkout.set("locale", "en");
    checkout.until_shown("Send exactly").await;
    assert_eq!(
        checkout.part("wallet").text_content().as_deref(),
        Some(record::WALLET)
    );
    assert_eq!(proxy.total(), requests);
    assert_eq!(checkout.event_names(), ["tender-ready", "tender-created"]);
}

#[wasm_bindgen_test]
async fn another_language_keeps_the_hash_that_is_being_typed() {
    let proxy = Proxy::new();
    let checkout = Checkout::awaiting(&proxy, None).await;
    checkout.paste_hash("ab12");
    checkout
        .named("textbox", "Transaction hash")
        .focus()
        .unwrap();
    checkout.set("locale", "ar");
    checkout.until_shown(&arabic("send-exactly")).await;
    let field: HtmlInputElement = checkout.all("#hash").remove(0).unchecked_into();
    assert_eq!(field.value(), "ab12");
    assert_eq!(name(&field), arabic("paste-hash"));
    let focused = checkout.root().active_element();
    assert!(
        field.is_same_node(focused.as_deref()),
        "the field keeps the focus"
    );
    assert!(
        checkout.text().contains(&arabic("paste-hash")),
        "and stays unfolded"
    );
}

/// The text is chosen by an event handler and shown after a promise, where there is no component.
#[wasm_bindgen_test]
async fn a_text_that_follows_a_click_is_in_the_language_of_the_element() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("locale", "ar"), ("payment-token", "btc")]).await;
    proxy.reply(CREATE, Reply::ok(record::payment(None)));
    checkout.press(&arabic("pay"));
    checkout.until_part("amount").await;
    checkout.press(&arabic("copy-amount"));
    checkout.until_shown(&arabic("copied")).await;
}

#[wasm_bindgen_test]
async fn a_language_that_is_not_there_is_english() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("locale", "eo")]).await;
    assert_eq!(checkout.names("radiogroup"), ["Pay with"]);
    assert_eq!(
        checkout
            .all("[lang]")
            .remove(0)
            .get_attribute("dir")
            .as_deref(),
        Some("ltr")
    );
}

#[wasm_bindgen_test]
async fn a_language_that_can_not_be_loaded_is_english_with_a_warning() {
    let proxy = Proxy::new();
    let console = Console::listen("warn");
    let checkout = Checkout::ready(&proxy, &[("locale", "ja")]).await;
    assert_eq!(checkout.names("radiogroup"), ["Pay with"]);
    let warned = console
        .lines()
        .iter()
        .any(|line| line.contains("`ja` can't be loaded"));
    assert!(warned, "{:?}", console.lines());
    assert_eq!(checkout.details_of("tender-error"), Vec::<Value>::new());
}

#[wasm_bindgen_test]
async fn a_language_that_can_not_be_loaded_is_tried_again() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("locale", "ko")]).await;
    assert_eq!(checkout.names("radiogroup"), ["Pay with"]);
    let texts = format!(
        "(url, init) => String(url).endsWith('/ko.json') ? Promise.resolve(new Response({})) : original(url, init)",
        Value::from(SUBJECT.arabic)
    );
    let replaced = Replaced::new("window", "fetch", &texts);
    checkout.set("theme", "dark");
    checkout.until_shown(&arabic("pay-with")).await;
    drop(replaced);
}

#[wasm_bindgen_test]
async fn a_shop_says_some_things_in_its_own_words() {
    let proxy = Proxy::new();
    let checkout = Checkout::ready(&proxy, &[("texts", r#"{"pay":"Donate"}"#)]).await;
    assert_eq!(checkout.names("button"), ["Donate"]);
    assert_eq!(checkout.names("radiogroup"), ["Pay with"]);

    checkout.set("texts", r#"{"pay":"Give"}"#);
    settled().await;
    assert_eq!(checkout.names("button"), ["Give"]);
}

#[wasm_bindgen_test]
async fn texts_that_can_not_be_read_change_nothing_but_warn() {
    let proxy = Proxy::new();
    let console = Console::listen("warn");
    let checkout = Checkout::ready(&proxy, &[("texts", "Donate")]).await;
    assert_eq!(checkout.names("button"), ["Pay"]);
    let warned = console.lines().iter().any(|line| line.contains("`texts`"));
    assert!(warned, "{:?}", console.lines());
}

#[wasm_bindgen_test]
async fn a_text_is_a_text_whatever_stands_in_it() {
    let proxy = Proxy::new();
    let hostile = r#"{"pay":"<img src=x onerror=alert(1)>"}"#;
    let checkout = Checkout::ready(&proxy, &[("texts", hostile)]).await;
    assert_eq!(checkout.names("button"), ["<img src=x onerror=alert(1)>"]);
    assert!(checkout.all("button img").is_empty());
}

#[wasm_bindgen_test]
async fn an_amount_is_typed_as_the_language_writes_it() {
    let proxy = Proxy::new();
    let more = [("locale", "de"), ("item-number", "0"), ("quantity", "5")];
    let checkout = Checkout::ready(&proxy, &more).await;
    checkout.choose("Bitcoin, Bitcoin");
    checkout.fill("Amount", "1.500");
    checkout.press("Pay");
    checkout.until_shown("like 12,50").await;
    checkout.fill("Amount", "12,5");
    proxy.reply(CREATE, Reply::Lost);
    checkout.press("Pay");
    settled().await;
    assert_eq!(proxy.sent(CREATE)[0].json()["quantity"].to_string(), "12.5");
}
