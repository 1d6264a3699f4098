//! A payment that exists, for the buyer with its receipt or the merchant: its record, cancelling it, marks that money may
//! have been sent for it, and releasing its order.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use tender_ledger::Requester;
use tender_protocol::CancelPayment;
use tender_protocol::record::map_elements;
use tender_protocol::sent::SentMark;
use tender_protocol::test_mode::marked;

use crate::error::Error;
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::body::{Json, JsonBody};
use crate::http::credentials::{Caller, Merchant};
use crate::http::payment_id::PaymentId;

/// `GET /api/v1/payment/{transactionId}`: the latest record.
pub(super) async fn status(
    State(app): State<Arc<App>>,
    caller: Caller,
    payment: PaymentId,
) -> Result<Json, Error> {
    caller.require_access(payment.as_str())?;
    let record = app.tracking.latest(payment.as_str()).await?;
    Ok(Json(caller.sees().shown_in(record).into()))
}

/// `POST /api/v1/payment/cancel`.
pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    audit: Audit,
    JsonBody(CancelPayment { transaction_id }): JsonBody<CancelPayment>,
) -> Result<Json, Error> {
    let payment = PaymentId::try_from(transaction_id)?;
    audit.payment(payment.as_str());
    caller.require_control(payment.as_str())?;
    let requester = match caller {
        Caller::Merchant { .. } => Requester::Merchant,
        Caller::Buyer(_) => Requester::Buyer,
    };
    let json = cancel_for(&app, payment, requester).await?;
    let shown = map_elements(json, |record| caller.sees().shown_in(record.to_owned()));
    Ok(Json(shown.map_err(Error::internal)?.into()))
}

/// Cancels a payment, and returns the records of the response.
pub(super) async fn cancel_for(
    app: &App,
    payment: PaymentId,
    requester: Requester,
) -> Result<String, Error> {
    let answer = app.ledger.cancel(payment.clone().into(), requester).await;
    // The response does not state the new status, so poll the list.
    app.tracking.poll_soon(Some(payment.as_str())).await;
    map_elements(answer?, |record| marked(record, app.test_mode)).map_err(Error::internal)
}

/// `POST /api/v1/payment/{transactionId}/sent`: marks that money may have been sent.
pub(super) async fn mark_sent(
    State(app): State<Arc<App>>,
    caller: Caller,
    payment: PaymentId,
    audit: Audit,
) -> Result<axum::Json<SentMark>, Error> {
    audit.action("mark");
    caller.require_control(payment.as_str())?;
    let secret = app.ledger.mark_sent(payment.as_str()).await?;
    Ok(axum::Json(SentMark { secret }))
}

/// `DELETE /api/v1/payment/{transactionId}/sent`: removes the mark with this secret, or for the merchant all marks.
pub(super) async fn unmark_sent(
    State(app): State<Arc<App>>,
    caller: Caller,
    payment: PaymentId,
    audit: Audit,
    JsonBody(SentMark { secret }): JsonBody<SentMark>,
) -> Result<StatusCode, Error> {
    audit.action("unmark");
    caller.require_control(payment.as_str())?;
    if secret.is_none() && matches!(caller, Caller::Buyer(_)) {
        return Err(Error::invalid("`secret` is missing"));
    }
    let secret = secret.as_deref();
    let store = &app.ledger.store;
    store.unmark_sent(payment.as_str(), secret).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// `POST /api/v1/payment/{transactionId}/release`: frees the order of a payment, whatever became of it, for the merchant.
/// Nothing is sent to the service.
pub(super) async fn release(
    State(app): State<Arc<App>>,
    _: Merchant,
    payment: PaymentId,
    audit: Audit,
) -> Result<StatusCode, Error> {
    audit.action("release");
    if app.ledger.release(payment.into()).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Error::PaymentUnknown)
    }
}
