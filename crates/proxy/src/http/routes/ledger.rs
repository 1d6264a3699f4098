//! `GET /api/v1/payment/ledger?transactionId=A&transactionId=B`: what the proxy knows of payments
//! beyond the service's list, for the merchant.

use std::collections::BTreeSet;
use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use tender_protocol::ledger::{KnownPayment, Ledger, MAX_ASKED};

use crate::clock::timestamp::rfc3339;
use crate::http::app::App;
use crate::http::credentials::Merchant;
use crate::http::payment_id::PaymentId;
use crate::http::problems::Error;
use crate::store::payments::Notifications;

pub(crate) type Fields = Vec<(String, String)>;

pub(super) async fn get(
    State(app): State<Arc<App>>,
    _: Merchant,
    query: Result<Query<Fields>, QueryRejection>,
) -> Result<Json<Ledger>, Error> {
    let Query(fields) = query.map_err(|_| rule())?;
    let ids = asked(fields)?;
    let (reconciling, more) = app.ledger.store().unresolved().await?;
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
        return Err(rule());
    }
    Ok(ids.into_iter().map(String::from).collect())
}

fn rule() -> Error {
    Error::invalid(format!(
        "give `transactionId` up to {MAX_ASKED} times, each with one payment"
    ))
}

/// What is known of these payments.
async fn known(app: &App, ids: Vec<String>) -> Result<Vec<KnownPayment>, Error> {
    let attempts = app.ledger.store().attempts_of(&ids).await?;
    let notifications = app.tracking.notifications_of(&ids).await?;
    let known = ids.into_iter().filter_map(|id| {
        let (attempts, notifications) = (attempts.get(&id), notifications.get(&id));
        if attempts.is_none() && notifications.is_none() {
            return None;
        }
        let Notifications { count, first_at } = notifications.copied().unwrap_or_default();
        Some(KnownPayment {
            transaction_id: id,
            attempts: attempts.map(|attempts| attempts.count),
            first_attempt_at: attempts.map(|attempts| rfc3339(attempts.first_at)),
            notified_at: first_at.map(rfc3339),
            notifications: count,
        })
    });
    Ok(known.collect())
}
