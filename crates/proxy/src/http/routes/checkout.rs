//! `GET /v1/checkout.html?token=...`: the widget's form as HTML, which its loader shows until the module is loaded.
//!
//! The query has the attributes of the element that change what the form shows. It is for display only: the price that
//! counts is in the signed order.

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::Response;

use crate::error::Error;
use crate::http::app::App;
use crate::http::extractors::Query;
use crate::http::routes::tokens::mark_stale;
use crate::rendering::{Attributes, NoForm};
use crate::service::tokens::Served;

/// The longest query, in bytes.
const MAX_QUERY: usize = 1024;

/// Stored, and validated by its entity tag each time: the listing may change, and a preloaded response is used.
const REVALIDATED: HeaderValue = HeaderValue::from_static("public, no-cache");

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

pub(super) async fn get(
    State(app): State<Arc<App>>,
    Query(values): Query<HashMap<String, String>>,
    request: Request,
) -> Result<Response, Error> {
    app.limits.may_render(&request)?;
    if request
        .uri()
        .query()
        .is_some_and(|query| query.len() > MAX_QUERY)
    {
        let problem = format!("the query is longer than {MAX_QUERY} bytes");
        return Err(Error::invalid(problem));
    }
    let Served { listing, stale } = app.tokens.listing().await?;
    let form = app
        .renderer
        .form(Attributes::from(values), &listing)
        .await?;
    let mut response = form.response_unless_known(request.headers());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HTML);
    headers.insert(CACHE_CONTROL, REVALIDATED);
    mark_stale(headers, stale);
    Ok(response)
}

impl From<Arc<NoForm>> for Error {
    fn from(error: Arc<NoForm>) -> Self {
        match &*error {
            NoForm::Attributes(error) => Self::invalid(error.to_string()),
            // Pages then request the listing, and say what is wrong with it.
            NoForm::TooLong | NoForm::NotText | NoForm::Listing(_) => {
                tracing::debug!(%error, "no form");
                Self::NotFound
            }
            NoForm::Failed(_) => Self::internal(error),
        }
    }
}
