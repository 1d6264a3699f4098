//! Accessibility of the page without scripts: axe-core's rules (WCAG 2.2 AA and best practices) in each state and theme, left
//! to right and right to left.

use serde_json::json;
use thirtyfour::By;

use super::page::PayPage;
use crate::accessibility::{Findings, axe};
use crate::support::{Emulation, STATUS_CLOSED, Theme};

/// What the tests of the elements measure in each of their states, too.
const GAPS: &str = include_str!("../../../../element-testing/src/gaps.js");

/// Shows each state of the page, beginning with the form, and calls `see` with its name. Scripts are turned on for it, but not
/// those of the page.
pub(crate) async fn through_the_states(page: &PayPage, mut see: impl AsyncFnMut(&str)) {
    let mut see = async |state: &str| {
        // A page refreshes itself only where scripts are turned off when it is loaded.
        let is_refreshed = page.count("meta[http-equiv=refresh]").await > 0;
        page.browser.block(&["*/v1/*.js"]).await;
        page.browser.scripts(true).await;
        if is_refreshed {
            page.reload().await;
        }
        see(state).await;
        page.browser.scripts(false).await;
        page.browser.block(&[]).await;
        if is_refreshed {
            page.reload().await;
        }
    };
    page.open(json!({}), "&ask=email!+name").await;
    see("form").await;
    page.pay_with("trx").await;
    page.reads("email-missing").await;
    see("field with a problem").await;
    page.open(json!({ "quantity": null, "itemNumber": "0" }), "")
        .await;
    see("the payer chooses the amount").await;
    page.open(json!({ "exp": 1_600_000_000 }), "").await;
    see("expired").await;
    page.pay("trx").await;
    see("payment").await;
    page.follow("already-sent").await;
    see("transaction").await;
    page.write("#hash", "1234").await;
    page.click("button[value=sent]").await;
    page.browser.find(By::Css("#hash-problem")).await;
    see("hash with a problem").await;
    page.follow("back-to-payment").await;
    page.follow("use-another").await;
    see("another token").await;
    page.follow("back-to-payment").await;
    page.follow("cancel").await;
    see("cancel?").await;
    page.click("button[value=cancel]").await;
    page.reads("cancelled").await;
    see("cancelled").await;
    page.pay("trx").await;
    page.follow("already-sent").await;
    page.write("#hash", &"5e".repeat(32)).await;
    page.click("button[value=sent]").await;
    page.reads("you-sent-title").await;
    see("sent").await;
    page.pay("trx").await;
    page.servers.set_status(STATUS_CLOSED);
    page.reads("closed").await;
    see("closed").await;
    page.pay("trx").await;
    page.gets_paid().await;
    see("paid").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_state_is_for_everybody() {
    let mut findings = Findings::default();
    for language in ["en", "ar"] {
        let page = PayPage::without_scripts(language).await;
        through_the_states(&page, async |state| {
            check(&page, state, &mut findings).await;
        })
        .await;
    }
    findings.report(|_| false);
}

/// No colour depends on the language or its direction, so all themes are checked in English alone.
async fn check(page: &PayPage, state: &str, findings: &mut Findings) {
    let browser = &page.browser;
    browser.execute(&axe()).await;
    let language = &*page.language;
    let themes = match language {
        "en" => &Theme::ALL[..],
        _ => &[Theme::Light],
    };
    let place = format!("{state}, {language}");
    let screens = [Emulation::phone(320), Emulation::screen(1280, 1.0)];
    findings.rules(browser, &place, themes, &screens).await;
    for width in [320, 390, 1280] {
        browser.emulate_screen(Emulation::phone(width)).await;
        let card = browser.find(By::Tag("main")).await.to_json().unwrap();
        let problems = browser.run(GAPS, [card]).await;
        findings.add(&place, &format!("{width} px"), problems);
    }
}
