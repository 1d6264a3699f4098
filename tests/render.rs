//! The form as HTML.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use tender_checkout::render;
use tender_checkout_core::{Config, FailureCode};
use tender_element::date::date;

const LISTING: &str = r#"[
    { "name": "Bitcoin", "symbol": "BTC", "token": "btc", "network": { "name": "Bitcoin" } },
    { "name": "Tether USD", "symbol": "USDT", "token": "usdtt", "logo": "https://logos.example/usdt.png",
      "network": { "name": "TRON" } }
]"#;

fn config(attributes: &[(&str, &str)]) -> Config {
    let config = Config::displayed(|name| {
        let attribute = attributes.iter().find(|(other, _)| *other == name);
        attribute.map(|(_, value)| (*value).to_owned())
    });
    config.unwrap()
}

/// The form for an order of 1234567.50 USDT on a page in this language.
fn form(locale: &str) -> String {
    let attributes = [
        ("token", "usdtt"),
        ("quantity", "1234567.50"),
        ("payment-token", "btc"),
        ("locale", locale),
    ];
    render::form(config(&attributes), LISTING.to_owned()).unwrap()
}

/// As the browser writes the amount: `new Intl.NumberFormat(locale, { minimumFractionDigits: 2, useGrouping: true,
/// numberingSystem: "latn" }).format("1234567.50")`.
#[test]
fn texts_and_amounts_are_in_the_asked_language() {
    for (locale, lang, dir, price) in [
        ("en", "en", "ltr", "1,234,567.50"),
        ("en-IN", "en", "ltr", "12,34,567.50"),
        ("de", "de", "ltr", "1.234.567,50"),
        ("de-CH", "de", "ltr", "1'234'567.50"),
        ("fr-CA", "fr", "ltr", "1\u{a0}234\u{a0}567,50"),
        ("FR", "fr", "ltr", "1\u{202f}234\u{202f}567,50"),
        ("hi-IN", "hi", "ltr", "12,34,567.50"),
        ("ar-EG", "ar", "rtl", "1,234,567.50"),
        ("ar-EG-u-nu-arab", "ar", "rtl", "1,234,567.50"),
        ("he", "he", "rtl", "1,234,567.50"),
        ("no-such-language", "en", "ltr", "1,234,567.50"),
        ("x", "en", "ltr", "1234567.50"),
    ] {
        let html = form(locale);
        let root = format!(r#"<div lang="{lang}" dir="{dir}" class="locale-root">"#);
        assert!(html.starts_with(&root), "{locale}: {html}");
        let amount = html.split_once(r#"<b dir="ltr">"#).unwrap().1;
        let amount = amount.split_once("</b>").unwrap().0;
        assert_eq!(amount, price, "{locale}");
    }
}

/// As `new Date("2026-11-20").toLocaleString(locale, { dateStyle: "medium", numberingSystem: "latn", timeZone: "UTC" })` writes
/// it in Node.js 20, but for Korean and a space in Russian, which later data of Unicode has changed.
#[test]
fn dates_are_in_the_asked_language() {
    for (locale, expected) in [
        ("ar", "20\u{200f}/11\u{200f}/2026"),
        ("de", "20.11.2026"),
        ("en", "Nov 20, 2026"),
        ("es", "20 nov 2026"),
        ("fr", "20 nov. 2026"),
        ("he", "20 בנוב׳ 2026"),
        ("hi", "20 नव॰ 2026"),
        ("id", "20 Nov 2026"),
        ("ja", "2026/11/20"),
        ("ko", "2026/11/20"),
        ("pt", "20 de nov. de 2026"),
        ("ru", "20 нояб. 2026\u{202f}г."),
        ("tr", "20 Kas 2026"),
        ("vi", "20 thg 11, 2026"),
        ("zh", "2026年11月20日"),
        ("x", "2026/11/20"),
    ] {
        let date = date("2026/11/20", &[("dateStyle", "medium")], locale);
        assert_eq!(date, expected, "{locale}");
    }
    assert_eq!(date("2026/13/20", &[], "de"), "2026/13/20", "is no date");
}

#[test]
fn the_preselected_token_is_checked() {
    let html = form("en");
    let checked = r#"value="btc" aria-label="Bitcoin, Bitcoin" checked>"#;
    assert!(html.contains(checked), "{html}");
    assert_eq!(html.matches(" checked").count(), 1);
    assert!(html.contains(">Pay in BTC on Bitcoin<"), "{html}");
}

#[test]
fn a_listing_without_tokens_has_no_form() {
    let attributes = [("token", "usdtt"), ("quantity", "1")];
    for (listing, code) in [
        ("[]", FailureCode::NoTokens),
        ("{}", FailureCode::AnswerUnreadable),
        ("", FailureCode::AnswerUnreadable),
    ] {
        let failure = render::form(config(&attributes), listing.to_owned()).unwrap_err();
        assert_eq!(failure.code, code);
    }
}
