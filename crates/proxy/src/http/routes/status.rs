//! `GET /api/v1/payment/{transactionId}`: the latest record of a payment, for the buyer with its
//! receipt or the merchant.

use std::sync::Arc;

use axum::extract::State;

use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::body::Json;
use crate::http::credentials::Caller;
use crate::http::payment_id::PaymentId;
use crate::http::problems::Error;

pub(super) async fn get(
    State(app): State<Arc<App>>,
    caller: Caller,
    payment: PaymentId,
    audit: Audit,
) -> Result<Json, Error> {
    audit.payment(payment.as_str());
    caller.require_access(payment.as_str())?;
    let record = app.tracking.latest(payment.as_str()).await?;
    Ok(Json(record.into()))
}
