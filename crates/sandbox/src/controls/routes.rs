//! The HTTP routes of the controls. Each one calls a method of [`Controls`].

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::StatusCode;
use axum::routing::{get, post, put};
use axum::{Json, Router};
use serde::Deserialize;
use tender_protocol::{Amount, Payment, Status};

use super::{Controls, page};
use crate::body::JsonBody;
use crate::refusal::Refusal;
use crate::state;

/// All routes of the controls, for the payments address.
pub(crate) fn routes<S: Clone + Send + Sync + 'static>(controls: Controls) -> Router<S> {
    Router::new()
        .route("/sandbox/state", get(show_state))
        .route("/sandbox/payments/{transaction_id}/status", put(set_status))
        .route("/sandbox/payments/{transaction_id}/send", post(send))
        .route(
            "/sandbox/tokens",
            put(replace_tokens)
                .delete(restore_tokens)
                // A replaced listing may have any size.
                .layer(DefaultBodyLimit::disable()),
        )
        .merge(page::routes())
        .with_state(controls)
}

async fn show_state(State(controls): State<Controls>) -> Json<state::State> {
    Json(controls.state())
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

async fn replace_tokens(State(controls): State<Controls>, listing: Bytes) -> StatusCode {
    controls.replace_tokens(listing);
    StatusCode::NO_CONTENT
}

async fn restore_tokens(State(controls): State<Controls>) -> StatusCode {
    controls.restore_tokens();
    StatusCode::NO_CONTENT
}
