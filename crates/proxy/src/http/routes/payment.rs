//! A payment that exists, for the buyer with its receipt or the merchant: its record, cancelling it, marks that money may
//! have been sent for it, and releasing its order.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use tender_ledger::Requester;
use tender_protocol::openapi::{PaymentRecord, ReadPayment};
use tender_protocol::record::map_elements;
use tender_protocol::sent::SentMark;
use tender_protocol::test_mode::marked;
use tender_protocol::{CancelPayment, path};

use super::of_payment;
use crate::error::Error;
use crate::http::{App, Audit, BUYER, Caller, JsonBody, MERCHANT, Merchant, PaymentId, RawJson};

/// The latest record of a payment
#[utoipa::path(
    get,
    path = of_payment(""),
    tag = BUYER,
    operation_id = "readPayment",
    params(PaymentId),
    responses((status = 200, description = "The latest record", body = ReadPayment)),
    security(("receipt" = []), ("merchantKey" = [])),
)]
pub(super) async fn status(
    State(app): State<Arc<App>>,
    caller: Caller,
    payment: PaymentId,
) -> Result<RawJson, Error> {
    caller.require_access(payment.as_str())?;
    let record = app.tracking.latest(payment.as_str(), caller.viewer());
    Ok(RawJson(record.await?.into()))
}

/// Cancels a payment
#[utoipa::path(
    post,
    path = path::CANCEL,
    tag = BUYER,
    operation_id = "cancelPayment",
    request_body = CancelPayment,
    responses((status = 200, description = "The latest record", body = Vec<PaymentRecord>)),
    security(("receipt" = []), ("merchantKey" = [])),
)]
pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    caller: Caller,
    audit: Audit,
    JsonBody(CancelPayment { transaction_id }): JsonBody<CancelPayment>,
) -> Result<RawJson, Error> {
    let payment = PaymentId::try_from(transaction_id)?;
    audit.payment(payment.as_str());
    caller.require_control(payment.as_str())?;
    let requester = match caller {
        Caller::Merchant { .. } => Requester::Merchant,
        Caller::Buyer(_) => Requester::Buyer,
    };
    let json = cancel_for(&app, payment, requester).await?;
    let shown = map_elements(json, |record| caller.viewer().shown(record.to_owned()));
    Ok(RawJson(shown.map_err(Error::internal)?.into()))
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
    map_elements(answer?, |record| marked(record, app.is_test())).map_err(Error::internal)
}

/// Marks that money may have been sent
///
/// While a mark stands, buyers can't cancel or replace the payment.
#[utoipa::path(
    post,
    path = of_payment(path::SENT),
    tag = BUYER,
    operation_id = "markSent",
    params(PaymentId),
    responses((status = 200, description = "What removes the mark", body = SentMark)),
    security(("receipt" = []), ("merchantKey" = [])),
)]
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

/// Removes the mark with this secret, or for the merchant all marks
#[utoipa::path(
    delete,
    path = of_payment(path::SENT),
    tag = BUYER,
    operation_id = "unmarkSent",
    params(PaymentId),
    request_body = SentMark,
    responses((status = 204, description = "The mark does not stand any more")),
    security(("receipt" = []), ("merchantKey" = [])),
)]
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
    let store = &app.store;
    store.unmark_sent(payment.as_str(), secret).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Frees the order of a payment
///
/// Whatever became of the payment, the order can be paid again. Nothing is sent to the service. An order needs this before it
/// gets another payment if its payment is or was pending or underpaid; is paid, or has a status that neither closes it nor is
/// that of its creation; has a mark, also if it was closed since; or contradicts the request.
#[utoipa::path(
    post,
    path = of_payment(path::RELEASE),
    tag = MERCHANT,
    operation_id = "releaseOrder",
    params(PaymentId),
    responses((status = 204, description = "The order is free")),
    security(("merchantKey" = [])),
)]
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
