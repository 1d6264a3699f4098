//! The languages of the checkout, and what a shop says itself.

use tender_checkout_core::text::{Text, loader, payment};
use tender_checkout_core::words::Words;

const LOCALES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../locales");
const LOADER: &str = include_str!("../../../../src/checkout.js");

#[path = "../../../client/tests/shared/languages.rs"]
mod shared;

use shared::{Said, each};

fn all() -> Vec<Said> {
    [
        each(Text::ALL),
        each(payment::Text::ALL),
        each(loader::Text::ALL),
    ]
    .concat()
}

fn of_loader() -> Vec<Said> {
    [each(loader::Text::ALL), each(&[Text::TryAgain])].concat()
}

#[test]
fn a_shops_own_text_comes_first() {
    let words = Words::read(
        "de",
        Some(r#"{"pay":"Zahlen","back":"Zurück"}"#),
        Some(r#"{"pay":"Spenden"}"#),
    );
    let words = words.unwrap();
    assert_eq!(words.get(Text::Pay).as_deref(), Some("Spenden"));
    assert_eq!(words.get(Text::Back).as_deref(), Some("Zurück"));
    assert_eq!(words.get(Text::Total), None);
}

#[test]
fn arabic_and_hebrew_run_from_right_to_left() {
    for (language, direction) in [
        ("ar", "rtl"),
        ("he", "rtl"),
        ("ar-EG", "rtl"),
        ("de", "ltr"),
        ("en", "ltr"),
    ] {
        let words = Words::read(language, None, None).unwrap();
        assert_eq!(words.direction(), direction, "{language}");
    }
}
