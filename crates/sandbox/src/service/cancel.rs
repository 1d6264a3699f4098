//! Endpoint 3, "Cancel a payment".

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use tender_protocol::{CancelPayment, Payment, Record};

use super::Service;
use crate::body::JsonBody;
use crate::refusal::Refusal;

/// Responds with the payment as it was before the call, because the documented response shows the
/// status "Created".
pub(super) async fn cancel(
    State(service): State<Arc<Service>>,
    JsonBody(request): JsonBody<Record>,
) -> Result<Json<[Payment; 1]>, Refusal> {
    let CancelPayment { transaction_id } = request.read("cancel request")?;
    let mut state = service.state();
    let payment = &mut state.entry(&transaction_id)?.payment;
    let before = payment.clone();
    payment.status = service.config.cancelled_status.clone();
    Ok(Json([before]))
}
