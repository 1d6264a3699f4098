//! The dashboard's dialogs with the keyboard alone.

use thirtyfour::Key;

use super::payments::{checkbox, enter};
use super::{button, heading};
use crate::support::office::{Office, invoices};
use crate::support::{Browser, Focus};

#[tokio::test(flavor = "multi_thread")]
async fn a_merchant_cancels_and_is_where_they_were() {
    let office = Office::with(4).await;
    let browser = &office.browser;
    enter(&office).await;
    office.shows(&invoices(4, 1)).await;
    let [keep, yes, close] = ["Keep", "Yes, cancel", "Close"].map(button);

    // A dialog gives the focus back to the button that opened it.
    let details = button("Details: INV-4");
    browser.tab_to(&details).await;
    browser.press_to(Key::Enter, &button("Close")).await;
    office.reads("Payment INV-4").await;
    browser.press_to(Key::Escape, &details).await;

    // One payment: the dialog traps the focus.
    let one = button("Cancel INV-3");
    browser.tab_to(&one).await;
    browser.press_to(Key::Enter, &keep).await;
    stays_between(browser, &keep, &yes).await;
    browser.press_to(Key::Escape, &one).await;
    is_closed(&office).await;
    let steps = [(Key::Space, keep.clone()), (Key::Space, one.clone())];
    browser.press_each(&steps).await;
    is_closed(&office).await;

    // A cancelled payment has no such button: the heading takes the focus.
    let steps = [
        (Key::Enter, keep.clone()),
        (Key::Tab, yes.clone()),
        (Key::Enter, close.clone()),
    ];
    browser.press_each(&steps).await;
    stays_between(browser, &close, &close).await;
    browser.press(Key::Enter).await;
    is_closed(&office).await;
    browser.has_focus(&heading("Payments")).await;

    // Several payments: the button disappears together with the selection.
    browser.tab_to(&checkbox("Select INV-4")).await;
    browser.press(Key::Space).await;
    browser.tab_to(&checkbox("Select INV-2")).await;
    browser.press(Key::Space).await;
    let several = button("Cancel 2 selected");
    browser.tab_to(&several).await;
    let steps = [
        (Key::Enter, keep.clone()),
        (Key::Escape, several.clone()),
        (Key::Space, keep.clone()),
    ];
    browser.press_each(&steps).await;
    browser.press_shift_tab().await;
    browser.tab_to(&yes).await;
    browser.press_to(Key::Enter, &close).await;
    browser.press(Key::Escape).await;
    is_closed(&office).await;
    browser.has_focus(&heading("Payments")).await;
    let open = office.servers.payments();
    let open = open.iter().filter(|row| row.status.text() == "Created");
    assert_eq!(open.count(), 1);
}

/// Escape doesn't abort a cancellation in progress, even if pressed repeatedly; the result is shown.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_under_way_stays_in_sight() {
    let office = Office::with(2).await;
    let browser = &office.browser;
    enter(&office).await;
    office.shows(&invoices(2, 1)).await;
    browser.tab_to(&button("Cancel INV-2")).await;
    browser.press_to(Key::Enter, &button("Keep")).await;
    browser.hold("*/payment/cancel").await;
    browser.press(Key::Tab).await;
    browser.press(Key::Enter).await;
    let progress = Focus::on("heading", "Cancelling 0 of 1…");
    browser.has_focus(&progress).await;
    // Browsers let a page prevent the first Escape, but not every one.
    for _ in 0..3 {
        browser.press_to(Key::Escape, &progress).await;
    }
    browser.clear_network().await;
    browser.has_focus(&button("Close")).await;
    office.reads("INV-2 is cancelled").await;
    browser.press_to(Key::Escape, &heading("Payments")).await;
}

/// A modal dialog has a first and a last stop. The browser's own controls may come between the last and the first.
async fn stays_between(browser: &Browser, first: &Focus, last: &Focus) {
    for is_back in [false, true] {
        let ends = [first, last];
        let mut met = Vec::new();
        for _ in 0..6 {
            if is_back {
                browser.press_shift_tab().await;
            } else {
                browser.press(Key::Tab).await;
            }
            met.extend(browser.focus().await);
        }
        assert!(met.iter().all(|focus| ends.contains(&focus)), "{met:?}");
        assert!(ends.iter().all(|end| met.contains(end)), "{met:?}");
    }
    browser.tab_to(first).await;
}

async fn is_closed(office: &Office) {
    office
        .sees("no dialog", "!part('dialog')[0].open", ())
        .await;
}
