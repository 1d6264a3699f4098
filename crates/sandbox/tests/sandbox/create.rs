//! Tests of endpoint 4, "Create a payment request".

use std::collections::HashSet;

use jiff::Timestamp;
use reqwest::Method;
use serde_json::{Value, json};
use tender_checkout_core::Address;
use tender_checkout_core::asset::AssetInfo;
use tender_protocol::{Payment, Status, path};
use uuid::Uuid;

use crate::support::{Answer, Caller, order};

async fn create(caller: &Caller, fields: Value) -> Answer {
    caller.post(path::PAYMENT, &order(fields)).await
}

// "Response: one payment record (see Resources), with statusId "1" and statusText "Created" in the
// shown case." "statusId | string | Status code, a numeric value carried in a string"
// "All bodies are JSON."
#[tokio::test]
async fn it_returns_one_payment_record_with_status_created() {
    let caller = Caller::new().await;
    let answer = create(&caller, json!({})).await;
    assert_eq!(answer.content_type, "application/json");
    assert_eq!(answer.text_of("statusId"), r#""1""#);
    assert_eq!(answer.text_of("statusText"), r#""Created""#);
    let payment = answer.payment();
    assert_eq!(payment.status, Status::Created);
    // The list contains the same record.
    let listed = caller.get(path::LIST).await.payments();
    assert_eq!(listed, std::slice::from_ref(&payment));
    // "transactionId | string (UUID) | Payment identifier"
    Uuid::parse_str(&payment.transaction_id).unwrap();
    let other = caller.create(json!({})).await;
    assert_ne!(other.transaction_id, payment.transaction_id);
}

// "Payment record (response of create and cancel; element of the list)": its fields and types.
// "Buyer e-mail as sent on creation", "Buyer name as sent on creation", "The merchant's invoice
// identifier as sent on creation", "itemNumber: As sent on creation"
#[tokio::test]
async fn the_record_has_the_documented_fields() {
    let caller = Caller::new().await;
    let sent = json!({
        "purchaseEmail": "Buyer+1@Shop.example",
        "purchaseName": "Zoë \"Z\" <O'Neil>",
        "invoiceNumber": " inv/7 \u{2116} ",
        "itemNumber": "03",
    });
    let answer = create(&caller, sent.clone()).await;
    // The proxy adds `state` and `testMode`.
    let Payment {
        transaction_id: _,
        token: _,
        payment_token: _,
        quantity: _,
        quantity_pay: _,
        price_usd: Some(_),
        purchase_email: Some(_),
        purchase_name: Some(_),
        invoice_number: Some(_),
        item_number: Some(_),
        status: _,
        wallet: _,
        created_at: Some(_),
        state: None,
        test_mode: false,
    } = answer.payment()
    else {
        panic!("the record lacks a field: {}", answer.body);
    };
    let record = answer.json();
    for (field, value) in sent.as_object().unwrap() {
        assert_eq!(record[field], *value, "{field}");
    }
    // "returned in upper case (e.g. a ticker), although requests use lower-case codes"
    assert_eq!(
        (&record["token"], &record["paymentToken"]),
        (&json!("USDTT"), &json!("TRX"))
    );
    let fields: HashSet<_> = record
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect();
    let texts = [
        "transactionId",
        "token",
        "paymentToken",
        "purchaseEmail",
        "purchaseName",
        "invoiceNumber",
        "itemNumber",
        "statusId",
        "statusText",
        "wallet",
        "createdAt",
    ];
    let numbers = ["quantity", "quantityPay", "priceUsd"];
    for text in texts {
        assert!(record[text].is_string(), "{text}");
    }
    for number in numbers {
        assert!(record[number].is_number(), "{number}");
    }
    assert_eq!(fields, texts.into_iter().chain(numbers).collect());
}

// "`quantity` is an amount in the `token` currency (e.g. 10 with token usdtt means 10 USDT on
// TRC20)." "quantity | number | Amount in `token`": every digit is kept.
// "When `paymentToken` differs from `token`, the service converts the amount; the amount to pay is
// returned in `quantityPay`." It is exact, and rounded up. US dollars have two fractional digits or more.
#[tokio::test]
async fn the_amounts_of_a_payment() {
    let caller = Caller::new().await;
    for (quantity, token, payment_token, field, shown) in [
        ("10", "usdtt", "trx", "quantity", "10"),
        ("10", "usdtt", "trx", "priceUsd", "10.00"),
        ("10", "usdtt", "trx", "quantityPay", "32.25806452"),
        ("10", "btc", "trx", "quantity", "10"),
        ("10", "btc", "trx", "priceUsd", "642500.00"),
        ("0.5", "usdtt", "trx", "priceUsd", "0.50"),
        ("1.23", "trx", "trx", "priceUsd", "0.3813"),
        ("0.00000001", "btc", "btc", "priceUsd", "0.0006425"),
        ("12.5", "trx", "trx", "quantityPay", "12.5"),
        ("2.50", "btc", "btc", "quantityPay", "2.5"),
        ("100", "btc", "btc", "quantityPay", "100"),
        // Without a remainder, and rounded up.
        ("12.85", "usdtt", "btc", "quantityPay", "0.0002"),
        ("0.00000001", "usdtt", "btc", "quantityPay", "0.00000001"),
        ("1e-30", "btc", "btc", "quantityPay", "0.00000001"),
        (
            "123456789012345678901234567890",
            "btc",
            "usdtt",
            "quantityPay",
            "7932098694043209869404320986932500",
        ),
        (
            "123456789012.12345678",
            "btc",
            "btc",
            "quantity",
            "123456789012.12345678",
        ),
        ("1.10000000", "btc", "btc", "quantity", "1.10000000"),
        (
            "0.123456789012345678",
            "btc",
            "btc",
            "quantity",
            "0.123456789012345678",
        ),
        ("1e-8", "btc", "btc", "quantity", "0.00000001"),
    ] {
        let answer = caller.price(quantity, token, payment_token).await;
        let found = answer.text_of(field);
        assert_eq!(
            found, shown,
            "{field} of {quantity} {token} in {payment_token}"
        );
    }
}

// "purchaseEmail, purchaseName, itemNumber | required: no"
#[tokio::test]
async fn optional_fields_may_be_absent_or_null() {
    let caller = Caller::new().await;
    assert_eq!(caller.create(json!({})).await.purchase_email, None);
    let body = r#"{"token": "btc", "quantity": 1, "paymentToken": "btc", "invoiceNumber": "1",
        "purchaseEmail": null, "purchaseName": null, "itemNumber": null}"#;
    let null = caller.call(Method::POST, path::PAYMENT, body).await;
    assert_eq!(null.payment().item_number, None);
}

// "createdAt | string | Date in the form YYYY/MM/DD"
#[tokio::test]
async fn created_at_is_a_date_with_slashes() {
    let caller = Caller::new().await;
    let today = || Timestamp::now().strftime("%Y/%m/%d").to_string();
    let before = today();
    let created_at = caller.create(json!({})).await.created_at.unwrap();
    // The date may change during the test.
    assert!([before, today()].contains(&created_at), "{created_at}");
}

// "wallet | string | Wallet associated with the payment; its format: not shown". The demo addresses
// are valid for wallets, except for the service's own token.
#[tokio::test]
async fn each_wallet_is_on_the_network_of_the_payment_token() {
    let caller = Caller::new().await;
    let mut wallets = HashSet::new();
    for (payment_token, prefix) in [
        ("btc", "bc1q"),
        ("trx", "T"),
        ("usdtt", "T"),
        ("usdte", "0x"),
        ("bnb", "0x"),
        ("kxp", "KXP-"),
    ] {
        let wallet = caller
            .create(json!({ "paymentToken": payment_token }))
            .await
            .wallet;
        assert!(wallet.starts_with(prefix), "{payment_token}: {wallet}");
        let asset = AssetInfo::of(&payment_token.into());
        let is_address = asset.is_some_and(|asset| Address::parse(&wallet, &asset).is_some());
        assert_eq!(
            is_address,
            payment_token != "kxp",
            "{payment_token}: {wallet}"
        );
        assert!(wallets.insert(wallet));
    }
}

// "When `itemNumber` (described as an amount) is sent as 0, the invoice value is taken from the
// amount sent by the user (the payer)."
#[tokio::test]
async fn with_item_number_0_the_invoice_value_is_taken_from_the_amount_sent() {
    let caller = Caller::new().await;
    let open = json!({ "token": "usdtt", "paymentToken": "trx", "itemNumber": "0" });
    let payment = caller.create(open).await;
    // Until then it is like any other payment.
    assert_eq!(payment.quantity_pay.to_string(), "32.25806452");

    let send = format!("/sandbox/payments/{}/send", payment.transaction_id);
    let after = caller.post(&send, &json!({ "amount": 100 })).await;
    assert_eq!(after.text_of("quantityPay"), "100");
    assert_eq!(after.text_of("quantity"), "31");
    assert_eq!(after.text_of("priceUsd"), "31.00");
    assert_eq!(caller.get(path::LIST).await.payments(), [after.payment()]);

    let more = caller.post(&send, &json!({ "amount": 0.5 })).await;
    assert_eq!(more.text_of("quantityPay"), "100.5");
    assert_eq!(more.text_of("priceUsd"), "31.155");
}

// The reverse of the same rule: only "when `itemNumber` is sent as 0".
#[tokio::test]
async fn with_another_item_number_the_invoice_value_does_not_change() {
    let caller = Caller::new().await;
    for fields in [json!({}), json!({ "itemNumber": "1" })] {
        let payment = caller.create(fields).await;
        let amount = "100".parse().unwrap();
        let after = caller
            .controls()
            .send(&payment.transaction_id, &amount)
            .unwrap();
        assert_eq!(after, payment);
        let entry = caller.controls().payment(&payment.transaction_id).unwrap();
        assert_eq!(entry.sent, Some(amount));
    }
}
