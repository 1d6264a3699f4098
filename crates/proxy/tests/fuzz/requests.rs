//! What clients send to create payments and to sign orders.

use jsonwebtoken::{EncodingKey, Header, encode};
use serde_json::{Value, json};
use tender_protocol::{Amount, NewOrder};

use super::{SECRET, fuzz, text};
use crate::checkout::purchase::Purchase;
use crate::checkout::signing::LinkSigner;
use crate::config::{Config, OrderKey, Secret};
use crate::error::parse;
use crate::order::verifier::Verifier;

const PLAIN: &str = r#"{"token":"usdtt","quantity":"25.00","paymentToken":"trx","invoiceNumber":"INV-1",
"purchaseEmail":"a@shop.example","purchaseName":"A","itemNumber":"2"}"#;

/// For orders that expire in 2100.
fn verifier(key: OrderKey) -> Verifier {
    Verifier {
        keys: vec![key],
        max_days: u16::MAX,
    }
}

fn of_shop() -> Verifier {
    verifier(OrderKey::hs256(Some("k".to_owned()), &Secret::from(SECRET)))
}

/// Orders that expire in 2100: one with a price, and one whose payer chooses the amount.
fn orders() -> [String; 2] {
    let sign = |claims: Value| {
        let header = Header {
            kid: Some("k".to_owned()),
            ..Header::default()
        };
        encode(
            &header,
            &claims,
            &EncodingKey::from_secret(SECRET.as_bytes()),
        )
        .unwrap()
    };
    let priced = json!({
        "token": "usdtt", "quantity": "25.00", "invoiceNumber": "INV-1", "exp": 4_102_444_800_u64,
    });
    let chosen = json!({
        "token": "usdtt", "invoiceNumber": "INV-2", "itemNumber": "0", "exp": 4_102_444_800_u64,
    });
    [sign(priced), sign(chosen)]
}

/// A damaged order is never accepted, unless its signed content is unchanged.
#[test]
fn accepted_orders_are_as_signed() {
    let verifier = of_shop();
    let [priced, chosen] = orders();
    let seeds = [
        &*priced,
        &*chosen,
        "eyJhbGciOiJub25lIn0.e30.",
        "e30.e30.e30",
    ];
    fuzz(&seeds, |input| {
        if let Some(input) = text(input)
            && verifier.verify_to_read(input).is_ok()
        {
            assert!(seeds.contains(&input), "forged");
        }
    });
}

/// A request to the service always has an accepted token, an invoice and an amount. With a signed
/// price, the amount is that price.
#[test]
fn accepted_create_requests_are_valid() {
    let verifier = of_shop();
    let [priced, chosen] = orders();
    let priced = json!({ "order": priced, "paymentToken": "trx" }).to_string();
    let chosen = json!({ "order": chosen, "paymentToken": "trx", "quantity": "5.5" }).to_string();
    let price: Amount = "25.00".parse().unwrap();
    fuzz(&[PLAIN, &priced, &chosen], |input| {
        let Some(Ok(purchase)) = text(input).map(|json| Purchase::read(json, &verifier, true))
        else {
            return;
        };
        let payment = purchase.payment;
        assert!(!payment.quantity.is_zero());
        assert!(!payment.invoice_number.trim().is_empty());
        assert!(payment.token.is_accepted() && payment.payment_token.is_accepted());
        let chosen = payment.item_number.as_deref() == Some("0");
        if purchase.order.is_some() && !chosen {
            assert_eq!(payment.quantity, price);
        }
        // The service receives the exact amount.
        let sent: Value = serde_json::to_value(&payment).unwrap();
        assert!(sent["quantity"].is_number());
    });
}

/// Whatever is signed as a payment link can be paid, and is within the limits.
#[test]
fn payment_links_can_be_paid() {
    let mut config = Config::new("http://127.0.0.1:9", "http://127.0.0.1:9").unwrap();
    config.server.public_url = Some("https://pay.shop.example".parse().unwrap());
    config.payment_links.max_quantities = vec!["usdtt=500".parse().unwrap()];
    let links = LinkSigner::new(&config, Secret::from(SECRET));
    let verifier = verifier(links.key());
    let max: Amount = "500".parse().unwrap();
    let seeds = [
        r#"{"token":"usdtt","quantity":"48.50","invoiceNumber":"INV-1","expires":"7d"}"#,
        r#"{"token":"USDTT","quantity":500,"invoiceNumber":"\u00e9","expires":"12h 30m"}"#,
    ];
    fuzz(&seeds, |input| {
        let order = text(input).map(parse::<NewOrder>);
        let Some(Ok(signed)) = order.map(|order| links.sign(order?)) else {
            return;
        };
        let body = json!({ "order": signed.order, "paymentToken": "trx" }).to_string();
        let payment = Purchase::read(&body, &verifier, false).unwrap().payment;
        assert_eq!(payment.token.as_str(), "usdtt");
        assert!(payment.quantity <= max);
    });
}
