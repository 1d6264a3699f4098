//! `GET /sandbox/page`: the controls as an HTML page with forms, for a demo without `curl`.
//!
//! | form | fields | method of [`Controls`] |
//! |---|---|---|
//! | `POST /sandbox/page/status` | `transactionId`, `statusId`, `statusText` | [`set_status`](Controls::set_status) |
//! | `POST /sandbox/page/fault` | `endpoint`, `outcome`, `times`, `delayMs` | [`inject`](Controls::inject) |
//! | `POST /sandbox/page/clear-faults` | | [`clear_faults`](Controls::clear_faults) |
//! | `POST /sandbox/page/reset` | | [`reset`](Controls::reset) |
//!
//! Each form responds 303 with the page, so that a reload does not send it again.

mod fault;
mod view;

use std::sync::LazyLock;

use axum::extract::State;
use axum::response::{Html, Redirect};
use axum::routing::{get, post};
use axum::{Form, Router};
use minijinja::value::Serde;
use minijinja::{Environment, UndefinedBehavior};
use serde::Deserialize;
use tender_protocol::Status;
use tracing::error;

use self::fault::FaultForm;
use self::view::View;
use super::Controls;
use crate::refusal::Refusal;

const ADDRESS: &str = "/sandbox/page";
const TEMPLATE: &str = "page.html";

/// The template. Values are escaped for HTML, because its name ends in `.html`.
static TEMPLATES: LazyLock<Result<Environment<'static>, minijinja::Error>> = LazyLock::new(|| {
    let mut templates = Environment::new();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates.add_template(TEMPLATE, include_str!("page.html"))?;
    Ok(templates)
});

pub(super) fn routes() -> Router<Controls> {
    Router::new()
        .route(ADDRESS, get(show))
        .route("/sandbox/page/status", post(set_status))
        .route("/sandbox/page/fault", post(inject))
        .route("/sandbox/page/clear-faults", post(clear_faults))
        .route("/sandbox/page/reset", post(reset))
}

async fn show(State(controls): State<Controls>) -> Result<Html<String>, Refusal> {
    let rendered = TEMPLATES.as_ref().map_or_else(
        |error| Err(error.to_string()),
        |templates| {
            let view = View::of(&controls.state());
            let template = templates.get_template(TEMPLATE);
            let page = template.and_then(|template| template.render(Serde(view)));
            page.map_err(|error| error.to_string())
        },
    );
    rendered.map(Html).map_err(|failure| {
        error!(%failure, "can't render the page of the controls");
        Refusal::Internal
    })
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

async fn inject(State(controls): State<Controls>, Form(form): Form<FaultForm>) -> Redirect {
    controls.inject(form.into());
    Redirect::to(ADDRESS)
}

async fn clear_faults(State(controls): State<Controls>) -> Redirect {
    controls.clear_faults();
    Redirect::to(ADDRESS)
}

async fn reset(State(controls): State<Controls>) -> Redirect {
    controls.reset();
    Redirect::to(ADDRESS)
}
