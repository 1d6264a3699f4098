//! The address of the page, its headers, and the setting that turns it off.

use aws_lc_rs::digest::{SHA256, digest};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::browser::{Browser, without_scripts};
use crate::prelude::*;

/// What allows this style sheet.
pub(super) fn source(style: &str) -> String {
    let hash = STANDARD.encode(digest(&SHA256, style.as_bytes()));
    format!("'sha256-{hash}'")
}

/// The policy of a page that contains this style sheet.
fn policy(style: &str) -> String {
    let source = source(style);
    format!(
        "default-src 'none'; style-src {source}; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
    )
}

/// What a page that the live element may replace allows in addition.
const LIVE: &str = "; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

fn style(page: &Answer) -> &str {
    let (_, style) = page.body.split_once("<style>").unwrap();
    style.split_once("</style>").unwrap().0
}

#[tokio::test]
async fn the_page_can_be_turned_off() {
    let world = World::with(|config| config.server.hosted_page = false).await;
    let (mut browser, answer) = Browser::with_form(&world).await;
    answer.is_refused_as(ProblemCode::NotFound);
    let answer = browser.post(&[("payment-token", "trx")]).await;
    answer.is_refused_as(ProblemCode::NotFound);
}

/// The name of the shop is a text between isolates, in the language of the page.
#[tokio::test]
async fn each_page_names_the_shop_and_loads_only_the_proxys_files() {
    let world = World::with(|config| {
        config.server.allow_origins = vec!["*".parse().unwrap()];
        config.server.brand.name = Some("<Tee & Kaffee>".to_owned());
    })
    .await;
    let mut browser = Browser::new(&world);
    let order = order(json!({}));
    let form = browser.open(&format!("/pay?order={order}&lang=de")).await;
    let payment = browser.submit(&[("payment-token", "trx")]).await;
    let asked = browser.click(&payment, "Zahlung abbrechen").await;
    let failed = browser.open("/pay?order=damaged&lang=de").await;
    let name = "Zahlung an \u{2068}&lt;Tee &amp; Kaffee&gt;\u{2069}";
    for (page, added) in [(&form, LIVE), (&payment, LIVE), (&asked, ""), (&failed, "")] {
        page.has(&format!("<title>{name}</title>"));
        page.has(&format!("<h1 class=\"shop\">{name}</h1>"));
        let expected = policy(style(page)) + added;
        assert_eq!(page.header("content-security-policy"), expected);
        // An address is never sent on. The origin is, so that browsers send it with forms.
        assert_eq!(page.header("referrer-policy"), "strict-origin");
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(page.header("access-control-allow-origin"), "");
        let static_part = without_scripts(page);
        for attribute in [" src=", " style=", "<script"] {
            assert!(
                !static_part.contains(attribute),
                "{attribute}: {static_part}"
            );
        }
        assert_eq!(page.body.contains("<script"), !added.is_empty());
        page.has_no("<link");
    }
    let style = style(&form);
    assert!(
        style.contains(".tender") && !style.contains(":host"),
        "{style}"
    );
}

#[tokio::test]
async fn the_language_is_that_of_the_address_or_the_browser() {
    let world = World::new().await;
    let (mut browser, _) = Browser::with_form(&world).await;
    let request = browser.request(Method::GET);
    let arabic = Answer::to(request.header("accept-language", "xx, ar;q=0.5")).await;
    arabic.has(r#"<html lang="ar" dir="rtl">"#);
    let french = format!("{}&lang=fr-CA", browser.address);
    browser.open(&french).await;
    let payment = browser.submit(&[("payment-token", "trx")]).await;
    assert_eq!(payment.status, StatusCode::OK);
    payment.has(r#"<html lang="fr" dir="ltr">"#);
    let address = &browser.address;
    assert!(address.as_str().ends_with("&lang=fr-CA"), "{address}");
}

#[tokio::test]
async fn forms_count_as_creates_for_the_limit_of_an_address() {
    let world = World::with(|config| config.limits.create = 2).await;
    let (mut browser, _) = Browser::with_form(&world).await;
    for _ in 0..2 {
        let answer = browser.post(&[("payment-token", "trx")]).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER);
    }
    let answer = browser.post(&[("payment-token", "trx")]).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
}

/// The budget of the first page: what is downloaded before the form is shown.
const MAX_FIRST_PAGE: usize = 10_000;

#[tokio::test]
async fn the_first_page_with_its_styles_is_small() {
    let world = World::new().await;
    let (mut browser, _) = Browser::with_form(&world).await;
    let page = browser.request(Method::GET).header("accept-encoding", "br");
    let page = page.send().await.unwrap();
    assert_eq!(page.headers()["content-encoding"], "br");
    assert_eq!(page.headers()["vary"], "accept-encoding");
    let size = page.bytes().await.unwrap().len();
    let plain = browser.reload().await;
    assert_eq!(plain.header("content-encoding"), "");
    assert!(size <= MAX_FIRST_PAGE, "{size}");
}

/// A link in a mail that was encoded as `quoted-printable`, and not decoded.
#[tokio::test]
async fn a_link_that_a_mail_client_has_encoded_opens_the_order() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    let order = order(json!({}));
    let form = browser
        .open(&format!("/pay?order=3D{order}&lang=3Dde"))
        .await;
    form.succeeds();
    form.has("25.00");
}
