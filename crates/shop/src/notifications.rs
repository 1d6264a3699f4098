//! Notifications of the proxy about payments (docs/fulfilment.md), and the order page that shows what they changed.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::{Path, State};
use axum::http::header::HeaderName;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::value::RawValue;
use tender_protocol::Payment;
use tender_protocol::record::readable;
use tender_protocol::request::SignedOrder;

use crate::Shop;
use crate::invoice::Invoice;
use crate::orders::Receipt;
use crate::page::PageError;
use crate::response::{protected, text_policy};
use crate::secrets::NotifySecret;

/// Far more than a payment's record needs.
pub(crate) const MAX_BODY: usize = 64 * 1024;

/// How often the order page reloads until the order is paid, in seconds.
const REFRESH_SECONDS: &str = "3";

/// A notification. Only that of a paid payment is read further.
#[derive(Deserialize)]
struct Notification {
    r#type: String,
    #[serde(default)]
    data: Box<RawValue>,
}

/// The order that the shop signed for a payment, if it did.
#[derive(Deserialize)]
struct Signed {
    order: Option<SignedOrder>,
}

/// Receives a notification. Only a success status ends its repetition.
pub(crate) async fn receive(
    State(shop): State<Arc<Shop>>,
    headers: HeaderMap,
    body: Bytes,
) -> Result<StatusCode, (StatusCode, String)> {
    let Some(NotifySecret(secret)) = &shop.config.notify_secret else {
        return Ok(StatusCode::NOT_FOUND);
    };
    // The signature is over the bytes, and the library refuses one that is over five minutes old.
    if let Err(error) = secret.verify(&body, &headers) {
        tracing::warn!("refused a notification: {error}");
        return Err((StatusCode::UNAUTHORIZED, error.to_string()));
    }
    match paid(&body) {
        Ok(None) => {}
        Ok(Some((payment, order))) => {
            let id = &payment.transaction_id;
            let receipt = if payment.test_mode && !shop.config.allow_test_mode {
                Receipt::Question("test mode, without --allow-test-mode")
            } else {
                shop.orders.pay(&payment, order.as_ref())
            };
            match receipt {
                Receipt::Fulfil => tracing::info!(?order, "paid by {id}: pack it"),
                Receipt::Repeat => {}
                Receipt::Question(question) => {
                    tracing::warn!(?order, "payment {id} is not fulfilled: {question}");
                }
            }
        }
        Err(error) => {
            tracing::error!("can't read a notification: {error}");
            return Err((StatusCode::UNPROCESSABLE_ENTITY, error.to_string()));
        }
    }
    Ok(StatusCode::NO_CONTENT)
}

/// The payment of a `payment.paid`, and the order that was signed for it. The other events change no order: a buyer
/// whose payment is closed can begin a new one.
fn paid(body: &[u8]) -> Result<Option<(Payment, Option<SignedOrder>)>, serde_json::Error> {
    let body = readable(String::from_utf8_lossy(body).into_owned());
    let Notification { r#type, data } = serde_json::from_str(&body)?;
    if r#type != "payment.paid" {
        return Ok(None);
    }
    let payment = serde_json::from_str(data.get())?;
    let Signed { order } = serde_json::from_str(data.get())?;
    Ok(Some((payment, order)))
}

/// The page of an order. It reloads until the order is paid, without JavaScript.
pub(crate) async fn order_page(
    State(shop): State<Arc<Shop>>,
    Path(invoice): Path<Invoice>,
) -> Result<Response, PageError> {
    let Some(is_paid) = shop.orders.is_paid(&invoice) else {
        return Ok((StatusCode::NOT_FOUND, "There is no such order.\n").into_response());
    };
    let page = shop.pages.order(&invoice, is_paid)?;
    let refresh = (!is_paid).then_some([(HeaderName::from_static("refresh"), REFRESH_SECONDS)]);
    Ok((refresh, protected(page, text_policy())).into_response())
}
