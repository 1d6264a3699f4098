//! `POST /api/v1/payment/{transactionId}/release`: frees the order of a payment, whatever became of it, for the merchant.
//! Nothing is sent to the service.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;

use crate::checkout;
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::credentials::Merchant;
use crate::http::payment_id::PaymentId;
use crate::http::problems::Error;

pub(super) async fn post(
    State(app): State<Arc<App>>,
    _: Merchant,
    payment: PaymentId,
    audit: Audit,
) -> Result<StatusCode, Error> {
    audit.action("release");
    audit.payment(payment.as_str());
    if app.ledger.release(payment.into()).await? {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(checkout::Error::PaymentUnknown.into())
    }
}
