//! The form as HTML.
#![cfg(not(target_arch = "wasm32"))]
#![allow(clippy::unwrap_used, reason = "tests may panic")]

use tender_checkout::InlineForm;
use tender_checkout::render::{self, Styles};
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
    render::form(config(&attributes), LISTING.to_owned(), None).unwrap()
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
fn the_tokens_have_their_logos_and_the_preselected_one_is_checked() {
    let html = form("en");
    let checked = r#"value="btc" aria-label="Bitcoin, Bitcoin" checked>"#;
    assert!(html.contains(checked), "{html}");
    assert_eq!(html.matches(" checked").count(), 1);
    assert!(html.contains(">Pay in BTC on Bitcoin<"), "{html}");
    // The logo of the other one.
    let logo = r#" referrerpolicy="no-referrer" width="36" height="36" src="https://logos.example/usdt.png">"#;
    assert!(html.contains(logo), "{html}");
    assert_eq!(html.matches("<img").count(), 1);
}

#[test]
fn a_listing_without_tokens_has_no_form() {
    let attributes = [("token", "usdtt"), ("quantity", "1")];
    for (listing, code) in [
        ("[]", FailureCode::NoTokens),
        ("{}", FailureCode::AnswerUnreadable),
        ("", FailureCode::AnswerUnreadable),
    ] {
        let failure = render::form(config(&attributes), listing.to_owned(), None).unwrap_err();
        assert_eq!(failure.code, code);
    }
}

/// Before the loader is there, the form in a shop's page leads to the payment page.
#[test]
fn the_form_in_a_shops_page_sends_the_order_and_the_token() {
    let attributes = [
        ("token", "usdtt"),
        ("quantity", "5"),
        ("payment-token", "btc"),
        ("ask", "email! name"),
    ];
    let inline = InlineForm {
        action: "https://pay.shop.example/pay".to_owned(),
        fields: vec![("order", "{{order}}".to_owned())],
    };
    let form = |inline| render::form(config(&attributes), LISTING.to_owned(), inline).unwrap();
    let (usual, html) = (form(None), form(Some(inline)));
    let head = r#"<form method="get" action="https://pay.shop.example/pay" target="_top" novalidate class="form">"#;
    assert!(html.contains(head), "{html}");
    let order = r#"<input type="hidden" name="order" value="{{order}}">"#;
    assert!(html.contains(order), "{html}");
    let names = |html: &str| -> Vec<String> {
        let names = html.split(r#" name=""#).skip(1);
        let names = names.map(|rest| rest.split('"').next().unwrap().to_owned());
        names.collect()
    };
    assert_eq!(names(&html), ["order", "payment-token", "payment-token"]);
    assert_eq!(
        names(&usual),
        ["payment-token", "payment-token", "email", "name"]
    );
    // Its texts can't follow the choice.
    assert!(html.contains("<span aria-live=\"polite\">Pay<"), "{html}");
    assert!(usual.contains(">Pay in BTC on Bitcoin<"), "{usual}");
}

#[test]
fn the_content_of_a_shadow_root_is_styled() {
    let sheet = Styles::Sheet("a > b { color: red }".to_owned());
    assert_eq!(
        render::shadow_root(sheet, "<form></form>".to_owned(), "1f".to_owned()),
        r#"<style>a > b { color: red }</style><div part="card" data-form="1f" class="card"><form></form></div><slot></slot>"#
    );
    let link = Styles::Link("https://pay.shop.example/v1/checkout.css".to_owned());
    let html = render::shadow_root(link, String::new(), String::new());
    assert!(
        html.starts_with(
            r#"<link rel="stylesheet" href="https://pay.shop.example/v1/checkout.css">"#
        ),
        "{html}"
    );
}
