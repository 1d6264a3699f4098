//! `POST /api/v1/payment/cancel`: cancels a payment, for the buyer with its receipt or the
//! merchant.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use tender_protocol::CancelPayment;

use crate::http::app::App;
use crate::http::body::{Json, JsonBody, parse};
use crate::http::problems::Error;

pub(super) async fn post(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    JsonBody(body): JsonBody,
) -> Result<Json, Error> {
    let caller = app.access.caller(&headers)?;
    let payment: CancelPayment = parse(&body)?;
    caller.require_access(&payment.transaction_id)?;
    let transaction_id = payment.transaction_id.clone();
    let answer = app.payments.cancel(payment).await;
    // The response does not state the new status, so poll the list.
    app.tracking.poll_soon(Some(&transaction_id)).await;
    Ok(Json(answer?.into()))
}
