//! `POST /api/v1/payment/cancel`: cancels a payment, for the buyer with its receipt or the
//! merchant.

use std::sync::Arc;

use axum::extract::State;
use tender_ledger::Requester;
use tender_protocol::CancelPayment;
use tender_protocol::record::map_elements;
use tender_protocol::test_mode::marked;

use crate::checkout;
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::body::{Json, JsonBody};
use crate::http::credentials::Caller;
use crate::http::payment_id::PaymentId;
use crate::http::problems::Error;

pub(super) async fn post(
    State(app): State<Arc<App>>,
    caller: Caller,
    audit: Audit,
    JsonBody(body): JsonBody,
) -> Result<Json, Error> {
    let CancelPayment { transaction_id } = checkout::parse(&body)?;
    let payment = PaymentId::try_from(transaction_id)?;
    audit.payment(payment.as_str());
    caller.require_access(payment.as_str())?;
    let requester = match caller {
        Caller::Merchant { .. } => Requester::Merchant,
        Caller::Buyer { .. } => Requester::Buyer,
    };
    cancel(&app, payment, requester)
        .await
        .map(|json| Json(json.into()))
}

/// Cancels a payment, and returns the records of the response.
pub(super) async fn cancel(
    app: &App,
    payment: PaymentId,
    requester: Requester,
) -> Result<String, Error> {
    let answer = app.ledger.cancel(payment.clone().into(), requester).await;
    // The response does not state the new status, so poll the list.
    app.tracking.poll_soon(Some(payment.as_str())).await;
    map_elements(answer?, |record| marked(record, app.test_mode)).map_err(Error::internal)
}
