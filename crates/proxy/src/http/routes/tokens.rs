//! `GET /api/v1/rates/my-tokens`: the tokens enabled for the project, as the service lists them.

use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use axum::response::Response;

use crate::http::app::App;
use crate::http::problems::Error;

/// The number of response headers, to allocate them once.
const HEADERS: usize = 12;

pub(super) async fn get(State(app): State<Arc<App>>, request: Request) -> Result<Response, Error> {
    app.limits.may_list_tokens(&request)?;
    let listing = app.tokens.listing().await?;
    let chosen = listing.negotiate(request.headers());
    let mut headers = HeaderMap::with_capacity(HEADERS);
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    chosen.add_headers(&mut headers);
    let mut response = Response::new(Body::from(chosen.content.clone()));
    *response.headers_mut() = headers;
    Ok(response)
}
