//! The dashboard with the keyboard alone: each stop of the Tab key by its role and name, forwards and backwards, and
//! the focus after each change.

use tender_protocol::path;
use thirtyfour::Key;

use super::{button, heading};
use crate::support::office::{Office, invoices};
use crate::support::{Emulation, Focus, MERCHANT_KEY, OFFICE_PASSWORD};

/// A screen with room for the table, and a narrow one with a card for each payment.
const SCREENS: [Emulation; 2] = [Emulation::screen(1280, 1.0), Emulation::screen(640, 2.0)];

pub(super) fn checkbox(name: &str) -> Focus {
    Focus::on("checkbox", name)
}

/// The section with the daily totals, by what it shows.
async fn daily_totals(office: &Office) -> Focus {
    let summary = "return text(root.querySelector('details > summary'))";
    let shown: String = office.ask(summary, ()).await;
    assert!(shown.starts_with("Daily totals: "), "{shown}");
    Focus::on("DisclosureTriangle", shown)
}

/// The stops of a page with these invoices, from first to last.
async fn stops(office: &Office, invoices: &[String]) -> Vec<Focus> {
    let mut stops = vec![
        button("Refresh"),
        button("Sign out"),
        daily_totals(office).await,
        Focus::on("searchbox", "Search"),
        Focus::on("combobox", "Meaning"),
        Focus::on("combobox", "Status"),
        Focus::on("combobox", "Token"),
    ];
    // Month, day, year, and the calendar.
    for name in ["From", "Until"] {
        stops.extend(std::iter::repeat_n(Focus::on("Date", name), 4));
    }
    stops.extend([
        Focus::on("combobox", "Order"),
        button(&format!("Export {} as CSV", invoices.len())),
        Focus::on("region", "Table of payments"),
        checkbox("Select all on this page"),
    ]);
    for invoice in invoices {
        stops.push(checkbox(&format!("Select {invoice}")));
        stops.push(button(&format!("Details: {invoice}")));
        stops.push(button(&format!("Cancel {invoice}")));
    }
    stops.extend([button("Newer"), button("Older")]);
    stops
}

