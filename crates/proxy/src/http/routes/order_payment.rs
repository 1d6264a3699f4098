//! `POST /api/v1/payment` creates the payment of an order, once; `GET` finds that of the signed order that is the bearer token.
//!
//! The response is the service's record with the additional fields `receipt`, `state` if it is known,
//! and `testMode` in test mode. A found one lacks the buyer's e-mail address and name, and has the fields of [`FoundFields`]: each
//! page with the order gets the payment and a receipt, in any tab and on any device. It is 204 if the order has no payment, so
//! that a browser reports no failed request.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use serde_json::value::RawValue;
use tender_ledger::{Origin, PaymentFate};
use tender_protocol::client::failure::causes;
use tender_protocol::found::REPEATED;
use tender_protocol::openapi::{CreatedPayment, FoundPayment, NewPayment};
use tender_protocol::{CreatePayment, FoundFields, Payment, Record, path};

use crate::checkout::purchase::Purchase;
use crate::checkout::receipts::{Receipt, Rights};
use crate::error::Error;
use crate::executor::{CreateOutcome, PaymentOfOrder};
use crate::http::credentials::bearer;
use crate::http::idempotency_key::idempotency_key;
use crate::http::{App, Audit, BUYER, ClientIp, CreatePermit, JsonBody, RawJson};
use crate::order::VerifiedOrder;
use crate::store::attempts::{IdempotencyKey, NewAttempt};

/// Reads a payment in the service's list, unless that was done recently: it may have ended since. Returns whether it was read.
async fn confirm(app: &App, client: ClientIp, transaction_id: &str) -> bool {
    let read = async {
        // Its stored record is shown, and the poller reads it soon.
        if app.limits.reads.spend(client).is_err() {
            return false;
        }
        if let Err(error) = app.executor.refresh(&[transaction_id]).await {
            let error = causes(&error);
            tracing::warn!(transaction_id, error, "can't read a payment in the list");
        }
        true
    };
    app.tracking.confirm(transaction_id, read).await
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
    CreatePermit(client): CreatePermit,
    headers: HeaderMap,
    audit: Audit,
    body: Result<JsonBody<Box<RawValue>>, Error>,
) -> Result<RawJson, Error> {
    let request = body.and_then(|JsonBody(body)| {
        Ok(Request {
            client,
            body: body.get().to_owned(),
            key: idempotency_key(&headers)?,
            may_replace: vec![],
        })
    });
    create(&app, &audit, &headers, request).await.map(RawJson)
}

/// A request to create a payment.
pub(super) struct Request {
    pub(super) client: ClientIp,
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
        Ok((_, origin)) => (*origin).into(),
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
        &app.access.load().orders,
        app.config.orders.allow_unsigned,
    )?;
    audit.order_key(purchase.key.as_deref());
    let decimals = app.tokens.decimals(&purchase.payment.token);
    purchase.check_decimals(decimals)?;
    let mut replaces = request.may_replace;
    if let Some(replaced) = purchase.replaces {
        let caller = app.access.load().caller(headers)?;
        caller.require_control(&replaced)?;
        replaces.push(replaced);
    }
    if !replaces.is_empty() {
        app.limits.cancels.spend(request.client)?;
    }
    let attempt = Arc::new(NewAttempt {
        key: request.key,
        order: purchase.order,
        payment: purchase.payment,
        replaces,
    });
    let mut outcome = app.executor.create(&attempt).await?;
    let id = outcome.transaction_id.clone();
    if outcome.origin == Origin::Repeated && confirm(app, request.client, &id).await {
        outcome = app.executor.create(&attempt).await?;
    }
    let CreateOutcome {
        transaction_id,
        mut record,
        facts,
        origin,
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
    app.statuses.add_state(&mut record, facts);
    record.set_flag(REPEATED, origin == Origin::Repeated);
    record.set("receipt", &receipt).map_err(Error::internal)?;
    let json = serde_json::to_vec(&record).map_err(Error::internal)?;
    Ok((json.into(), origin))
}

/// The payment of a signed order
///
/// A paid one, else the open one, else the latest that has ended, unless the merchant has released it. Nothing is created or
/// cancelled. If the response has `outdated`, show the payment only to replace it. For 30 days after the order's `exp`, it has
/// `readOnly`: the payment can be read, but not cancelled, marked or replaced; later the order is refused (`order-expired`).
/// `payment-unidentified` means that the payment's record is no longer stored.
#[utoipa::path(
    get,
    path = path::PAYMENT,
    tag = BUYER,
    operation_id = "findPayment",
    responses(
        (status = 200, description = "The latest record, with a new receipt", body = FoundPayment),
        (status = 204, description = "No buyer was ever shown a payment of the order"),
    ),
    security(("order" = [])),
)]
pub(super) async fn get(
    State(app): State<Arc<App>>,
    client: ClientIp,
    audit: Audit,
    headers: HeaderMap,
) -> Result<Response, Error> {
    audit.action("find");
    app.limits.orders.spend(client)?;
    let order = app.access.load().orders.verify_to_read(bearer(&headers)?)?;
    audit.order_key(Some(&order.key));
    let Some(found) = find(&app, client, &audit, &order).await? else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let json = json(&app, &order, found)?;
    Ok(RawJson(json.into()).into_response())
}

/// Finds the payment of an order. It is read in the service's list first unless that was done recently. An order that can't be
/// paid and has no payment is refused.
pub(super) async fn find(
    app: &App,
    client: ClientIp,
    audit: &Audit,
    order: &VerifiedOrder,
) -> Result<Option<PaymentOfOrder>, Error> {
    let found = app.executor.find(order).await?;
    let found = match found {
        Some(found)
            if found.facts.fate != Some(PaymentFate::Paid)
                && confirm(app, client, &found.transaction_id).await =>
        {
            app.executor.find(order).await?
        }
        found => found,
    };
    match (&found, &order.only_to_read) {
        (Some(found), _) => audit.payment(&found.transaction_id),
        (None, Some(error)) => return Err(error.clone().into()),
        (None, None) => {}
    }
    Ok(found)
}

/// The response: the record of a found payment, with a receipt: only to read it if the order can't be paid.
pub(super) fn json(
    app: &App,
    order: &VerifiedOrder,
    found: PaymentOfOrder,
) -> Result<String, Error> {
    let mut record = found.latest;
    app.statuses.add_state(&mut record, found.facts);
    let receipt = Receipt {
        transaction_id: found.transaction_id,
        rights: if order.is_read_only() {
            Rights::ReadOnly
        } else {
            Rights::Found
        },
    };
    let receipts = &app.access.load().receipts;
    let added = FoundFields {
        receipt: receipts.issue(&receipt, order.readable_until)?,
        payment_token_code: found.payment_token,
        outdated: found.is_outdated,
        read_only: order.is_read_only(),
    };
    added.add_to(&mut record).map_err(Error::internal)?;
    serde_json::to_string(&record).map_err(Error::internal)
}
