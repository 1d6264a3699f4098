//! `GET /api/v1/rates/my-tokens`: the tokens enabled for the project, as the service lists them.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};

use crate::http::app::App;
use crate::http::problems::Error;

pub(super) async fn get(State(app): State<Arc<App>>, request: Request) -> Result<Response, Error> {
    app.limits.may_list_tokens(&request)?;
    let listing = app.tokens.listing().await?;
    let chosen = listing.negotiate(request.headers());
    let media_type = [(CONTENT_TYPE, "application/json")];
    let mut response = (media_type, chosen.content.clone()).into_response();
    chosen.add_headers(response.headers_mut());
    Ok(response)
}
