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

/// The locale is one that has a file for its language. With a hyphen between a number and a word, the text direction would
/// swap them.
#[wasm_bindgen_test]
async fn a_payment_in_arabic_keeps_the_direction_of_what_is_exact() {
    let proxy = Proxy::new();
    let attributes = [
        ("locale", "ar-EG"),
        ("payment-token", "btc"),
        ("invoice-number", "17-A"),
    ];
    let checkout = Checkout::ready(&proxy, &attributes).await;
    assert_eq!(checkout.names("radiogroup"), [arabic("pay-with")]);
    let root = checkout.first("[lang]");
    assert_eq!(root.get_attribute("lang").as_deref(), Some("ar"));
    assert_eq!(root.get_attribute("dir").as_deref(), Some("rtl"));
    proxy.reply(CREATE, Reply::ok(record::payment(None)));
    checkout.press(&arabic("pay"));
    checkout.until_part("amount").await;
    let digits = checkout.first("[part=amount] b");
    assert_eq!(digits.text_content().as_deref(), Some("0.00012345"));
    assert_eq!(digits.get_attribute("dir").as_deref(), Some("ltr"));
    assert_eq!(checkout.text_of("wallet"), record::WALLET);
    assert_eq!(checkout.attribute("wallet", "dir").as_deref(), Some("ltr"));
    assert_eq!(checkout.text_of("invoice"), "17-A");
    // What is folded has no place in WebKitGTK.
    let folded = checkout.first("details:has([part=invoice])");
    folded.set_attribute("open", "").unwrap();
    let invoice = checkout.part("invoice");
    assert!(place_of(&invoice, "1") < place_of(&invoice, "A"));

    // The text is chosen by an event handler and shown after a promise, where there is no component.
    checkout.press(&arabic("copy-amount"));
    checkout.until_shown(&arabic("copied")).await;
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
    let field: HtmlInputElement = checkout.first("#hash").unchecked_into();
    assert_eq!(field.value(), "ab12");
    assert_eq!(name(&field), arabic("paste-hash"));
    let focused = checkout.focused();
    assert!(
        field.is_same_node(focused.as_deref()),
        "the field keeps the focus"
    );
    assert!(
        checkout.text().contains(&arabic("paste-hash")),
        "and stays unfolded"
    );
    checkout.set("locale", "en");
    checkout.until_shown("Send exactly").await;
    assert_eq!(checkout.names("region"), ["Payment"]);
}

#[wasm_bindgen_test]
async fn a_language_that_can_not_be_loaded_is_english_with_a_warning_and_is_tried_again() {
    let proxy = Proxy::new();
    let console = Console::listen("warn");
    let checkout = Checkout::ready(&proxy, &[("locale", "ja")]).await;
    assert_eq!(checkout.names("radiogroup"), ["Pay with"]);
    assert_eq!(checkout.details_of("tender-error"), Vec::<Value>::new());
    let lines = console.lines();
    let is_warning = |line: &String| line.contains("`ja` can't be loaded");
    assert!(lines.iter().any(is_warning), "{lines:?}");

    let texts = format!(
        "(url, init) => String(url).endsWith('/ja.json') ? Promise.resolve(new Response({})) : original(url, init)",
        Value::from(SUBJECT.arabic)
    );
    let _replaced = Replaced::new("window", "fetch", &texts);
    checkout.set("theme", "dark");
    checkout.until_shown(&arabic("pay-with")).await;
}

#[wasm_bindgen_test]
async fn a_shop_says_some_things_in_its_own_words_which_are_only_texts() {
    let proxy = Proxy::new();
    let console = Console::listen("warn");
    let checkout = Checkout::ready(&proxy, &[("texts", r#"{"pay":"Donate"}"#)]).await;
    assert_eq!(checkout.names("button"), ["Donate"]);
    assert_eq!(checkout.names("radiogroup"), ["Pay with"]);

    let hostile = "<img src=x onerror=alert(1)>";
    checkout.set("texts", &format!(r#"{{"pay":"{hostile}"}}"#));
    settled().await;
    assert_eq!(checkout.names("button"), [hostile]);
    assert!(checkout.all("button img").is_empty());

    // What can't be read changes nothing.
    assert_eq!(console.lines(), [""; 0]);
    checkout.set("texts", "Donate");
    settled().await;
    assert_eq!(checkout.names("button"), ["Pay"]);
    let lines = console.lines();
    assert!(
        lines.iter().any(|line| line.contains("`texts`")),
        "{lines:?}"
    );
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

/// An input method writes full-width characters, and each language has digits.
#[wasm_bindgen_test]
async fn digits_of_any_language_are_digits() {
    for typed in ["１２．５", "١٢٫٥", "१२.५"] {
        let proxy = Proxy::new();
        let more = [("item-number", "0"), ("quantity", "5")];
        let checkout = Checkout::ready(&proxy, &more).await;
        checkout.choose("Bitcoin, Bitcoin");
        checkout.fill("Amount", typed);
        proxy.reply(CREATE, Reply::Lost);
        checkout.press("Pay");
        settled().await;
        let sent = proxy.sent(CREATE)[0].json();
        assert_eq!(sent["quantity"].to_string(), "12.5", "{typed}");
    }
}
