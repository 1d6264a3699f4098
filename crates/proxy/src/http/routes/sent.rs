//! `POST /api/v1/payment/{transactionId}/sent`: marks that money may have been sent for a payment, for the buyer with its
//! receipt or the merchant. `DELETE` removes the mark with this secret, or for the merchant all marks.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use tender_protocol::sent::SentMark;

use crate::checkout;
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::body::JsonBody;
use crate::http::credentials::Caller;
use crate::http::payment_id::PaymentId;
use crate::http::problems::Error;

pub(super) async fn post(
    State(app): State<Arc<App>>,
    caller: Caller,
    payment: PaymentId,
    audit: Audit,
) -> Result<Json<SentMark>, Error> {
    audit.action("mark");
    audit.payment(payment.as_str());
    caller.require_access(payment.as_str())?;
    let secret = app.ledger.mark_sent(payment.as_str()).await?;
    Ok(Json(SentMark { secret }))
}

pub(super) async fn delete(
    State(app): State<Arc<App>>,
    caller: Caller,
    payment: PaymentId,
    audit: Audit,
    JsonBody(body): JsonBody,
) -> Result<StatusCode, Error> {
    audit.action("unmark");
    audit.payment(payment.as_str());
    caller.require_access(payment.as_str())?;
    let SentMark { secret } = checkout::parse(&body)?;
    if secret.is_none() && matches!(caller, Caller::Buyer { .. }) {
        return Err(Error::invalid("`secret` is missing"));
    }
    app.ledger
        .unmark_sent(payment.as_str(), secret.as_deref())
        .await?;
    Ok(StatusCode::NO_CONTENT)
}
