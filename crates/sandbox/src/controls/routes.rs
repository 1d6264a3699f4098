//! The HTTP routes of the controls. Each one calls a method of [`Controls`].

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post, put};
use axum::{Json, Router};
use reqwest::Url;
use serde::Deserialize;
use tender_protocol::{Amount, Payment, Status};

use super::{Controls, page};
use crate::body::JsonBody;
use crate::fault::Fault;
use crate::refusal::Refusal;
use crate::state;

/// All routes of the controls, for the payments address.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>(controls: Controls) -> Router<S> {
    Router::new()
        .route("/sandbox/state", get(show_state))
        .route("/sandbox/reset", post(reset))
        .route("/sandbox/payments/{transaction_id}/status", put(set_status))
        .route("/sandbox/payments/{transaction_id}/send", post(send))
        .route("/sandbox/faults", post(inject).delete(clear_faults))
        .route(
            "/sandbox/tokens",
            put(replace_tokens)
                .delete(restore_tokens)
                // A replaced listing may have any size.
                .layer(DefaultBodyLimit::disable()),
        )
        .route("/sandbox/webhook", put(set_webhook).delete(unset_webhook))
        .merge(page::routes())
        .with_state(controls)
}

async fn show_state(State(controls): State<Controls>) -> Json<state::State> {
    Json(controls.state())
}

async fn reset(State(controls): State<Controls>) -> StatusCode {
    controls.reset();
    StatusCode::NO_CONTENT
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct NewStatus {
    status_id: String,
    status_text: String,
}

async fn set_status(
    State(controls): State<Controls>,
    Path(transaction_id): Path<String>,
    JsonBody(status): JsonBody<NewStatus>,
) -> Result<Json<Payment>, Refusal> {
    let status = Status::new(&status.status_id, &status.status_text)
        .ok_or_else(|| Refusal::field_is("statusId", "a status needs an id or a text"))?;
    controls.set_status(&transaction_id, status).map(Json)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Sent {
    amount: Amount,
}

async fn send(
    State(controls): State<Controls>,
    Path(transaction_id): Path<String>,
    JsonBody(Sent { amount }): JsonBody<Sent>,
) -> Result<Json<Payment>, Refusal> {
    controls.send(&transaction_id, &amount).map(Json)
}

async fn inject(State(controls): State<Controls>, JsonBody(fault): JsonBody<Fault>) -> StatusCode {
    controls.inject(fault);
    StatusCode::NO_CONTENT
}

async fn clear_faults(State(controls): State<Controls>) -> StatusCode {
    controls.clear_faults();
    StatusCode::NO_CONTENT
}

async fn replace_tokens(State(controls): State<Controls>, listing: Bytes) -> StatusCode {
    controls.replace_tokens(listing);
    StatusCode::NO_CONTENT
}

async fn restore_tokens(State(controls): State<Controls>) -> StatusCode {
    controls.restore_tokens();
    StatusCode::NO_CONTENT
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Webhook {
    url: String,
}

async fn set_webhook(
    State(controls): State<Controls>,
    JsonBody(Webhook { url }): JsonBody<Webhook>,
) -> Result<StatusCode, Refusal> {
    let url = Url::parse(&url).map_err(|error| Refusal::field_is("url", error.to_string()))?;
    controls.set_webhook(Some(url));
    Ok(StatusCode::NO_CONTENT)
}

async fn unset_webhook(State(controls): State<Controls>) -> StatusCode {
    controls.set_webhook(None);
    StatusCode::NO_CONTENT
}
