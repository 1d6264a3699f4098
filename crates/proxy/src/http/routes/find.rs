//! `GET /api/v1/payment`: the payment of the signed order that is the bearer token.
//!
//! Each page with the order gets the payment and a receipt, in any tab and on any device. The response is the latest record
//! without the buyer's e-mail address and name, and with the fields of [`FoundFields`]; 204 if the order has no payment, so that
//! a browser reports no failed request.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Response};
use tender_ledger::Ending;
use tender_protocol::openapi::FoundPayment;
use tender_protocol::{FoundFields, path};

use super::create::confirm;
use crate::checkout::order::{self, OrderError, VerifiedOrder};
use crate::checkout::receipts::{Receipt, Rights};
use crate::error::Error;
use crate::http::credentials::bearer;
use crate::http::{App, Audit, BUYER, ClientIp, RawJson};
use crate::ledger::Found;

/// The payment of a signed order
///
/// A paid one, else the open one, else the latest that has ended. Nothing is created or cancelled.
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
    let order = order::verify_to_read(bearer(&headers)?, &app.access.load().order_keys)?;
    audit.order_key(Some(&order.key));
    let Some(found) = find(&app, &audit, &order).await? else {
        return Ok(StatusCode::NO_CONTENT.into_response());
    };
    let json = json(&app, &order, found)?;
    Ok(RawJson(json.into()).into_response())
}

/// Finds the payment of an order. It is read in the service's list first unless that was done recently. An expired order
/// without a payment is refused.
pub(super) async fn find(
    app: &App,
    audit: &Audit,
    order: &VerifiedOrder,
) -> Result<Option<Found>, Error> {
    let found = app.ledger.find(order).await?;
    let found = match found {
        Some(found)
            if found.ending != Some(Ending::Paid) && confirm(app, &found.transaction_id).await =>
        {
            app.ledger.find(order).await?
        }
        found => found,
    };
    match &found {
        Some(found) => audit.payment(&found.transaction_id),
        None if order.is_expired => return Err(OrderError::Expired.into()),
        None => {}
    }
    Ok(found)
}

/// A receipt for the payment that an order leads to: only to read it after the order has expired.
fn receipt(app: &App, order: &VerifiedOrder, id: &str) -> Result<String, Error> {
    let rights = if order.is_expired {
        Rights::ReadOnly
    } else {
        Rights::Found
    };
    let receipt = Receipt {
        transaction_id: id.to_owned(),
        rights,
    };
    let receipts = &app.access.load().receipts;
    receipts.issue(&receipt, order.readable_until)
}

/// The response: the record of a found payment.
pub(super) fn json(app: &App, order: &VerifiedOrder, found: Found) -> Result<String, Error> {
    let mut record = found.latest;
    app.statuses.add_state(&mut record, found.ending);
    let added = FoundFields {
        receipt: receipt(app, order, &found.transaction_id)?,
        payment_token_code: found.payment_token,
        sent: found.is_marked,
        outdated: found.is_outdated,
        read_only: order.is_expired,
    };
    added.add_to(&mut record).map_err(Error::internal)?;
    serde_json::to_string(&record).map_err(Error::internal)
}
