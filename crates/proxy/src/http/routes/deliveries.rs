//! `GET /api/v1/payment/deliveries?transactionId=A&state=S&before=ID`: the notifications to the shop's
//! backend and what became of them, newest first; and `POST /api/v1/payment/deliveries/resend`, which
//! sends some again. Both are for the merchant.

use std::sync::Arc;

use axum::extract::rejection::QueryRejection;
use axum::extract::{Query, State};
use serde::Deserialize;
use tender_protocol::delivery::MAX_DELIVERIES;
use tender_protocol::{DeliveryState, Resend, Resent};

use crate::checkout;
use crate::http::app::App;
use crate::http::body::{Json, JsonBody};
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
) -> Result<Json, Error> {
    let rule = || {
        Error::InvalidRequest(
            "`state` must be `waiting`, `delivered` or `given-up`, and each parameter may be given once"
                .to_owned(),
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
    let deliveries = app.deliveries.list(filter).await?;
    let json = serde_json::to_vec(&deliveries).map_err(Error::internal)?;
    Ok(Json(json.into()))
}

pub(super) async fn resend(
    State(app): State<Arc<App>>,
    _: Merchant,
    JsonBody(body): JsonBody,
) -> Result<Json, Error> {
    let which: Resend = checkout::parse(&body)?;
    if which.ids.len() > MAX_DELIVERIES {
        let rule = format!("give up to {MAX_DELIVERIES} ids");
        return Err(Error::InvalidRequest(rule));
    }
    let resent = app.deliveries.resend(which).await?;
    let json = serde_json::to_vec(&Resent { resent }).map_err(Error::internal)?;
    Ok(Json(json.into()))
}
