//! The merchant's payments: the real element, proxy, sandbox, and the shop's back office.

use axum::http::StatusCode;
use serde_json::json;

use crate::support::office::{Office, invoices};
use crate::support::{Emulation, MERCHANT_KEY};

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_the_shop_refused_is_sent_again_and_shown_as_delivered() {
    let office = Office::with(0).await;
    let backend = &office.servers.merchant;
    backend.answer_with(StatusCode::GONE);
    assert!(office.order("INV-1").await.is_success());
    // Without the shop's login, nothing is handed out.
    let list = format!("{}/api/v1/payment/list", office.servers.office_page());
    let answer = reqwest::get(list).await.unwrap();
    assert_eq!(answer.status(), 401);
    assert_eq!(answer.text().await.unwrap(), "");
    office.log_in().await;
    let row_says = "text(part('row')[0]).includes(arguments[0])";
    let says = async |words: &str| office.sees(words, row_says, json!(words)).await;
    says("Your shop: not notified").await;
    office.press("notifications").await;
    for words in ["payment.created", "Given up", "410"] {
        office.reads(words).await;
    }
    // Nothing is sent again by itself.
    backend.answer_with(StatusCode::NO_CONTENT);
    office.press("resend").await;
    office
        .reads("The shop has received all notifications.")
        .await;
    office.reads("204").await;
    office.press("close").await;
    says("Your shop: notified").await;
    // The page has no key, and its policy blocked nothing.
    let kept = "return document.documentElement.outerHTML + JSON.stringify(sessionStorage) + document.cookie";
    let kept: String = office.browser.run(kept, []).await;
    assert!(!kept.contains(MERCHANT_KEY));
    assert_eq!(office.browser.refused_by_policy().await, [""; 0]);
}

/// A tablet shows the whole table. Touch targets measure at least 44 px, here and in the cards on a phone.
#[tokio::test(flavor = "multi_thread")]
async fn a_finger_finds_everything_on_a_wide_screen() {
    let office = Office::with(2).await;
    office.log_in().await;
    office.shows(&invoices(2, 1)).await;
    let small = "
        const targets = root.querySelectorAll('button, select, summary, label.pick, input[type=search], [part=row] input');
        return [...targets].filter((target) => target.checkVisibility()).flatMap((target) => {
          const { width, height } = (target.closest('label') ?? target).getBoundingClientRect();
          return width < 44 || height < 44 ? [`${target.outerHTML.slice(0, 80)}: ${width} x ${height}`] : [];
        })";
    let is_table = "getComputedStyle(part('table')[0]).display === 'table'";
    office.browser.is_touched(true).await;
    for (width, shown) in [(1400, is_table.to_owned()), (390, format!("!({is_table})"))] {
        office
            .browser
            .emulate_screen(Emulation::screen(width, 1.0))
            .await;
        office.sees("its layout", &shown, json!(null)).await;
        office
            .sees(
                "a finger",
                "matchMedia('(pointer: coarse)').matches",
                json!(null),
            )
            .await;
        let small: Vec<String> = office.ask(small, json!(null)).await;
        assert_eq!(small, [""; 0], "at {width}");
    }
}
