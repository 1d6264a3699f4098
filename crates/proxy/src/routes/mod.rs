//! The routes, one file each.

mod assets;
mod cancel;
mod create;
mod health;
mod list;
mod tokens;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::Method;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, RETRY_AFTER};
use axum::routing::{get, post};
use axum::{Router, middleware};
use tender_protocol::path;
use tower_http::cors::{Any, CorsLayer};

use crate::app::App;
use crate::attempts::IDEMPOTENCY_KEY;
use crate::config::AllowOrigin;
use crate::error::Error;
use crate::{json, request_log, security};

pub(crate) fn router(app: App, allow_origin: AllowOrigin) -> Router {
    Router::new()
        .route(path::TOKENS, get(tokens::get))
        .route(path::PAYMENT, post(create::post))
        .route(path::CANCEL, post(cancel::post))
        .route(path::LIST, get(list::get))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(async || Error::NotFound)
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .layer(cors(allow_origin))
        // After the layer, and so without it: the widget's files have a rule of their own.
        .route(
            "/v1/{*path}",
            get(assets::get).fallback(async || Error::MethodNotAllowed),
        )
        .layer(DefaultBodyLimit::max(json::MAX_BODY))
        .layer(middleware::map_response(security::headers))
        .layer(middleware::from_fn(request_log::log))
        .with_state(Arc::new(app))
}

/// What pages of other origins may do (the Fetch standard, "CORS protocol").
fn cors(allow_origin: AllowOrigin) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([
            AUTHORIZATION,
            CONTENT_TYPE,
            HeaderName::from_static(IDEMPOTENCY_KEY),
        ])
        .expose_headers([request_log::REQUEST_ID, RETRY_AFTER])
        .max_age(Duration::from_hours(1));
    match allow_origin {
        AllowOrigin::Any => layer.allow_origin(Any),
        AllowOrigin::Exactly(origins) => layer.allow_origin(origins),
    }
}
