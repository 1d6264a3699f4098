//! Endpoint 4, "Create a payment request".

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use jiff::Timestamp;
use reqwest::Url;
use tender_protocol::{AmountError, Payment, Record, Status};
use tracing::error;
use uuid::Uuid;

use super::Service;
use crate::body::{JsonBody, required_amount, required_text, text};
use crate::catalogue::Listed;
use crate::refusal::Refusal;
use crate::{price, wallet, webhook};

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
    let token = accepted_token(request, "token")?;
    let quantity = required_amount(request, "quantity")?;
    let payment_token = accepted_token(request, "paymentToken")?;
    let too_large = |error: AmountError| Refusal::field_is("quantity", error.to_string());
    let id = Uuid::new_v4();
    Ok(Payment {
        transaction_id: id.to_string(),
        token: token.code.to_uppercase(),
        payment_token: payment_token.code.to_uppercase(),
        quantity_pay: price::convert(&quantity, token, payment_token).map_err(too_large)?,
        price_usd: Some(price::in_usd(&quantity, token).map_err(too_large)?),
        quantity,
        purchase_email: text(request, "purchaseEmail")?,
        purchase_name: text(request, "purchaseName")?,
        invoice_number: Some(required_text(request, "invoiceNumber")?),
        item_number: text(request, "itemNumber")?,
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

fn accepted_token(request: &Record, field: &'static str) -> Result<&'static Listed, Refusal> {
    let code = required_text(request, field)?;
    Listed::accepted(&code).ok_or(Refusal::NotAccepted { field, code })
}
