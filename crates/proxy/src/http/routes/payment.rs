//! A payment that exists, for the buyer with its receipt or the merchant: its record, cancelling it, marks that money may
//! have been sent for it, and releasing its order.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use tender_ledger::Requester;
use tender_protocol::openapi::{MarkedPayment, ReadPayment};
use tender_protocol::record::map_elements;
use tender_protocol::sent::{Mark, MarkSecret};
use tender_protocol::test_mode::marked;
use tender_protocol::{CancelPayment, ProblemCode, path};

use super::of_payment;
use crate::error::Error;
use crate::http::{
    App, Audit, BUYER, Caller, ClientIp, JsonBody, MERCHANT, Merchant, PaymentId, RawJson,
};
use crate::store::attempts::MarkDigest;

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
    responses((status = 200, description = "The latest record", body = Vec<MarkedPayment>)),
    security(("receipt" = []), ("merchantKey" = [])),
)]
pub(super) async fn cancel(
    State(app): State<Arc<App>>,
    client: ClientIp,
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
    let json = cancel_for(&app, client, payment, requester).await?;
    let shown = map_elements(json, |record| caller.viewer().shown(record.to_owned()));
    Ok(RawJson(shown.map_err(Error::internal)?.into()))
}

/// Cancels a payment, and returns the records of the response.
pub(super) async fn cancel_for(
    app: &App,
    client: ClientIp,
    payment: PaymentId,
    requester: Requester,
) -> Result<String, Error> {
    if requester == Requester::Buyer {
        app.limits.cancels.spend(client)?;
    }
    let answer = app.executor.cancel(payment.clone().into(), requester).await;
    // The response does not state the new status, so poll the list.
    app.tracking.poll_soon(Some(payment.as_str())).await;
    map_elements(answer?, |record| marked(record, app.is_test())).map_err(Error::internal)
}

/// Marks that money may have been sent
///
/// While a mark stands, buyers can't cancel or replace the payment. The page chooses a secret, and keeps it before it sends its
/// SHA-256, so that a lost response loses nothing: a repeated request has the same response.
#[utoipa::path(
    put,
    path = of_payment("/sent/{digest}"),
    tag = BUYER,
    operation_id = "markPayment",
    params(PaymentId, MarkDigest),
    responses((status = 200, description = "The mark stands", body = Mark)),
    security(("receipt" = []), ("merchantKey" = [])),
)]
pub(super) async fn mark(
    State(app): State<Arc<App>>,
    caller: Caller,
    payment: PaymentId,
    digest: MarkDigest,
    audit: Audit,
) -> Result<Json<Mark>, Error> {
    audit.action("mark");
    caller.require_control(payment.as_str())?;
    let mark = app.executor.mark_sent(payment.as_str(), &digest).await?;
    Ok(Json(mark))
}

/// Removes the mark with this digest
#[utoipa::path(
    delete,
    path = of_payment("/sent/{digest}"),
    tag = BUYER,
    operation_id = "unmarkPayment",
    params(PaymentId, MarkDigest),
    request_body = MarkSecret,
    responses((status = 204, description = "The mark does not stand any more")),
    security(("receipt" = []), ("merchantKey" = [])),
)]
pub(super) async fn unmark(
    State(app): State<Arc<App>>,
    caller: Caller,
    payment: PaymentId,
    digest: MarkDigest,
    audit: Audit,
    JsonBody(MarkSecret { secret }): JsonBody<MarkSecret>,
) -> Result<StatusCode, Error> {
    audit.action("unmark");
    caller.require_control(payment.as_str())?;
    if MarkDigest::of(&secret) != digest {
        return Err(Error::invalid(
            "the digest in the address is not the SHA-256 of `secret`",
        ));
    }
    let store = &app.store;
    store.unmark_sent(payment.as_str(), Some(&digest)).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Removes all marks of a payment
#[utoipa::path(
    delete,
    path = of_payment(path::SENT),
    tag = MERCHANT,
    operation_id = "removeMarks",
    params(PaymentId),
    responses((status = 204, description = "No mark stands any more")),
    security(("merchantKey" = [])),
)]
pub(super) async fn remove_marks(
    State(app): State<Arc<App>>,
    _: Merchant,
    payment: PaymentId,
    audit: Audit,
) -> Result<StatusCode, Error> {
    audit.action("unmark");
    app.store.unmark_sent(payment.as_str(), None).await?;
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
    if app.executor.release(payment.into()).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(ProblemCode::PaymentUnknown.into())
    }
}
