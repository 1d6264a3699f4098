//! What only the merchant may read and do: the service's list, what the proxy knows beyond it, notifications, and payment
//! links.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use serde::Deserialize;
use tender_protocol::delivery::MAX_DELIVERIES;
use tender_protocol::ledger::{KnownPayment, Ledger, MAX_ASKED};
use tender_protocol::{Deliveries, DeliveryState, NewOrder, PaymentLink, Resend, Resent};

use crate::clock::timestamp::rfc3339;
use crate::error::Error;
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::body::{self, JsonBody};
use crate::http::credentials::Merchant;
use crate::http::extractors::Query;
use crate::http::payment_id::PaymentId;
use crate::store::outbox::Filter;

#[derive(Deserialize)]
pub(crate) struct Page {
    pub(crate) page: Option<NonZeroU32>,
}

/// `GET /api/v1/payment/list?page=N`: the service's list of payments.
///
/// `page` starts at 1, whatever number the service gives its first page; 1 is the default. The
/// records of the service's response gain their `state` and are unchanged otherwise. Its response to
/// a page past the end is not documented: if it refuses one, the result is an empty list.
pub(super) async fn list(
    State(app): State<Arc<App>>,
    _: Merchant,
    Query(Page { page }): Query<Page>,
) -> Result<body::Json, Error> {
    let page = page.map_or(0, |page| page.get() - 1);
    match app.service.list(page).await {
        Err(error) if page > 0 && error.is_past_the_end() => Ok(body::Json("[]".into())),
        list => Ok(body::Json(app.tracking.with_states(list?).await?.into())),
    }
}

pub(crate) type Fields = Vec<(String, String)>;

/// `GET /api/v1/payment/ledger?transactionId=A&transactionId=B`: what the proxy knows of payments beyond the
/// service's list.
pub(super) async fn ledger(
    State(app): State<Arc<App>>,
    _: Merchant,
    Query(fields): Query<Fields>,
) -> Result<Json<Ledger>, Error> {
    let ids = asked(fields)?;
    let (reconciling, more) = app.ledger.store.unresolved().await?;
    Ok(Json(Ledger {
        payments: known(&app, ids).await?,
        reconciling,
        more,
        test_mode: app.test_mode,
        payment_links: app.links.as_ref().map(|links| links.limits.clone()),
    }))
}

/// The requested transactionIds, without duplicates.
pub(crate) fn asked(fields: Fields) -> Result<Vec<String>, Error> {
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

/// What is known of these payments.
async fn known(app: &App, ids: Vec<String>) -> Result<Vec<KnownPayment>, Error> {
    let attempts = app.ledger.store.attempts_of(&ids).await?;
    let notifications = app.tracking.store.notifications_of(&ids).await?;
    let known = ids.into_iter().filter_map(|id| {
        let (attempts, notified) = (attempts.get(&id), notifications.get(&id));
        if attempts.is_none() && notified.is_none() {
            return None;
        }
        let notified = notified.copied().unwrap_or_default();
        Some(KnownPayment {
            transaction_id: id,
            attempts: attempts.map(|attempts| attempts.count),
            first_attempt_at: attempts.map(|attempts| rfc3339(attempts.first_at)),
            notified_at: notified.first_at.map(rfc3339),
            notifications: notified.count,
            sent: attempts.map_or(0, |attempts| attempts.marks),
        })
    });
    Ok(known.collect())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Which {
    transaction_id: Option<String>,
    state: Option<DeliveryState>,
    before: Option<String>,
}

/// `GET /api/v1/payment/deliveries?transactionId=A&state=S&before=ID`: the notifications to the shop's backend and what
/// became of them, newest first.
pub(super) async fn deliveries(
    State(app): State<Arc<App>>,
    _: Merchant,
    Query(which): Query<Which>,
) -> Result<Json<Deliveries>, Error> {
    if which.state == Some(DeliveryState::Unknown) {
        let rule = "`state` must be `waiting`, `delivered` or `given-up`";
        return Err(Error::invalid(rule));
    }
    let transaction_id = which.transaction_id.map(PaymentId::try_from).transpose()?;
    let filter = Filter {
        transaction_id: transaction_id.map(String::from),
        state: which.state,
        before: which.before,
    };
    Ok(Json(app.deliveries.store.list(filter).await?))
}

/// `POST /api/v1/payment/deliveries/resend`: sends some notifications again.
pub(super) async fn resend(
    State(app): State<Arc<App>>,
    _: Merchant,
    JsonBody(which): JsonBody<Resend>,
) -> Result<Json<Resent>, Error> {
    if which.ids.len() > MAX_DELIVERIES {
        return Err(Error::invalid(format!("give up to {MAX_DELIVERIES} ids")));
    }
    let resent = app.deliveries.store.resend(which).await?;
    Ok(Json(Resent { resent }))
}

/// `POST /api/v1/orders`: signs an order, whose payment page is a payment link. The route exists only where the operator
/// has turned payment links on.
pub(super) async fn sign_order(
    State(app): State<Arc<App>>,
    _: Merchant,
    audit: Audit,
    JsonBody(order): JsonBody<NewOrder>,
) -> Result<Json<PaymentLink>, Error> {
    let links = app.links.as_ref().ok_or(Error::NotFound)?;
    // The invoice number may be a person's name.
    let name = format!("{} {} for {}", order.quantity, order.token, order.expires);
    let signed = links.sign(order)?;
    audit.signed(name);
    Ok(Json(signed))
}
