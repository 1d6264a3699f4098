//! `POST /api/v1/payment`: creates the payment of an order, once.
//!
//! The response is the service's record with the additional fields `receipt`, `state` if it is known,
//! and `testMode` in test mode.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;

use tender_ledger::Origin;
use tender_protocol::found::{REPEATED, SENT};
use tender_protocol::openapi::{CreatedPayment, NewPayment};
use tender_protocol::{CreatePayment, Payment, Record, path};

use crate::checkout::purchase::Purchase;
use crate::checkout::receipts::{Receipt, Rights};
use crate::error::Error;
use crate::http::idempotency_key::idempotency_key;
use crate::http::{App, Audit, BUYER, CreatePermit, JsonText, RawJson};
use crate::ledger::CreateOutcome;
use crate::store::attempts::IdempotencyKey;
use crate::store::attempts::NewAttempt;

/// Reads a payment in the service's list, unless that was done recently: it may have ended since. Returns whether it was read.
pub(super) async fn confirm(app: &App, transaction_id: &str) -> bool {
    if app.tracking.is_confirmed(transaction_id) {
        return false;
    }
    if let Err(error) = app.ledger.refresh(&[transaction_id]).await {
        tracing::warn!(transaction_id, %error, "can't read a payment in the list");
    }
    app.tracking.confirmed(transaction_id);
    true
}

/// Whether the record has no e-mail address or name but those of the request. A request without them may be another person's
/// who has the order.
fn has_buyer_of(record: &Record, request: &CreatePayment) -> bool {
    [
        ("purchaseEmail", &request.purchase_email),
        ("purchaseName", &request.purchase_name),
    ]
    .into_iter()
    .all(|(field, sent)| {
        record
            .text(field)
            .is_none_or(|known| sent.as_ref() == Some(&known))
    })
}

/// Pays an order
///
/// The order gets one payment: a repeated request returns the same one. With `replaces` and its receipt as bearer token, the
/// order's open payment in another token is cancelled first.
#[utoipa::path(
    post,
    path = path::PAYMENT,
    tag = BUYER,
    operation_id = "createPayment",
    params(("Idempotency-Key" = Option<String>, Header, description = "A request with the same key is the same attempt")),
    request_body = NewPayment,
    responses((status = 200, description = "The service's record, with a receipt", body = CreatedPayment)),
    security((), ("receipt" = []), ("merchantKey" = [])),
)]
pub(super) async fn post(
    State(app): State<Arc<App>>,
    _: CreatePermit,
    headers: HeaderMap,
    audit: Audit,
    body: Result<JsonText, Error>,
) -> Result<RawJson, Error> {
    let request = body.and_then(|JsonText(body)| {
        Ok(Request {
            body,
            key: idempotency_key(&headers)?,
            may_replace: vec![],
        })
    });
    create(&app, &audit, &headers, request).await.map(RawJson)
}

/// A request to create a payment.
pub(super) struct Request {
    /// JSON.
    pub(super) body: String,
    pub(super) key: Option<IdempotencyKey>,
    /// Payments whose receipts the browser has.
    pub(super) may_replace: Vec<String>,
}

/// Creates the payment of a request, and returns its record. Counts the outcome.
pub(super) async fn create(
    app: &App,
    audit: &Audit,
    headers: &HeaderMap,
    request: Result<Request, Error>,
) -> Result<Bytes, Error> {
    let answer = match request {
        Ok(request) => create_once(app, audit, headers, request).await,
        Err(error) => Err(error),
    };
    app.metrics.attempt(match &answer {
        Ok((_, origin)) => origin.as_str(),
        Err(error) => error.code().as_str(),
    });
    answer.map(|(json, _)| json)
}

async fn create_once(
    app: &App,
    audit: &Audit,
    headers: &HeaderMap,
    request: Request,
) -> Result<(Bytes, Origin), Error> {
    let purchase = Purchase::read(
        &request.body,
        &app.access.load().order_keys,
        app.config.orders.allow_unsigned,
    )?;
    audit.order_key(purchase.key.as_deref());
    let mut replaces = request.may_replace;
    if let Some(replaced) = purchase.replaces {
        let caller = app.access.load().caller(headers)?;
        caller.require_control(&replaced)?;
        replaces.push(replaced);
    }
    let attempt = NewAttempt::new(request.key, purchase.payment, purchase.order, replaces);
    let attempt = Arc::new(attempt);
    let mut outcome = app.ledger.create(&attempt).await?;
    let id = outcome.transaction_id.clone();
    if outcome.origin == Origin::Repeated && confirm(app, &id).await {
        outcome = app.ledger.create(&attempt).await?;
    }
    let CreateOutcome {
        transaction_id,
        mut record,
        ending,
        origin,
        is_marked,
    } = outcome;
    if origin != Origin::Repeated {
        app.tracking.confirmed(&transaction_id);
    }
    audit.payment(&transaction_id);
    let rights = if origin == Origin::Created || has_buyer_of(&record, &attempt.payment) {
        Rights::Own
    } else {
        Payment::hide_buyer(&mut record);
        Rights::Found
    };
    let receipt = Receipt {
        transaction_id,
        rights,
    };
    let receipt = app.access.load().receipts.issue(&receipt, Duration::MAX)?;
    app.statuses.add_state(&mut record, ending);
    record.set_flag(REPEATED, origin == Origin::Repeated);
    record.set_flag(SENT, is_marked);
    record.set("receipt", &receipt).map_err(Error::internal)?;
    let json = serde_json::to_vec(&record).map_err(Error::internal)?;
    Ok((json.into(), origin))
}
