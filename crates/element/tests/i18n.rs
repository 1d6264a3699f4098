//! Texts and locales.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use leptos::prelude::Owner;
use tender_element::i18n::{I18n, Locale, TextEntry, Texts};

const PAY: TextEntry = text("pay", "Pay {amount}");
const BACK: TextEntry = text("back", "Back");
const TOTAL: TextEntry = text("total", "Total");

const fn text(key: &'static str, english: &'static str) -> TextEntry {
    TextEntry { key, english }
}

#[test]
fn a_text_of_the_shop_comes_before_the_language_and_english_last() {
    let owner = Owner::new();
    owner.with(|| {
        let i18n = I18n::new();
        assert!(!i18n.is_loaded());
        assert_eq!(i18n.t(BACK), "Back");

        let shop = Texts::parse(r#"{"pay":"Spenden","number":7}"#).unwrap();
        let german = Texts::parse(r#"{"pay":"Zahlen","back":"Zurück"}"#).unwrap();
        i18n.set_locale(Locale::new("de", vec![shop, german]));
        assert!(i18n.is_loaded());
        assert_eq!(i18n.locale(), "de");
        assert_eq!(
            [PAY, BACK, TOTAL].map(|text| i18n.t(text)),
            ["Spenden", "Zurück", "Total"]
        );
    });
}

#[test]
fn placeholders_are_filled_in() {
    let owner = Owner::new();
    owner.with(|| {
        let i18n = I18n::new();
        assert_eq!(i18n.format(PAY, &[("amount", "{5}")]), "Pay {5}");
        assert_eq!(i18n.format(PAY, &[]), "Pay ");
    });
}

/// Async code and event handlers run without an owner, and may run when the element is gone.
#[test]
fn a_handle_gives_texts_outside_of_components_and_after_the_element() {
    let owner = Owner::new();
    let i18n = owner.with(I18n::new);
    let german = Texts::parse(r#"{"back":"Zurück"}"#).unwrap();
    i18n.set_locale(Locale::new("de", vec![german]));
    assert_eq!(i18n.t(BACK), "Zurück");
    owner.cleanup();
    assert_eq!(i18n.t(BACK), "Back");
}

#[test]
fn arabic_and_hebrew_are_written_from_right_to_left() {
    for (tag, dir) in [
        ("ar", "rtl"),
        ("he", "rtl"),
        ("ar-EG", "rtl"),
        ("de", "ltr"),
        ("en", "ltr"),
    ] {
        assert_eq!(Locale::new(tag, Vec::new()).dir(), dir, "{tag}");
    }
}

#[test]
fn texts_are_a_json_object() {
    for json in ["", "[]", "\"Pay\"", "{", "{}}"] {
        assert!(Texts::parse(json).is_err(), "{json}");
    }
}
