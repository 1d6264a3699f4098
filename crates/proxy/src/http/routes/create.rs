//! `POST /api/v1/payment`: creates the payment of an order, once.
//!
//! The response is the service's record with the additional fields `receipt`, `state` if it is known,
//! and `testMode` in test mode.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::HeaderMap;

use tender_protocol::test_mode::mark;

use crate::checkout::attempts::{CreateOutcome, Origin};
use crate::checkout::purchase::Purchase;
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::body::{Json, JsonBody};
use crate::http::idempotency_key::idempotency_key;
use crate::http::problems::Error;
use crate::statuses::set_state;
use crate::store::attempts::Attempt;
use crate::store::attempts::IdempotencyKey;

pub(super) async fn post(
    State(app): State<Arc<App>>,
    headers: HeaderMap,
    audit: Audit,
    body: Result<JsonBody, Error>,
) -> Result<Json, Error> {
    let request = body.and_then(|JsonBody(body)| Ok((body, idempotency_key(&headers)?)));
    create(&app, &audit, request).await.map(Json)
}

/// Creates the payment of a request, a JSON body and its key, and returns its record. Counts the outcome.
pub(super) async fn create(
    app: &App,
    audit: &Audit,
    request: Result<(String, Option<IdempotencyKey>), Error>,
) -> Result<Bytes, Error> {
    let answer = match request {
        Ok((body, key)) => create_once(app, audit, &body, key).await,
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
    body: &str,
    key: Option<IdempotencyKey>,
) -> Result<(Bytes, Origin), Error> {
    let purchase = Purchase::read(
        body,
        &app.access.load().order_keys,
        app.allow_unsigned_orders,
    )?;
    audit.order_key(purchase.key.as_deref());
    let attempt = Arc::new(Attempt::new(key, purchase.payment, purchase.order));
    let mut outcome = app.payments.create(&attempt).await?;
    let id = outcome.created.transaction_id.clone();
    if outcome.origin == Origin::Repeated && !app.tracking.is_confirmed(&id) {
        // The payment may have ended since.
        if let Err(error) = app.payments.refresh(&id).await {
            tracing::warn!(transaction_id = id, %error, "can't read a payment in the list");
        }
        app.tracking.confirmed(&id);
        outcome = app.payments.create(&attempt).await?;
    }
    let CreateOutcome {
        created,
        state,
        origin,
    } = outcome;
    if origin != Origin::Repeated {
        app.tracking.confirmed(&created.transaction_id);
    }
    audit.payment(&created.transaction_id);
    let receipt = app.access.load().receipts.issue(&created.transaction_id);
    let receipt = receipt.map_err(Error::internal)?;
    let mut record = created.record;
    mark(&mut record, app.test_mode);
    set_state(&mut record, state).map_err(Error::internal)?;
    record.set("receipt", &receipt).map_err(Error::internal)?;
    let json = serde_json::to_vec(&record).map_err(Error::internal)?;
    Ok((json.into(), origin))
}
