//! What a row shows of a payment, and what the parts around the table say.

use std::collections::BTreeSet;

use serde_json::json;
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::HtmlElement;

use crate::support::Replaced;
use crate::support::mounted::is_seen;
use crate::support::office::Office;
use crate::support::proxy::Reply;
use crate::support::shop::{LIST, Shop, record};
use crate::support::wait::{settled, until};

const WALLET: &str = "TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t";

#[wasm_bindgen_test]
async fn the_details_show_the_whole_record() {
    let shop = Shop::with(1);
    let mut long = record(2);
    long["wallet"] = json!(WALLET);
    long["token"] = json!("USDTT");
    long["paymentToken"] = json!("USDTE");
    shop.add([long]);
    let office = Office::ready(&shop).await;
    let details = office.open_details("INV-2").await;
    let text: HtmlElement = details.unchecked_into();
    let text = text.inner_text();
    for words in [
        "Payment INV-2",
        "Created",
        "150.25 USDT Ethereum (ERC20)",
        "48.50 USDT",
        "buyer-2@example.com",
        "Nov 21, 2026",
        WALLET,
        "t-2",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
}

/// The service's records have no times.
#[wasm_bindgen_test]
async fn the_details_have_a_timeline_of_what_the_proxy_knows() {
    let shop = Shop::with(2);
    let time = |minute: u32| format!("2026-11-21T10:0{minute}:00Z");
    shop.set_ledger(&json!({
        "payments": [{ "transactionId": "t-1", "attempts": 1, "firstAttemptAt": time(0),
            "notifiedAt": time(2), "notifications": 1 }],
        "reconciling": [], "more": false,
    }));
    let change = |id: &str, kind: &str, minute| {
        json!({ "id": id, "type": kind, "transactionId": "t-1", "state": "delivered", "tries": 1,
            "writtenAt": time(minute) })
    };
    shop.set_deliveries(&[
        change("d-2", "payment.paid", 3),
        change("d-1", "payment.created", 1),
    ]);
    let office = Office::ready(&shop).await;
    let details = office.open_details("INV-1").await;
    let moments = || {
        let titles = details
            .query_selector_all(".timeline > li > strong")
            .unwrap();
        let title = |at| titles.get(at).unwrap().text_content().unwrap();
        (0..titles.length()).map(title).collect::<Vec<_>>()
    };
    let expected = [
        "Paid",
        "First notification from the payment service",
        "Created",
        "First attempt to pay",
    ];
    until("the timeline is shown", || moments() == expected).await;
    office.press_part("close");
    office.until_focused("[part=details]").await;

    let other = office.open_details("INV-2").await;
    let text = other.text_content().unwrap();
    assert!(!text.contains("First attempt"), "{text}");
}

#[wasm_bindgen_test]
async fn a_failed_refresh_says_since_when_the_list_is_old() {
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    shop.proxy
        .reply(LIST, Reply::problem(502, "service-failed"));
    office.press_part("refresh");
    office.until_shown("Not updated since ").await;
    office.shows(1, 1).await;
    let said = office.part("alert").text_content();
    {
        // Later, the merchant chooses another language.
        let _later = Replaced::new(
            "Date.prototype",
            "toISOString",
            "() => '2030-01-31T10:00:00.000Z'",
        );
        for locale in ["ar", "en"] {
            office.set("locale", locale);
            settled().await;
        }
        office.until_shown("Not updated since ").await;
        assert_eq!(office.part("alert").text_content(), said);
    }
    office.press_part("refresh");
    until("it is current again", || !office.has_part("alert")).await;
}

#[wasm_bindgen_test]
async fn no_two_statuses_of_a_chart_look_the_same() {
    let shop = Shop::with(0);
    let statuses = [
        ("Created", json!("open")),
        ("Confirming", json!("open")),
        ("Completed", json!("paid")),
        ("Expired", json!("closed")),
        ("Cancelled", json!("closed")),
        ("Refused", json!("closed")),
        ("Seen", json!("pending")),
        ("Short", json!("underpaid")),
        ("Lost", json!("unknown")),
        ("Unknown", json!(null)),
    ];
    let count = statuses.len();
    for (number, (status, state)) in (1..).zip(statuses) {
        let mut payment = record(number);
        payment["statusId"] = json!(number.to_string());
        payment["statusText"] = json!(status);
        payment["state"] = state;
        payment["createdAt"] = json!(format!("2026/11/{}", 10 + number));
        shop.add([payment]);
    }
    let office = Office::ready(&shop).await;
    office.part("days").set_attribute("open", "").unwrap();
    let keys = office.all(".legend rect");
    let looks: BTreeSet<_> = keys.iter().map(|key| key.get_attribute("class")).collect();
    assert_eq!((keys.len(), looks.len()), (count, count), "{looks:?}");
    let text = office.text_of("days");
    assert!(
        text.starts_with("Daily totals: Nov 11, 2026 – Nov 20, 2026"),
        "{text}"
    );
    assert!(text.contains("Nov 11Nov 20"), "{text}");
}

const BANNER: &str = "Test mode: these payments are not real, and no money has been received.";

async fn until_banner(office: &Office) {
    office.until_part("test-mode").await;
    assert_eq!(office.text_of("test-mode"), BANNER);
    assert!(is_seen(&office.part("test-mode")));
    assert_eq!(office.role("note").len(), 1);
}

#[wasm_bindgen_test]
async fn a_list_of_tests_has_a_banner() {
    // Before there is a payment, the proxy's ledger says it.
    let shop = Shop::with(0);
    shop.set_ledger(&json!({ "payments": [], "reconciling": [], "more": false, "testMode": true }));
    until_banner(&Office::ready(&shop).await).await;

    // Without the ledger, the payments say it.
    let shop = Shop::with(1);
    let office = Office::ready(&shop).await;
    settled().await;
    assert!(!office.has_part("test-mode"));
    let mut test = record(2);
    test["testMode"] = true.into();
    shop.add([test]);
    office.press_part("refresh");
    until_banner(&office).await;
}
