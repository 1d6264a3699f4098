//! Accessibility of the page without scripts: axe-core's rules (WCAG 2.2 AA and best practices) in each state and theme, left
//! to right and right to left.

use serde_json::json;

use super::page::PayPage;
use crate::accessibility::{RULES, axe};
use crate::support::{Emulation, Theme};

/// The page of an open payment refreshes itself on purpose: its status is an event in real time (WCAG 2.2.1), and there is
/// no field in which something could be lost.
const REFRESHES: &str = "meta-refresh: ";

/// Brings the page from the form into each state, and checks it.
#[tokio::test(flavor = "multi_thread")]
async fn every_state_is_for_everybody() {
    let mut problems = Vec::new();
    for language in ["en", "ar"] {
        let page = PayPage::without_scripts(language).await;
        page.open(json!({}), "&ask=email!+name").await;
        check(&page, "form", &mut problems).await;
        page.pay_with("trx").await;
        page.reads("email-missing").await;
        check(&page, "field with a problem", &mut problems).await;
        page.open(json!({ "quantity": null, "itemNumber": "0" }), "")
            .await;
        check(&page, "the payer chooses the amount", &mut problems).await;
        page.open(json!({ "exp": 1_600_000_000 }), "").await;
        check(&page, "expired", &mut problems).await;
        page.pay("trx").await;
        check(&page, "payment", &mut problems).await;
        page.follow("already-sent").await;
        check(&page, "transaction", &mut problems).await;
        page.write("#hash", "1234").await;
        page.click("button[value=sent]").await;
        page.has(1, "#hash-problem").await;
        check(&page, "hash with a problem", &mut problems).await;
        page.follow("back-to-payment").await;
        page.follow("use-another").await;
        check(&page, "another token", &mut problems).await;
        page.follow("back-to-payment").await;
        page.follow("cancel").await;
        check(&page, "cancel?", &mut problems).await;
        page.click("button[value=cancel]").await;
        page.reads("cancelled").await;
        check(&page, "cancelled", &mut problems).await;
    }
    assert!(problems.is_empty(), "\n{}", problems.join("\n"));
}

/// No colour depends on the language or its direction, so all themes are checked in English alone.
async fn check(page: &PayPage, state: &str, problems: &mut Vec<String>) {
    let browser = &page.stage.browser;
    // The page is loaded: none of its scripts runs any more.
    page.scripts(true).await;
    browser.execute(&axe()).await;
    let themes = match page.stage.language() {
        "en" => &Theme::ALL[..],
        _ => &[Theme::Light],
    };
    for &theme in themes {
        for screen in [Emulation::phone(320), Emulation::screen(1280, 1.0)] {
            browser.emulate_screen(screen.in_theme(theme)).await;
            let found: Vec<String> = browser.run(RULES, []).await;
            let found = found.into_iter();
            let found = found.filter(|it| state != "payment" || !it.starts_with(REFRESHES));
            problems.extend(found.map(|problem| format!("{state}, {}: {problem}", theme.name())));
            let overflow = "return document.documentElement.scrollWidth > innerWidth";
            if browser.run(overflow, []).await {
                problems.push(format!("{state}, {}: wider than the screen", theme.name()));
            }
        }
    }
    page.scripts(false).await;
}
