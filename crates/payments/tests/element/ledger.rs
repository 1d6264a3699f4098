//! What the proxy's ledger adds to the list.

use serde_json::json;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::support::office::Office;
use crate::support::shop::Shop;
use crate::support::stream;
use crate::support::wait::until;

#[wasm_bindgen_test]
async fn orders_are_listed_until_their_outcome_is_known() {
    let shop = Shop::with(2);
    stream::offer(&shop.proxy);
    let order = |invoice: &str, reason: &str| {
        json!({
            "invoiceNumber": invoice, "token": "usdtt", "paymentToken": "trx",
            "quantity": "12.50", "since": "2026-11-21T10:00:00Z", "reason": reason,
        })
    };
    shop.set_ledger(&json!({
        "payments": [
            { "transactionId": "t-1", "attempts": 3, "firstAttemptAt": "2026-11-21T10:00:00Z", "notifiedAt": "2026-11-21T10:00:00Z", "notifications": 1 },
            { "transactionId": "t-2", "attempts": 1, "notifiedAt": null, "notifications": 0 },
        ],
        "reconciling": [
            order("INV-8", "create-unanswered"), order("INV-9", "cancel-unanswered"),
            order("INV-10", "create-contradictory"), order("INV-11", "late-duplicate"),
            order("INV-12", "a-reason-of-a-newer-proxy"),
        ],
        "more": true,
    }));
    let office = Office::ready(&shop).await;
    office.until_part("reconciling").await;
    let said = office.text_of("reconciling");
    for words in [
        "Before you ask a buyer to pay again, search for the invoice below.",
        "INV-8",
        "12.50",
        "It is not known whether the payment was created.",
        "INV-9",
        "It is not known whether the payment was cancelled.",
        "INV-10",
        "The created payment contradicts the order.",
        "INV-11",
        "A second payment was created, and it is not cancelled yet.",
        "INV-12",
        "The outcome is not known.",
        "There are more.",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let row = |invoice| office.row(invoice).text_content().unwrap();
    assert!(row("INV-1").contains("3 attempts since Nov 21, 2026, "));
    assert!(
        !row("INV-1").contains("Service:"),
        "a notification is no news"
    );
    assert!(row("INV-2").contains("Service: no notification yet"));
    assert!(!row("INV-2").contains("ttempt"));

    // It is written as the service writes it: in lower case in requests, and in upper case in records.
    assert!(said.contains("12.50 USDT"), "{said}");
    shop.set_ledger(&json!({ "payments": [], "reconciling": [], "more": false }));
    shop.until_streaming().await;
    shop.send("ledger", "1", "{}");
    until("nothing is open any more", || {
        !office.has_part("reconciling")
    })
    .await;
}

#[wasm_bindgen_test]
async fn statuses_that_no_setting_maps_are_named_with_the_settings() {
    let shop = Shop::with(2);
    stream::offer(&shop.proxy);
    let ledger = |statuses: &[&str]| json!({ "payments": [], "reconciling": [], "unmappedStatuses": statuses });
    shop.set_ledger(&ledger(&["Confirming", "7"]));
    let office = Office::ready(&shop).await;
    let line = "No setting says what this status means: Confirming, 7. If money has arrived then, or the payment has ended, add it \
                to one of these settings of the payment server: status_paid, status_pending, status_underpaid, status_closed.";
    let has_line = || office.text_of("dashboard").contains(line);
    until("the statuses are named", has_line).await;

    shop.set_ledger(&ledger(&[]));
    shop.until_streaming().await;
    shop.send("ledger", "1", "{}");
    until("all have a meaning", || {
        !office.text_of("dashboard").contains("status_paid")
    })
    .await;
}
