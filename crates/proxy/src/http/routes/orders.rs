//! `GET /api/v1/orders?invoiceNumber=N`: the payments of an invoice number, for a backend that missed a notification or asks
//! before it ships.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use tender_protocol::order_payments::OrderPayment;
use tender_protocol::{OrderPayments, Record, path};
use utoipa::IntoParams;

use crate::clock::timestamp::rfc3339;
use crate::error::Error;
use crate::http::app::App;
use crate::http::credentials::Merchant;
use crate::http::extractors::Query;
use crate::http::openapi::MERCHANT;
use crate::store::attempts::InvoicePayment;

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct Which {
    /// The merchant's invoice identifier.
    invoice_number: String,
}

/// The payments of an invoice number
///
/// The payments are read in the service's list first. If that fails, `readAt` says how old each record is.
#[utoipa::path(
    get,
    path = path::ORDERS,
    tag = MERCHANT,
    operation_id = "readOrder",
    params(Which),
    responses((status = 200, description = "Its payments, each with what the shop signed", body = OrderPayments)),
    security(("merchantKey" = [])),
)]
pub(super) async fn get(
    State(app): State<Arc<App>>,
    _: Merchant,
    Query(Which { invoice_number }): Query<Which>,
) -> Result<Json<OrderPayments>, Error> {
    let store = &app.store;
    let stored = store.payments_of_invoice(&invoice_number).await?;
    let ids: Vec<_> = stored.iter().map(|it| it.transaction_id.as_str()).collect();
    if let Err(error) = app.ledger.refresh(&ids).await {
        tracing::warn!(%error, "can't read the payments of an order in the list");
    }
    // The records may have changed, and their order with them.
    let stored = store.payments_of_invoice(&invoice_number).await?;
    let mut payments = Vec::new();
    for payment in stored {
        payments.push(record(&app, payment).await?);
    }
    Ok(Json(OrderPayments {
        payments,
        doubts: store.unresolved_of_invoice(&invoice_number).await?,
    }))
}

/// The latest record of a payment.
async fn record(app: &App, payment: InvoicePayment) -> Result<Record, Error> {
    let json = app.tracking.latest(&payment.transaction_id).await?;
    let mut record = Record::parse(&json, "a payment record").map_err(Error::internal)?;
    let added = OrderPayment {
        order: payment.order,
        sent: payment.marks,
        read_at: rfc3339(payment.read_at),
    };
    added.add_to(&mut record).map_err(Error::internal)?;
    Ok(record)
}
