//! Tests of what a create request may contain.

use serde_json::{Value, json};
use tender_protocol::ProblemCode;
use tender_sandbox::Endpoint;

use crate::support::{World, order, paying, plain};

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
    let donation = order(json!({ "itemNumber": "0", "quantity": null }));
    let chosen = json!({ "order": donation, "paymentToken": "trx", "quantity": "7.50" });
    let payment = world.create(&chosen).await.payment();
    assert_eq!(payment.quantity.to_string(), "7.50");
    assert_eq!(payment.item_number.as_deref(), Some("0"));

    let answer = world.create(&paying(&donation)).await;
    answer.is_refused_for(ProblemCode::InvalidRequest, "`quantity`");

    let nothing = json!({ "order": donation, "paymentToken": "trx", "quantity": 0 });
    let answer = world.create(&nothing).await;
    answer.is_refused_as(ProblemCode::InvalidRequest);

    let suggested = order(json!({ "itemNumber": "0", "quantity": "5" }));
    let payment = world.create(&paying(&suggested)).await.payment();
    assert_eq!(payment.quantity.to_string(), "5");
}

#[tokio::test]
async fn the_page_adds_missing_buyer_fields() {
    let world = World::new().await;
    let mut body = paying(&order(json!({ "purchaseEmail": "known@shop.example" })));
    body["purchaseEmail"] = json!("page@shop.example");
    body["purchaseName"] = json!("Page");
    let payment = world.create(&body).await.payment();
    assert_eq!(
        payment.purchase_email.as_deref(),
        Some("known@shop.example")
    );
    assert_eq!(payment.purchase_name.as_deref(), Some("Page"));
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

#[tokio::test]
async fn only_accepted_codes_reach_the_service() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    for body in [
        plain(json!({ "token": "eth" })),
        plain(json!({ "paymentToken": "eth" })),
        json!({ "order": order(json!({})), "paymentToken": "eth" }),
        paying(&order(json!({ "token": "eth" }))),
    ] {
        let answer = world.create(&body).await;
        let accepted = "trx, usdtt, usdte, bnb, kxp, btc";
        answer.is_refused_for(ProblemCode::TokenNotAccepted, accepted);
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
    // The listing may show codes in upper case.
    let created = world.create(&plain(json!({ "paymentToken": "BTC" }))).await;
    created.record();
}

#[tokio::test]
async fn invalid_requests_are_refused_before_the_service_is_called() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    for (body, named) in [
        (plain(json!({ "quantity": "0.00" })), "`quantity`"),
        (plain(json!({ "quantity": "-1" })), "negative"),
        (plain(json!({ "quantity": "1,5" })), "1,5"),
        (plain(json!({ "quantity": null })), "`quantity`"),
        (plain(json!({ "token": null })), "`token`"),
        (plain(json!({ "invoiceNumber": " " })), "`invoiceNumber`"),
        (json!({ "order": "a.b.c" }), "`paymentToken`"),
        (json!({ "order": 7, "paymentToken": "trx" }), "string"),
        (json!([]), "object"),
    ] {
        let answer = world.create(&body).await;
        answer.is_refused_for(ProblemCode::InvalidRequest, named);
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
}

/// A buyer's odd fields never reach the service, which might fail on them.
#[tokio::test]
async fn the_fields_of_a_page_are_limited() {
    let world = World::with(|config| config.orders.allow_unsigned = true).await;
    let chosen = order(json!({ "itemNumber": "0", "quantity": null }));
    let chosen = |quantity: &str| merge(paying(&chosen), json!({ "quantity": quantity }));
    let ordered = |fields| merge(paying(&order(json!({}))), fields);
    for (reason, body) in [
        (
            "`purchaseName` is longer than 200",
            ordered(json!({ "purchaseName": "é".repeat(101) })),
        ),
        (
            "`purchaseEmail` is longer than 254",
            ordered(json!({ "purchaseEmail": "x".repeat(255) })),
        ),
        (
            "`purchaseName` contains",
            ordered(json!({ "purchaseName": "a\u{0}b" })),
        ),
        ("`quantity` has more than 38", chosen(&"9".repeat(39))),
        (
            "`itemNumber` contains",
            plain(json!({ "itemNumber": "a\nb" })),
        ),
        (
            "`invoiceNumber` is longer than 128",
            plain(json!({ "invoiceNumber": "1".repeat(129) })),
        ),
    ] {
        let answer = world.create(&body).await;
        answer.is_refused_for(ProblemCode::InvalidRequest, reason);
    }
    assert_eq!(world.calls(Endpoint::Create), 0);
    let longest = json!({ "purchaseName": "é".repeat(100), "purchaseEmail": "x".repeat(254) });
    world.create(&ordered(longest)).await.record();
}

fn merge(mut body: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else {
        panic!("the fields are an object");
    };
    body.as_object_mut().unwrap().extend(fields);
    body
}
