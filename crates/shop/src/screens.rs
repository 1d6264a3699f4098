//! The playground's screens of a payment: a stand-in for the proxy, whose look-up finds a payment in this state. Nothing is
//! created, and no money can be sent.

use std::sync::Arc;

use axum::extract::Path;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use tender_protocol::{path, test_mode};

use crate::Shop;
use crate::invoice::Invoice;
use crate::order::{TOKEN, TOTAL};

/// What the playground offers besides the choice of a token: the state of the payment as the proxy's record has it, its name
/// on the page, and the service's status by its id and its text.
pub(crate) const SCREENS: [[&str; 4]; 4] = [
    ["open", "Payment", "1", "Created"],
    ["pending", "Pending", "2", "Pending"],
    ["paid", "Paid", "3", "Paid"],
    ["closed", "Closed", "4", "Expired"],
];

/// The routes of the stand-in, below `/playground/{screen}/{invoice}`.
pub(crate) fn router() -> Router<Arc<Shop>> {
    Router::new()
        .route(path::PAYMENT, get(payment))
        .route(&format!("{}/{{id}}", path::PAYMENT), get(payment))
        .route(path::TOKENS, get(tokens))
}

async fn payment(Path(shown): Path<Shown>) -> Result<Json<Value>, StatusCode> {
    let screen = SCREENS.iter().find(|[state, ..]| *state == shown.screen);
    let [state, _, status_id, status_text] = screen.ok_or(StatusCode::NOT_FOUND)?;
    // The checkout shows no address to pay to in test mode: QR code and copy button give a harmless text.
    Ok(Json(json!({
        (test_mode::FIELD): true,
        "transactionId": "00000000-0000-4000-8000-000000000000",
        "token": TOKEN,
        "paymentToken": "BTC",
        "paymentTokenCode": "btc",
        "quantity": TOTAL,
        "quantityPay": "0.00075487",
        "priceUsd": TOTAL,
        "purchaseEmail": null,
        "purchaseName": null,
        "invoiceNumber": shown.invoice.as_str(),
        "statusId": status_id,
        "statusText": status_text,
        "wallet": "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq",
        "createdAt": "2026/01/31",
        "receipt": "playground",
        "state": state,
    })))
}

/// What the address names.
#[derive(Deserialize)]
struct Shown {
    screen: String,
    invoice: Invoice,
}

async fn tokens() -> Json<Value> {
    Json(json!([
        { "token": "btc", "name": "Bitcoin", "symbol": "BTC", "network": { "name": "Bitcoin" }, (test_mode::FIELD): true },
        { "token": TOKEN, "name": "Tether USD", "symbol": "USDT", "network": { "name": "TRON" }, (test_mode::FIELD): true },
    ]))
}
