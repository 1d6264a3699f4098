//! `GET /api/v1/payment/deliveries?transactionId=A&state=S&before=ID`: the notifications to the shop's
//! backend and what became of them, newest first; and `POST /api/v1/payment/deliveries/resend`, which
//! sends some again. Both are for the merchant.

use std::sync::Arc;

use axum::Json;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::Deserialize;
use tender_protocol::delivery::MAX_DELIVERIES;
use tender_protocol::{Deliveries, DeliveryState, Resend, Resent};

use crate::checkout;
use crate::http::app::App;
use crate::http::body::JsonBody;
use crate::http::credentials::Merchant;
use crate::http::payment_id::PaymentId;
use crate::http::problems::Error;
use crate::store::outbox::Filter;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Which {
    transaction_id: Option<String>,
    state: Option<DeliveryState>,
    before: Option<String>,
}

pub(super) async fn get(
    State(app): State<Arc<App>>,
    _: Merchant,
    query: Result<Query<Which>, QueryRejection>,
) -> Result<Json<Deliveries>, Error> {
    let rule = || {
        Error::invalid(
            "`state` must be `waiting`, `delivered` or `given-up`, and each parameter may be given once",
        )
    };
    let Query(which) = query.map_err(|_| rule())?;
    if which.state == Some(DeliveryState::Unknown) {
        return Err(rule());
    }
    let transaction_id = which.transaction_id.map(PaymentId::try_from).transpose()?;
    let filter = Filter {
        transaction_id: transaction_id.map(String::from),
        state: which.state,
        before: which.before,
    };
    Ok(Json(app.deliveries.store.list(filter).await?))
}

pub(super) async fn resend(
    State(app): State<Arc<App>>,
    _: Merchant,
    JsonBody(body): JsonBody,
) -> Result<Json<Resent>, Error> {
    let which: Resend = checkout::parse(&body)?;
    if which.ids.len() > MAX_DELIVERIES {
        return Err(Error::invalid(format!("give up to {MAX_DELIVERIES} ids")));
    }
    let resent = app.deliveries.store.resend(which).await?;
    Ok(Json(Resent { resent }))
}
