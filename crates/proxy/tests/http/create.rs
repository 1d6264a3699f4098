//! Tests of what a create request may contain.

use crate::bodies::merged;
use crate::prelude::*;

#[tokio::test]
async fn a_signed_order_overrides_the_page() {
    let world = World::new().await;
    let answer = world
        .create(&json!({
            "order": order(json!({ "token": "usdte", "quantity": "25.00", "invoiceNumber": "INV-7" })),
            "paymentToken": "btc",
            "token": "kxp",
            "quantityPay": "0.01",
            "invoiceNumber": "INV-8",
            "itemNumber": "0",
        }))
        .await;
    let payment = answer.payment();
    assert_eq!(payment.token, "USDTE");
    assert_eq!(payment.quantity.to_string(), "25.00");
    assert_eq!(payment.invoice_number.as_deref(), Some("INV-7"));
    assert_eq!(payment.item_number, None);
    assert_eq!(payment.payment_token, "BTC");
    assert_eq!(world.payments(), [payment]);
}

#[tokio::test]
async fn the_payer_chooses_the_amount_only_if_the_order_allows_it() {
    let world = World::new().await;
    for (suggested, chosen, paid) in [
        (Value::Null, json!("7.50"), "7.50"),
        (json!("5"), Value::Null, "5"),
    ] {
        let donation = order(json!({ "itemNumber": "0", "quantity": suggested }));
        let body = merged(paying(&donation), json!({ "quantity": chosen }));
        let payment = world.create(&body).await.payment();
        assert_eq!(payment.quantity.to_string(), paid);
        assert_eq!(payment.item_number.as_deref(), Some("0"));
    }
}

#[tokio::test]
async fn the_page_adds_missing_buyer_fields() {
    let world = World::new().await;
    let known = paying(&order(json!({ "purchaseEmail": "known@shop.example" })));
    let page = json!({ "purchaseEmail": "page@shop.example", "purchaseName": "Page" });
    let payment = world.create(&merged(known, page)).await.payment();
    let (email, name) = (payment.purchase_email, payment.purchase_name);
    assert_eq!(email.as_deref(), Some("known@shop.example"));
    assert_eq!(name.as_deref(), Some("Page"));
}

#[tokio::test]
async fn unsigned_orders_must_be_allowed() {
    let world = World::new().await;
    let answer = world.create(&plain(json!({}))).await;
    answer.is_refused_as(ProblemCode::UnsignedOrderRefused);
    assert_eq!(world.calls(Endpoint::Create), 0);

    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let body = plain(json!({ "purchaseName": "A", "itemNumber": "2" }));
    let payment = world.create(&body).await.payment();
    assert_eq!(payment.quantity.to_string(), "25.00");
    assert_eq!(payment.purchase_name.as_deref(), Some("A"));
    assert_eq!(payment.item_number.as_deref(), Some("2"));
    world.create(&paying(&order(json!({})))).await.record();
}

/// The service might fail on them.
#[tokio::test]
async fn invalid_requests_are_refused_before_the_service_is_called() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let donation = order(json!({ "itemNumber": "0", "quantity": null }));
    let chosen = |quantity| merged(paying(&donation), json!({ "quantity": quantity }));
    let ordered = |fields| merged(paying(&order(json!({}))), fields);
    let (long_name, long_email) = ("é".repeat(101), "x".repeat(255));
    let long_number = "1".repeat(129);
    for (body, reason) in [
        (plain(json!({ "quantity": "0.00" })), "`quantity`"),
        (plain(json!({ "quantity": "-1" })), "negative"),
        (plain(json!({ "quantity": "1,5" })), "1,5"),
        (plain(json!({ "quantity": null })), "`quantity`"),
        (paying(&donation), "`quantity`"),
        (chosen(json!(0)), "`quantity`"),
        (chosen(json!("9".repeat(39))), "`quantity` has more than 38"),
        (plain(json!({ "token": null })), "`token`"),
        (plain(json!({ "invoiceNumber": " " })), "`invoiceNumber`"),
        (
            plain(json!({ "invoiceNumber": long_number })),
            "`invoiceNumber` is longer than 128",
        ),
        (
            plain(json!({ "invoiceNumber": " INV-1" })),
            "`invoiceNumber` begins or ends with white space",
        ),
        (
            plain(json!({ "itemNumber": "a\nb" })),
            "`itemNumber` contains",
        ),
        (
            ordered(json!({ "purchaseName": long_name })),
            "`purchaseName` is longer than 200",
        ),
        (
            ordered(json!({ "purchaseEmail": long_email })),
            "`purchaseEmail` is longer than 254",
        ),
        (
            ordered(json!({ "purchaseName": "a\u{0}b" })),
            "`purchaseName` contains",
        ),
        (json!({ "order": "a.b.c" }), "`paymentToken`"),
        (json!({ "order": 7, "paymentToken": "trx" }), "string"),
        (json!([]), "object"),
    ] {
        let answer = world.create(&body).await;
        answer.is_refused_for(ProblemCode::InvalidRequest, reason);
    }
    for body in [
        plain(json!({ "token": "eth" })),
        plain(json!({ "paymentToken": "eth" })),
        ordered(json!({ "paymentToken": "eth" })),
        paying(&order(json!({ "token": "eth" }))),
    ] {
        let answer = world.create(&body).await;
        let accepted = "trx, usdtt, usdte, bnb, kxp, btc";
        answer.is_refused_for(ProblemCode::TokenNotAccepted, accepted);
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
    let longest = json!({ "purchaseName": "é".repeat(100), "purchaseEmail": "x".repeat(254) });
    world.create(&ordered(longest)).await.record();
    // The listing may show codes in upper case.
    let upper_case = plain(json!({ "paymentToken": "BTC" }));
    world.create(&upper_case).await.record();
}
