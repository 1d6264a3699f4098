//! The merchant's payments: the real element, proxy, sandbox, and the shop's back office.

use axum::http::StatusCode;
use serde_json::{Value, json};
use tender_protocol::Status;
use tender_sandbox::{Endpoint, Fault};
use thirtyfour::Key;

use crate::support::office::{Office, invoices};
use crate::support::{Emulation, MERCHANT_KEY};

#[tokio::test(flavor = "multi_thread")]
async fn pages_go_forward_and_back_behind_the_shop_s_login() {
    let office = Office::with(45).await;
    office.log_in().await;
    office.shows(&invoices(45, 26)).await;
    office.press("older").await;
    office.shows(&invoices(25, 6)).await;
    office.press("older").await;
    office.shows(&invoices(5, 1)).await;
    office.press("older").await;
    office.reads("All payments are loaded.").await;
    office.shows(&invoices(5, 1)).await;
    office.press("newer").await;
    office.shows(&invoices(25, 6)).await;
    let amount: Vec<String> = office
        .ask("return [...part('row')[0].querySelectorAll('[data-value]')].map((node) => node.dataset.value)", json!(null))
        .await;
    let payments = office.servers.payments();
    let payment = payments
        .iter()
        .find(|row| row.invoice_number.as_deref() == Some("INV-25"));
    let payment = payment.unwrap();
    let exact = [
        &payment.quantity,
        &payment.quantity_pay,
        payment.price_usd.as_ref().unwrap(),
    ];
    assert_eq!(amount, exact.map(ToString::to_string));
    // The page has no key, and its policy blocked nothing.
    let kept: String = office
        .browser
        .run("return document.documentElement.outerHTML + JSON.stringify(sessionStorage) + document.cookie", [])
        .await;
    assert!(!kept.contains(MERCHANT_KEY));
    assert_eq!(office.browser.refused_by_policy().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_the_shop_s_login_nothing_is_handed_out() {
    let office = Office::with(1).await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let list = format!("{}/api/v1/payment/list", office.servers.office_page());
    let answer = client.get(list).send().await.unwrap();
    assert_eq!(answer.status(), 401);
    assert_eq!(answer.text().await.unwrap(), "");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_opens_the_list_for_this_tab_and_is_forgotten() {
    let office = Office::with(3).await;
    office.visit().await;
    office.enter("not-the-key").await;
    office.reads("did not accept this key").await;
    office.enter(MERCHANT_KEY).await;
    office.shows(&invoices(3, 1)).await;
    let shown: String = office
        .ask("return location.href + document.documentElement.outerHTML + root.querySelector('.card').outerHTML", json!(null))
        .await;
    assert!(
        !shown.contains(MERCHANT_KEY),
        "in no address and no attribute"
    );
    let addresses: Vec<String> = office
        .browser
        .run(
            "return performance.getEntriesByType('resource').map(({ name }) => name)",
            [],
        )
        .await;
    assert!(
        addresses
            .iter()
            .any(|address| address.contains("/payment/list"))
    );
    assert!(
        !addresses
            .iter()
            .any(|address| address.contains(MERCHANT_KEY))
    );
    office.browser.driver().refresh().await.unwrap();
    office.shows(&invoices(3, 1)).await;
    office.press("forget").await;
    office.part("key-form").await;
    let kept: String = office
        .browser
        .run("return JSON.stringify(sessionStorage)", [])
        .await;
    assert_eq!(kept, "{}");
    office.browser.driver().refresh().await.unwrap();
    office.part("key-form").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_payment_is_cancelled_and_the_list_says_so() {
    let office = Office::with(3).await;
    office.log_in().await;
    office.shows(&invoices(3, 1)).await;
    // With the keyboard alone, from the button of the row.
    let focus = "part('row')[1].querySelector('[part=cancel]').focus(); return true";
    let _: Value = office.ask(focus, json!(null)).await;
    office.browser.press(Key::Enter).await;
    office.reads("Cancel this payment?").await;
    let said: String = office
        .ask("return text(part('dialog')[0])", json!(null))
        .await;
    assert!(said.contains("INV-2") && said.contains("TRX"), "{said}");
    office.browser.press(Key::Escape).await;
    office
        .sees("no dialog", "!part('dialog')[0].open", json!(null))
        .await;
    assert!(
        office
            .servers
            .payments()
            .iter()
            .all(|row| row.status == Status::Created)
    );

    office.browser.press(Key::Enter).await;
    office.press("confirm").await;
    office.reads("INV-2 is cancelled").await;
    let payments = office.servers.payments();
    let statuses: Vec<_> = payments
        .iter()
        .map(|row| row.status == Status::Created)
        .collect();
    assert_eq!(statuses.iter().filter(|is_open| !**is_open).count(), 1);
    office.press("close").await;
    let cancelled = payments
        .iter()
        .find(|row| row.status != Status::Created)
        .unwrap();
    let row = "text(part('row')[1]).includes(arguments[0])";
    office
        .sees(
            "the new status in its row",
            row,
            json!(cancelled.status.text()),
        )
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notification_that_the_shop_refused_is_sent_again_and_shown_as_delivered() {
    let office = Office::with(0).await;
    let backend = &office.servers.merchant;
    backend.answer_with(StatusCode::GONE);
    assert!(office.order("INV-1").await.is_success());
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
    assert_eq!(office.browser.refused_by_policy().await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread")]
async fn several_are_cancelled_with_a_summary_of_what_failed() {
    let office = Office::with(4).await;
    office.log_in().await;
    office.shows(&invoices(4, 1)).await;
    for invoice in ["INV-4", "INV-2", "INV-1"] {
        office.pick(invoice).await;
    }
    office.press("cancel-selected").await;
    office.reads("Cancel these 3 payments?").await;
    let refused = Fault::respond(StatusCode::BAD_REQUEST, "{}")
        .on(Endpoint::Cancel)
        .once();
    office.servers.service().inject(refused);
    office.press("confirm").await;
    office.reads("One of 3 was not accepted.").await;
    let outcomes: Vec<String> = office
        .ask("return part('outcome').map(text)", json!(null))
        .await;
    assert!(
        outcomes[0].starts_with("Not accepted:") && outcomes[0].ends_with("Created"),
        "{outcomes:?}"
    );
    assert!(
        outcomes[1..]
            .iter()
            .all(|said| said.starts_with("Status: ")),
        "{outcomes:?}"
    );
    let open = office
        .servers
        .payments()
        .into_iter()
        .filter(|row| row.status == Status::Created);
    let open: Vec<_> = open.filter_map(|row| row.invoice_number).collect();
    assert_eq!(open, ["INV-4", "INV-3"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_goes_on_until_it_is_found_and_leaves_as_csv() {
    let office = Office::with(45).await;
    office.records_files().await;
    office.log_in().await;
    office.search("inv-3").await;
    office.reads("10 of 20 loaded payments").await;
    office.search("INV-2").await;
    office.search("inv-7").await;
    office
        .reads("None of the 20 loaded payments matches.")
        .await;
    office.press("search-older").await;
    office.shows(&["INV-7".to_owned()]).await;
    office.press("export").await;
    let text = office.file().await;
    let mut lines = text.strip_prefix('\u{feff}').unwrap().split("\r\n");
    assert!(
        lines
            .next()
            .unwrap()
            .starts_with("transactionId,invoiceNumber,")
    );
    let payments = office.servers.payments();
    let payment = payments
        .iter()
        .find(|row| row.invoice_number.as_deref() == Some("INV-7"));
    let line = lines.next().unwrap();
    assert!(
        line.contains(&payment.unwrap().quantity_pay.to_string()),
        "{line}"
    );
    assert_eq!(lines.collect::<Vec<_>>(), [""]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_new_payment_appears_and_moves_no_row_that_someone_is_at() {
    let office = Office::with(3).await;
    office.log_in().await;
    office.shows(&invoices(3, 1)).await;
    // The pointer is over a row.
    let place = "
        part('row')[1].scrollIntoView({ block: 'center' });
        const { x, y } = part('row')[1].getBoundingClientRect();
        return [x + 40, y + 10]";
    let [x, y]: [f64; 2] = office.ask(place, json!(null)).await;
    #[expect(clippy::cast_possible_truncation, reason = "pixels of a screen")]
    let (x, y) = (x as i64, y as i64);
    let pointer = office.browser.driver().action_chain().move_to(x, y);
    pointer.perform().await.unwrap();
    office.create(json!({ "invoiceNumber": "INV-4" })).await;
    office.part("show-new").await;
    office.shows(&invoices(3, 1)).await;
    office.press("show-new").await;
    office.shows(&invoices(4, 1)).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn what_buyers_write_stays_text() {
    let office = Office::with(0).await;
    for evil in [
        "<img src=x onerror=alert(1)>",
        "=HYPERLINK(\"http://x\")",
        "\u{202e}gnp.exe",
    ] {
        office
            .create(json!({ "invoiceNumber": evil, "purchaseName": evil.repeat(20) }))
            .await;
    }
    office.log_in().await;
    office
        .sees("three rows", "part('row').length === 3", json!(null))
        .await;
    let images: usize = office
        .ask(
            "return root.querySelectorAll('img, script, a').length",
            json!(null),
        )
        .await;
    assert_eq!(images, 0);
    assert_eq!(office.browser.refused_by_policy().await, [""; 0]);
}
