//! What only the merchant may read and do: the service's list, what the proxy knows beyond it, notifications, the payments of
//! an invoice number, for a backend that missed a notification or asks before it ships, and payment links.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use tender_ledger::is_valid_id;
use tender_protocol::client::failure::causes;
use tender_protocol::delivery::MAX_DELIVERIES;
use tender_protocol::ledger::{Ledger, MAX_ASKED};
use tender_protocol::openapi::MarkedPayment;
use tender_protocol::{
    Deliveries, DeliveryState, NewOrder, OrderPayments, PaymentLink, ProblemCode, Record, Resend,
    Resent, path,
};
use utoipa::IntoParams;

use crate::error::Error;
use crate::http::{
    App, Audit, CreatePermit, JsonBody, MERCHANT, Merchant, PaymentId, Query, RawJson,
};
use crate::statuses::Viewer;
use crate::store::outbox::Filter;
use crate::store::to_json;

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(super) struct Page {
    /// Starts at 1, which is the default.
    #[param(value_type = Option<u32>, minimum = 1)]
    page: Option<NonZeroU32>,
    /// A payment, instead of `page`: the records after it.
    #[param(min_length = 1, max_length = 256)]
    after: Option<String>,
}

/// The service's list of payments
///
/// `page` starts at 1, whatever number the service gives its first page; 1 is the default. The
/// records of the service's response gain their `state` and are unchanged otherwise. Its response to
/// a page past the end is not documented: if it refuses one, the result is an empty list.
///
/// While the list is read, new payments move others to later pages. `after` reads on without a gap: it is the last
/// `transactionId` of the answer before, and only an empty answer is the end. `cursor-unknown` means: start again.
#[utoipa::path(
    get,
    path = path::LIST,
    tag = MERCHANT,
    operation_id = "listPayments",
    params(Page),
    responses((status = 200, description = "Up to 20 records, newest first", body = Vec<MarkedPayment>)),
    security(("merchantKey" = [])),
)]
pub(super) async fn list(
    State(app): State<Arc<App>>,
    _: Merchant,
    Query(Page { page, after }): Query<Page>,
) -> Result<RawJson, Error> {
    if let Some(id) = after {
        if page.is_some() {
            return Err(Error::invalid("give `page` or `after`, not both"));
        }
        let id = PaymentId::try_from(id)?;
        let records = app.executor.list_after(id.as_str().trim()).await?;
        let json = app.tracking.with_states(to_json(&records)?).await?;
        return Ok(RawJson(json.into()));
    }
    let page = page.map_or(0, |page| page.get() - 1);
    match app.service.list(page).await {
        Err(error) if page > 0 && error.is_past_the_end() => Ok(RawJson("[]".into())),
        list => Ok(RawJson(app.tracking.with_states(list?).await?.into())),
    }
}

type Fields = Vec<(String, String)>;

/// What the proxy knows of payments beyond the service's list
///
/// `payments` has those that the proxy created, or saw in the list within 30 days, which have no `attempts`. `reconciling` has
/// the newest 100 orders in doubt.
#[utoipa::path(
    get,
    path = path::LEDGER,
    tag = MERCHANT,
    operation_id = "readLedger",
    params(("transactionId" = Option<Vec<String>>, Query, max_items = 100, description = "Payments, up to 100")),
    responses((status = 200, description = "These payments, and the orders with an unknown outcome", body = Ledger)),
    security(("merchantKey" = [])),
)]
pub(super) async fn ledger(
    State(app): State<Arc<App>>,
    _: Merchant,
    Query(fields): Query<Fields>,
) -> Result<Json<Ledger>, Error> {
    let ids = asked(fields)?;
    let (reconciling, more) = app.store.unresolved_attempts(None).await?;
    Ok(Json(Ledger {
        payments: app.store.known_to_merchant(&ids).await?,
        reconciling,
        more,
        test_mode: app.is_test(),
        unmapped_statuses: app.statuses.unmapped(),
        payment_links: app.links.as_ref().map(|links| links.limits.clone()),
    }))
}

/// The requested transactionIds, without duplicates.
fn asked(fields: Fields) -> Result<Vec<String>, Error> {
    let ids = fields
        .into_iter()
        .filter(|(name, _)| name == "transactionId");
    let ids = ids.map(|(_, id)| PaymentId::try_from(id));
    let ids: BTreeSet<_> = ids.collect::<Result<_, _>>()?;
    if ids.len() > MAX_ASKED {
        let rule = format!("give `transactionId` up to {MAX_ASKED} times");
        return Err(Error::invalid(rule));
    }
    Ok(ids.into_iter().map(String::from).collect())
}

