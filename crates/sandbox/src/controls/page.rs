//! `GET /sandbox/page`: the controls as an HTML page with forms, for a demo without `curl`.
//!
//! | form | fields | method of [`Controls`] |
//! |---|---|---|
//! | `POST /sandbox/page/status` | `transactionId`, `statusId`, `statusText` | [`set_status`](Controls::set_status) |
//! | `POST /sandbox/page/fault` | `endpoint`, `outcome`, `times`, `delayMs` | [`inject`](Controls::inject) |
//! | `POST /sandbox/page/clear-faults` | | [`clear_faults`](Controls::clear_faults) |
//! | `POST /sandbox/page/reset` | | [`reset`](Controls::reset) |
//!
//! `endpoint`, `outcome` and `times` are JSON, as in a [`Fault`]. Each form responds 303 with the page, so that a reload does
//! not send it again.

use axum::extract::State;
use axum::response::{Html, Redirect};
use axum::routing::{get, post};
use axum::{Form, Router};
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde::{Deserialize, Serialize};
use tender_protocol::{Amount, Payment, Status};
use tracing::error;

use super::Controls;
use crate::body::parse;
use crate::fault::Fault;
use crate::refusal::Refusal;
use crate::state;

const ADDRESS: &str = "/sandbox/page";

pub(super) fn routes() -> Router<Controls> {
    Router::new()
        .route(ADDRESS, get(show))
        .route("/sandbox/page/status", post(set_status))
        .route("/sandbox/page/fault", post(inject))
        .route("/sandbox/page/clear-faults", post(clear_faults))
        .route("/sandbox/page/reset", post(reset))
}

async fn show(State(controls): State<Controls>) -> Result<Html<String>, Refusal> {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    let view = View::of(controls.state());
    // Values are escaped for HTML, because the name ends in `.html`.
    let page = templates.render_named_str("page.html", include_str!("page.html"), Serde(view));
    page.map(Html).map_err(|failure| {
        error!(%failure, "can't render the page of the controls");
        Refusal::Internal
    })
}

/// Maximum number of payments on the page.
const SHOWN: usize = 50;

/// The data that the template shows.
#[derive(Serialize)]
struct View {
    payments: Vec<Row>,
    /// Number of payments that are not on the page.
    more: usize,
    faults: Vec<Fault>,
}

/// A payment. Amounts are text, so that all digits are shown.
#[derive(Serialize)]
struct Row {
    transaction_id: String,
    invoice_number: Option<String>,
    price: String,
    amount: String,
    status_id: String,
    status_text: String,
}

impl View {
    fn of(state: state::State) -> Self {
        Self {
            more: state.payments.len().saturating_sub(SHOWN),
            payments: (state.payments.into_iter().take(SHOWN))
                .map(|entry| Row::of(entry.payment))
                .collect(),
            faults: state.faults,
        }
    }
}

/// With two decimals at least, as shops write prices.
fn readable(amount: &Amount, token: &str) -> String {
    let more = match amount.fraction().len() {
        0 => ".00",
        1 => "0",
        _ => "",
    };
    format!("{amount}{more} {token}")
}

impl Row {
    fn of(payment: Payment) -> Self {
        Self {
            transaction_id: payment.transaction_id,
            invoice_number: payment.invoice_number,
            price: readable(&payment.quantity, &payment.token),
            amount: readable(&payment.quantity_pay, &payment.payment_token),
            status_id: payment.status.id().to_owned(),
            status_text: payment.status.text().to_owned(),
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewStatus {
    transaction_id: String,
    status_id: String,
    status_text: String,
}

async fn set_status(
    State(controls): State<Controls>,
    Form(form): Form<NewStatus>,
) -> Result<Redirect, Refusal> {
    let status = Status::new(form.status_id.trim(), form.status_text.trim())
        .ok_or_else(|| Refusal::field_is("statusId", "a status needs an id or a text"))?;
    controls.set_status(&form.transaction_id, status)?;
    Ok(Redirect::to(ADDRESS))
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct NewFault {
    endpoint: String,
    outcome: String,
    times: String,
    delay_ms: u64,
}

async fn inject(
    State(controls): State<Controls>,
    Form(form): Form<NewFault>,
) -> Result<Redirect, Refusal> {
    controls.inject(Fault {
        endpoint: parse(form.endpoint.as_bytes())?,
        times: parse(form.times.as_bytes())?,
        gate: None,
        delay_ms: form.delay_ms,
        hold_ms: 0,
        outcome: parse(form.outcome.as_bytes())?,
    });
    Ok(Redirect::to(ADDRESS))
}

async fn clear_faults(State(controls): State<Controls>) -> Redirect {
    controls.clear_faults();
    Redirect::to(ADDRESS)
}

async fn reset(State(controls): State<Controls>) -> Redirect {
    controls.reset();
    Redirect::to(ADDRESS)
}
