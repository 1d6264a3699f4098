//! The events that the page gets.

use serde_json::json;

use crate::support::{Browser, Servers};

#[tokio::test(flavor = "multi_thread")]
async fn the_page_gets_all_events_in_order() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let checkout = browser
        .pay(&servers.shop_page("invoice=INV-1042"), "TRON, TRON")
        .await;
    // From the skeleton to the payment, under the sample shop's policy.
    assert_eq!(browser.refused_by_policy().await, [""; 0]);
    assert_eq!(browser.console_errors().await, [""; 0]);
    let payment = servers.only_payment();
    checkout.cancel().await;
    browser.event("tender-cancelled").await;

    // The event for the new status may come before the cancel response, or not at all.
    let mut dispatched = browser.event_names().await;
    dispatched.retain(|name| name != "tender-status");
    let names = ["tender-ready", "tender-created", "tender-cancelled"];
    assert_eq!(dispatched, names);
    let created = browser.event("tender-created").await;
    assert_eq!(
        created.detail["payment"],
        json!({
            "transactionId": payment.transaction_id,
            "token": "USDTT",
            "paymentToken": "TRX",
            "quantity": "48.50",
            "quantityPay": "156.45161291",
            "priceUsd": "48.50",
            "purchaseEmail": "buyer@example.com",
            "purchaseName": null,
            "invoiceNumber": "INV-1042",
            "itemNumber": null,
            "statusId": "1",
            "statusText": "Created",
            "wallet": payment.wallet,
            "createdAt": payment.created_at,
            "state": null,
            "paymentAsset": {
                "chainId": "tron:0x2b6653dc", "assetId": "tron:0x2b6653dc/slip44:195",
            },
        })
    );
}