/// Notifications to the shop's backend
#[utoipa::path(
    get,
    path = path::DELIVERIES,
    tag = MERCHANT,
    operation_id = "listDeliveries",
    params(Filter),
    responses((status = 200, description = "Up to 100, newest first, and what became of them", body = Deliveries)),
    security(("merchantKey" = [])),
)]
pub(super) async fn deliveries(
    State(app): State<Arc<App>>,
    _: Merchant,
    Query(filter): Query<Filter>,
) -> Result<Json<Deliveries>, Error> {
    if filter.state == Some(DeliveryState::Unknown) {
        let rule = "`state` must be `waiting`, `delivered` or `given-up`";
        return Err(Error::invalid(rule));
    }
    let named = filter.transaction_id.clone();
    named.map(PaymentId::try_from).transpose()?;
    if filter.before.as_deref().is_some_and(|id| !is_valid_id(id)) {
        return Err(Error::invalid("`before` must be the id of a notification"));
    }
    Ok(Json(app.store.deliveries(filter).await?))
}

/// Sends notifications again
#[utoipa::path(
    post,
    path = path::RESEND,
    tag = MERCHANT,
    operation_id = "resendDeliveries",
    request_body = Resend,
    responses((status = 200, description = "How many are sent again", body = Resent)),
    security(("merchantKey" = [])),
)]
pub(super) async fn resend(
    State(app): State<Arc<App>>,
    _: Merchant,
    JsonBody(mut which): JsonBody<Resend>,
) -> Result<Json<Resent>, Error> {
    if which.ids.len() > MAX_DELIVERIES {
        return Err(Error::invalid(format!("give up to {MAX_DELIVERIES} ids")));
    }
    // No notification has another one, and PostgreSQL refuses some.
    which.ids.retain(|id| is_valid_id(id));
    let resent = app.store.resend_events(which).await?;
    Ok(Json(Resent { resent }))
}

#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(super) struct Invoice {
    /// The merchant's invoice identifier.
    invoice_number: String,
}

/// The payments of an invoice number
///
/// At most 100 that this proxy has created: the paid ones first, then the open one, then ended ones. They are read in the
/// service's list first. If that fails, `readAt` says how old each record is. An unsigned order has no `order`. `doubts` has the
/// order's attempts in doubt, as `reconciling` of the ledger.
#[utoipa::path(
    get,
    path = path::ORDERS,
    tag = MERCHANT,
    operation_id = "readOrder",
    params(Invoice),
    responses((status = 200, description = "Its payments, each with what the shop signed", body = OrderPayments)),
    security(("merchantKey" = [])),
)]
pub(super) async fn orders(
    State(app): State<Arc<App>>,
    _: Merchant,
    Query(Invoice { invoice_number }): Query<Invoice>,
) -> Result<Json<OrderPayments>, Error> {
    let store = &app.store;
    let stored = store.payments_of_invoice(&invoice_number).await?;
    let ids: Vec<_> = stored.iter().map(|(id, _)| id.as_str()).collect();
    if let Err(error) = app.executor.refresh(&ids).await {
        let error = causes(&error);
        tracing::warn!(error, "can't read the payments of an order in the list");
    }
    // Before the payments: one that is being created may be stored meanwhile.
    let is_requested = store.is_requested(&invoice_number).await?;
    let (doubts, _) = store.unresolved_attempts(Some(&invoice_number)).await?;
    // The records may have changed, and their order with them.
    let stored = store.payments_of_invoice(&invoice_number).await?;
    let mut payments = Vec::new();
    for (id, added) in stored {
        let json = app.tracking.latest(&id, Viewer::Buyer).await?;
        let mut record = Record::parse(&json, "a payment record").map_err(Error::internal)?;
        added.add_to(&mut record).map_err(Error::internal)?;
        payments.push(record);
    }
    Ok(Json(OrderPayments {
        // An attempt in doubt is requested, too.
        creating: is_requested && doubts.is_empty(),
        memory_since: store.memory_since().await?,
        payments,
        doubts,
    }))
}

/// Signs an order for a payment link
///
/// The route exists only where the operator has turned payment links on.
#[utoipa::path(
    post,
    path = path::ORDERS,
    tag = MERCHANT,
    operation_id = "signOrder",
    request_body = NewOrder,
    responses((status = 200, description = "The order, and the address of its payment page", body = PaymentLink)),
    security(("merchantKey" = [])),
)]
pub(super) async fn sign_order(
    State(app): State<Arc<App>>,
    _: CreatePermit,
    _: Merchant,
    audit: Audit,
    JsonBody(order): JsonBody<NewOrder>,
) -> Result<Json<PaymentLink>, Error> {
    let links = app.links.as_ref().ok_or(ProblemCode::NotFound)?;
    // The invoice number may be a person's name.
    let name = format!("{} {} for {}", order.quantity, order.token, order.expires);
    let signed = links.sign(order)?;
    audit.signed(name);
    Ok(Json(signed))
}
