//! Endpoint 4, "Create a payment request".

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use reqwest::Url;
use serde::Deserialize;
use serde_json::value::RawValue;
use tender_protocol::{Amount, AmountError, Payment, Record, Status};
use tracing::error;
use uuid::Uuid;

use super::Service;
use crate::body::JsonBody;
use crate::catalogue::Listed;
use crate::refusal::Refusal;
use crate::{price, wallet, webhook};

/// The fields of a request, with exactly the documented types.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    token: String,
    quantity: Box<RawValue>,
    payment_token: String,
    invoice_number: String,
    purchase_email: Option<String>,
    purchase_name: Option<String>,
    item_number: Option<String>,
}

pub(super) async fn create(
    State(service): State<Arc<Service>>,
    JsonBody(request): JsonBody<Record>,
) -> Result<Json<Payment>, Refusal> {
    let payment = payment(&request)?;
    let webhook = service.state().add(payment.clone());
    if let Some(webhook) = webhook {
        notify(service, webhook, payment.clone());
    }
    Ok(Json(payment))
}

/// Notifies the webhook of a new payment once, in the background.
fn notify(service: Arc<Service>, webhook: Url, payment: Payment) {
    tokio::spawn(async move {
        let outcome = webhook::deliver(&service.webhook_client, webhook, &payment).await;
        // After a reset the payment is gone, and its result is not needed.
        if let Ok(entry) = service.state().entry(&payment.transaction_id) {
            entry.notification = outcome;
        }
        service.settled.notify_waiters();
    });
}

/// The record of a new payment.
fn payment(request: &Record) -> Result<Payment, Refusal> {
    let request: Request = request.read("create request")?;
    let token = accepted_token("token", request.token)?;
    let payment_token = accepted_token("paymentToken", request.payment_token)?;
    let invalid = |error: AmountError| Refusal::field_is("quantity", error.to_string());
    // Parsed from the JSON text, so that a string in quotes is not accepted as a number.
    let quantity: Amount = request.quantity.get().parse().map_err(invalid)?;
    if quantity.is_zero() {
        return Err(Refusal::field_is("quantity", "it must be more than zero"));
    }
    let id = Uuid::new_v4();
    Ok(Payment {
        transaction_id: id.to_string(),
        token: token.code.to_uppercase(),
        payment_token: payment_token.code.to_uppercase(),
        quantity_pay: price::convert(&quantity, token, payment_token).map_err(invalid)?,
        price_usd: Some(price::in_usd(&quantity, token).map_err(invalid)?),
        quantity,
        purchase_email: request.purchase_email,
        purchase_name: request.purchase_name,
        invoice_number: Some(request.invoice_number),
        item_number: request.item_number,
        status: Status::Created,
        wallet: wallet::unowned(payment_token.network.addresses, id).map_err(|failure| {
            error!(%failure, "can't generate a wallet");
            Refusal::Internal
        })?,
        created_at: Some(Timestamp::now().strftime("%Y/%m/%d").to_string()),
        // The service has no such fields.
        state: None,
        test_mode: false,
    })
}

fn accepted_token(field: &'static str, code: String) -> Result<&'static Listed, Refusal> {
    Listed::accepted(&code).ok_or(Refusal::NotAccepted { field, code })
}
