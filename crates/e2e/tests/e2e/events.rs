//! The events that the page gets, and two checkouts on a page.

use serde_json::json;

use crate::support::{Browser, Role, Servers};

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

#[tokio::test(flavor = "multi_thread")]
async fn two_checkouts_on_a_page_do_not_disturb_each_other() {
    let servers = Servers::open().await;
    let browser = Browser::start().await;
    let proxy = servers.proxy_url();
    let element = |id: &str, quantity: &str| {
        let order = servers.sign(json!({
            "token": "usdtt", "quantity": quantity, "invoiceNumber": id,
        }));
        format!(
            "<tender-checkout id=\"{id}\" proxy=\"{proxy}\" order=\"{order}\"></tender-checkout>"
        )
    };
    let (coffee, cake) = (element("coffee", "3.50"), element("cake", "4.25"));
    let page = servers.page(&format!(
        "{coffee}{cake}<script src=\"{proxy}/v1/checkout.js\" async></script>"
    ));
    let coffee = browser.visit(&page).await;
    let cake = browser.checkout("#cake").await;
    coffee.choose("Tether USD, TRON").await;
    cake.choose("TRON, TRON").await;
    let coffees = coffee.get(Role::Radio, "Tether USD, TRON").await;
    assert!(coffees.is_selected().await.unwrap());

    coffee.press("Pay 3.50 USDT on TRON (TRC20)").await;
    assert_eq!(coffee.amount().await, "3.5");
    cake.is_choosing().await;
    cake.press("Pay in TRX on TRON").await;
    assert_eq!(cake.amount().await, "13.709678");
    assert_eq!(coffee.text_of("invoice").await, "coffee");
    assert_eq!(cake.text_of("invoice").await, "cake");
    let payments = servers.payments();
    let quantities = payments.iter().map(|one| one.quantity.to_string());
    assert_eq!(quantities.collect::<Vec<_>>(), ["4.25", "3.50"]);
}
