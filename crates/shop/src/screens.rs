//! The playground's screens of a payment: a stand-in for the proxy, whose look-up finds a payment in this state. Nothing is
//! created, and no money can be sent.

use std::sync::Arc;

use axum::extract::Path;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use tender_protocol::{path, test_mode};

use crate::Shop;
use crate::invoice::Invoice;
use crate::order::{ARTICLE, SHIPPING, TOKEN};

/// What the playground offers besides the choice of a token: the value in the address, and its name.
pub(crate) const SCREENS: [(&str, &str); 4] = [
    ("open", "Payment"),
    ("pending", "Pending"),
    ("paid", "Paid"),
    ("closed", "Closed"),
];

/// A state of the payment, as the proxy's record has it.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Screen {
    Open,
    Pending,
    Paid,
    Closed,
}

/// The routes of the stand-in, below `/playground/{screen}/{invoice}`.
pub(crate) fn router() -> Router<Arc<Shop>> {
    Router::new()
        .route(path::PAYMENT, get(payment))
        .route(&format!("{}/{{id}}", path::PAYMENT), get(payment))
        .route(path::TOKENS, get(tokens))
}

async fn payment(Path(Shown { screen, invoice }): Path<Shown>) -> Json<Value> {
    let (state, status_id, status_text) = match screen {
        Screen::Open => ("open", "1", "Created"),
        Screen::Pending => ("pending", "2", "Pending"),
        Screen::Paid => ("paid", "3", "Completed"),
        Screen::Closed => ("closed", "4", "Expired"),
    };
    let price = (ARTICLE + SHIPPING).to_string();
    // The checkout shows no address to pay to in test mode: QR code and copy button give a harmless text.
    Json(json!({
        (test_mode::FIELD): true,
        "transactionId": "00000000-0000-4000-8000-000000000000",
        "token": TOKEN,
        "paymentToken": "BTC",
        "paymentTokenCode": "btc",
        "quantity": price,
        "quantityPay": "0.00075487",
        "priceUsd": price,
        "purchaseEmail": null,
        "purchaseName": null,
        "invoiceNumber": invoice.as_str(),
        "statusId": status_id,
        "statusText": status_text,
        "wallet": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
        "createdAt": "2026/01/31",
        "receipt": "playground",
        "state": state,
    }))
}

/// What the address names.
#[derive(Deserialize)]
struct Shown {
    screen: Screen,
    invoice: Invoice,
}

async fn tokens() -> Json<Value> {
    Json(json!([
        { "token": "btc", "name": "Bitcoin", "symbol": "BTC", "network": { "name": "Bitcoin" }, (test_mode::FIELD): true },
        { "token": TOKEN, "name": "Tether USD", "symbol": "USDT", "network": { "name": "TRON" }, (test_mode::FIELD): true },
    ]))
}
