//! The address of the page, its headers, and the setting that turns it off.

use axum::http::StatusCode;
use reqwest::Method;
use serde_json::json;
use tender_protocol::ProblemCode;

use super::browser::Browser;
use crate::support::{Answer, World, order};

const POLICY: &str = "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

#[tokio::test]
async fn the_page_can_be_turned_off() {
    let world = World::with(|config| config.server.hosted_page = false).await;
    let mut browser = Browser::new(&world);
    let answer = browser.open_order(&order(json!({}))).await;
    answer.is_refused_as(ProblemCode::NotFound);
    let answer = browser.post(&[("payment-token", "trx")]).await;
    answer.is_refused_as(ProblemCode::NotFound);
}

#[tokio::test]
async fn a_page_loads_only_its_style_sheet() {
    let world = World::with(|config| {
        config.server.allow_origins = vec!["*".parse().unwrap()];
    })
    .await;
    let mut browser = Browser::new(&world);
    let form = browser.open_order(&order(json!({}))).await;
    let payment = browser.submit(&[("payment-token", "trx")]).await;
    let failed = browser.open("/pay").await;
    for page in [&form, &payment, &failed] {
        assert_eq!(page.header("content-security-policy"), POLICY);
        assert_eq!(page.header("referrer-policy"), "no-referrer");
        assert_eq!(page.header("cache-control"), "no-store");
        assert_eq!(page.header("access-control-allow-origin"), "");
        for attribute in [" src=", " style=", "<script"] {
            assert!(!page.body.contains(attribute), "{attribute}: {}", page.body);
        }
        assert_eq!(page.body.matches("<link").count(), 1);
    }
    let (_, style) = form.body.split_once("href=\"/v1/pay-").unwrap();
    let (name, _) = style.split_once('"').unwrap();
    let style = browser.open(&format!("/v1/pay-{name}")).await;
    assert_eq!(style.header("content-type"), "text/css; charset=utf-8");
    assert!(style.header("cache-control").contains("immutable"));
    assert!(
        style.body.contains(".tender") && !style.body.contains(":host"),
        "{}",
        style.body
    );
}

#[tokio::test]
async fn the_language_is_that_of_the_address_or_the_browser() {
    let world = World::new().await;
    let mut browser = Browser::new(&world);
    browser.open_order(&order(json!({}))).await;
    let accepting = browser
        .request(Method::GET)
        .header("accept-language", "xx, ar;q=0.5");
    let arabic = Answer::to(accepting).await;
    assert!(
        arabic.body.contains(r#"<html lang="ar" dir="rtl">"#),
        "{}",
        arabic.body
    );
    browser
        .open(&format!("{}&lang=fr-CA", browser.address.clone()))
        .await;
    let payment = browser.submit(&[("payment-token", "trx")]).await;
    assert_eq!(payment.status, StatusCode::OK);
    assert!(
        payment.body.contains(r#"<html lang="fr" dir="ltr">"#),
        "{}",
        payment.body
    );
    assert!(
        browser.address.ends_with("&lang=fr-CA"),
        "{}",
        browser.address
    );
}

#[tokio::test]
async fn forms_count_as_creates_for_the_limit_of_an_address() {
    let world = World::with(|config| config.limits.create = 2).await;
    let mut browser = Browser::new(&world);
    browser.open_order(&order(json!({}))).await;
    for _ in 0..2 {
        assert_eq!(
            browser.post(&[("payment-token", "trx")]).await.status,
            StatusCode::SEE_OTHER
        );
    }
    let answer = browser.post(&[("payment-token", "trx")]).await;
    assert_eq!(answer.status, StatusCode::TOO_MANY_REQUESTS);
}
