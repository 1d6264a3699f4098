//! Accessibility of the page without scripts: axe-core's rules (WCAG 2.2 AA and best practices) in each state and theme, left
//! to right and right to left.

use serde_json::json;
use thirtyfour::By;

use super::page::PayPage;
use crate::accessibility::{Findings, axe};
use crate::support::{Emulation, Theme};

/// The page of an open payment refreshes itself on purpose: its status is an event in real time (WCAG 2.2.1), and there is
/// no field in which something could be lost.
const REFRESHES: &str = ": meta-refresh: ";

/// Brings the page from the form into each state, and checks it.
#[tokio::test(flavor = "multi_thread")]
async fn every_state_is_for_everybody() {
    let mut findings = Findings::default();
    for language in ["en", "ar"] {
        let page = PayPage::without_scripts(language).await;
        page.open(json!({}), "&ask=email!+name").await;
        check(&page, "form", &mut findings).await;
        page.pay_with("trx").await;
        page.reads("email-missing").await;
        check(&page, "field with a problem", &mut findings).await;
        page.open(json!({ "quantity": null, "itemNumber": "0" }), "")
            .await;
        check(&page, "the payer chooses the amount", &mut findings).await;
        page.open(json!({ "exp": 1_600_000_000 }), "").await;
        check(&page, "expired", &mut findings).await;
        page.pay("trx").await;
        check(&page, "payment", &mut findings).await;
        page.follow("already-sent").await;
        check(&page, "transaction", &mut findings).await;
        page.write("#hash", "1234").await;
        page.click("button[value=sent]").await;
        page.browser.find(By::Css("#hash-problem")).await;
        check(&page, "hash with a problem", &mut findings).await;
        page.follow("back-to-payment").await;
        page.follow("use-another").await;
        check(&page, "another token", &mut findings).await;
        page.follow("back-to-payment").await;
        page.follow("cancel").await;
        check(&page, "cancel?", &mut findings).await;
        page.click("button[value=cancel]").await;
        page.reads("cancelled").await;
        check(&page, "cancelled", &mut findings).await;
    }
    findings.report(|problem| problem.starts_with("payment, ") && problem.contains(REFRESHES));
}

/// No colour depends on the language or its direction, so all themes are checked in English alone.
async fn check(page: &PayPage, state: &str, findings: &mut Findings) {
    let browser = &page.browser;
    // The page is loaded: none of its scripts runs any more.
    browser.scripts(true).await;
    browser.execute(&axe()).await;
    let language = &*page.language;
    let themes = match language {
        "en" => &Theme::ALL[..],
        _ => &[Theme::Light],
    };
    let place = format!("{state}, {language}");
    let screens = [Emulation::phone(320), Emulation::screen(1280, 1.0)];
    findings.rules(browser, &place, themes, &screens).await;
    browser.scripts(false).await;
}