#[tokio::test(flavor = "multi_thread")]
async fn tab_stops_at_everything_once_and_goes_on_in_both_directions() {
    let office = Office::with(3).await;
    let browser = &office.browser;
    enter(&office).await;
    office.shows(&invoices(3, 1)).await;
    // The elements before and after the dashboard are stops too: the dashboard doesn't trap the focus.
    let [before, after] = ["The shop", "Help"].map(|name| Focus::on("link", name));
    for screen in SCREENS {
        let stops = stops(&office, &invoices(3, 1)).await;
        let stops = [vec![before.clone()], stops, vec![after.clone()]].concat();
        browser.emulate_screen(screen).await;
        browser.tab_back_to(&stops[0]).await;
        for stop in &stops[1..] {
            browser.press(Key::Tab).await;
            assert_eq!(browser.focus().await.as_ref(), Some(stop), "{screen:?}");
            browser.shows_focus().await;
        }
        for stop in stops.iter().rev().skip(1) {
            browser.press_shift_tab().await;
            let focus = browser.focus().await;
            assert_eq!(focus.as_ref(), Some(stop), "{screen:?}, back");
            browser.shows_focus().await;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_merchant_reads_searches_and_leaves() {
    let office = Office::with(45).await;
    let browser = &office.browser;
    office.records_files().await;
    office.visit().await;
    office.part("key-form").await;

    // The key form: a wrong key, then the right one.
    let key = Focus::on("textbox", "Merchant key");
    browser.tab_to(&key).await;
    browser.write("not-the-key").await;
    browser.press(Key::Enter).await;
    office.reads("did not accept this key").await;
    browser.has_focus(&key).await;
    browser.write(MERCHANT_KEY).await;
    let show = button("Show the payments");
    browser.press_to(Key::Tab, &show).await;
    browser.press(Key::Space).await;
    office.shows(&invoices(45, 26)).await;
    browser.has_focus(&heading("Payments")).await;

    // This tab keeps the key.
    browser.driver.refresh().await.unwrap();
    office.shows(&invoices(45, 26)).await;
    let refresh = button("Refresh");
    browser.tab_to(&refresh).await;
    browser.press_to(Key::Enter, &refresh).await;

    // The section with daily totals expands, and its content is the next stop.
    let days = daily_totals(&office).await;
    browser.tab_to(&days).await;
    browser.press(Key::Enter).await;
    let table = Focus::on("region", "As a table");
    browser.press_to(Key::Tab, &table).await;
    browser.press_shift_tab().await;
    browser.press(Key::Space).await;

    // A search with results, cleared with Escape.
    let search = Focus::on("searchbox", "Search");
    browser.tab_to(&search).await;
    browser.write("inv-3").await;
    office.shows(&invoices(39, 30)).await;
    browser.has_focus(&search).await;
    browser.press(Key::Escape).await;
    office.shows(&invoices(45, 26)).await;

    // The status filter, with arrow keys.
    let status = Focus::on("combobox", "Status");
    browser.tab_to(&status).await;
    browser.press(Key::Down).await;
    office.reads("20 of 20 loaded payments").await;
    browser.press(Key::Up).await;
    office.reads("cover the 20 payments").await;
    browser.has_focus(&status).await;

    // One button loads older payments for the search, and stays in place.
    browser.tab_back_to(&search).await;
    browser.write("inv-7").await;
    office.shows(&[]).await;
    browser.tab_to(&button("Search older payments")).await;
    browser.press(Key::Enter).await;
    office.shows(&["INV-7".to_owned()]).await;
    browser.has_focus(&button("Search older payments")).await;
    browser.press_shift_tab().await;
    browser.has_focus(&button("Clear the filters")).await;
    browser.press_shift_tab().await;
    browser.has_focus(&button("Export 1 as CSV")).await;
    browser.press(Key::Space).await;
    assert!(office.file().await.contains("INV-7"));
    browser.has_focus(&button("Export 1 as CSV")).await;
    browser.tab_back_to(&search).await;
    browser.press(Key::Escape).await;
    office.shows(&invoices(45, 26)).await;

    // To the last page and back: the buttons keep the focus, even on the last page.
    let [newer, older] = ["Newer", "Older"].map(button);
    browser.tab_back_to(&older).await;
    for page in [invoices(25, 6), invoices(5, 1)] {
        browser.press(Key::Enter).await;
        office.shows(&page).await;
        browser.has_focus(&older).await;
    }
    browser.press(Key::Enter).await;
    office.reads("All payments are loaded.").await;
    browser.has_focus(&older).await;
    browser.press_shift_tab().await;
    browser.has_focus(&newer).await;
    browser.press(Key::Space).await;
    office.shows(&invoices(25, 6)).await;

    browser.tab_to(&button("Sign out")).await;
    browser.press_to(Key::Enter, &key).await;
    browser.driver.refresh().await.unwrap();
    office.part("key-form").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_shop_s_login_begins_and_ends_it() {
    let office = Office::with(3).await;
    let browser = &office.browser;
    let page = office.servers.shop_page("/office");
    // Without the shop's login, nothing is handed out.
    let list = reqwest::get(format!("{page}{}", path::LIST)).await.unwrap();
    assert_eq!(list.status(), 401);
    assert_eq!(list.text().await.unwrap(), "");
    browser.go(page).await;
    let password = Focus::on("textbox", "Password");
    browser.tab_to(&password).await;
    browser.write(OFFICE_PASSWORD).await;
    browser.press(Key::Enter).await;
    office.shows(&invoices(3, 1)).await;
    // The page has no key, and its policy blocked nothing.
    office.has_no_key().await;
    // The user has not interacted with the element yet.
    assert_eq!(browser.focus().await, None);
    browser.tab_to(&button("Refresh")).await;
    office.log_out().await;
    browser
        .press_to(Key::Enter, &button("Reload the page"))
        .await;
    browser.press(Key::Enter).await;
    browser.tab_to(&password).await;
}

/// Opens the dashboard's page and enters the key; the focus is at the start of the page.
pub(super) async fn enter(office: &Office) {
    office.visit().await;
    office.part("key-form").await;
    let key = Focus::on("textbox", "Merchant key");
    office.browser.tab_to(&key).await;
    office.browser.write(MERCHANT_KEY).await;
    office.browser.press(Key::Enter).await;
    office.browser.has_focus(&heading("Payments")).await;
}
