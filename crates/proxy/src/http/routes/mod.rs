//! The routes, one file each.

mod all_events;
mod assets;
mod cancel;
mod create;
mod events;
mod fast_path;
mod health;
mod ledger;
mod list;
mod metrics;
mod status;
mod tokens;
mod webhook;

#[cfg(test)]
pub(crate) use self::events::{LAST_EVENT_ID, last_event_id};
#[cfg(test)]
pub(crate) use self::ledger::{Fields, asked};
#[cfg(test)]
pub(crate) use self::list::Page;
pub(crate) use self::metrics::metrics_router;

use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::Method;
use axum::http::header::{AUTHORIZATION, CONTENT_TYPE, HeaderName, RETRY_AFTER};
use axum::routing::{get, post};
use axum::{Router, middleware};
use tender_protocol::path;
use tower_http::cors::{Any, CorsLayer};

use self::fast_path::FastPath;
use crate::config::AllowOrigin;
use crate::http::app::App;
use crate::http::idempotency_key::IDEMPOTENCY_KEY;
use crate::http::problems::Error;
use crate::http::{body, headers, limits, request_head, request_log};

/// All routes, with logging, limits and security headers.
pub(crate) fn router(app: &Arc<App>, allow_origin: AllowOrigin) -> FastPath {
    let cors = cors(allow_origin);
    let routes = full_router(Arc::clone(app), cors.clone());
    FastPath::new(app, &cors, routes)
}

fn full_router(app: Arc<App>, cors: CorsLayer) -> Router {
    let create_limit =
        middleware::from_fn_with_state(Arc::clone(&app.limits), limits::limit_creates);
    let failures_limit =
        middleware::from_fn_with_state(Arc::clone(&app.limits), limits::limit_failures);
    Router::new()
        .route(path::TOKENS, get(tokens::get))
        .route(path::PAYMENT, post(create::post).route_layer(create_limit))
        .route(path::CANCEL, post(cancel::post))
        .route(path::LIST, get(list::get))
        .route(path::LEDGER, get(ledger::get))
        .route(path::EVENTS, get(all_events::get))
        .route(
            &format!("{}/{{transaction_id}}", path::PAYMENT),
            get(status::get),
        )
        .route(
            &format!("{}/{{transaction_id}}/events", path::PAYMENT),
            get(events::get),
        )
        .route("/webhook/{secret}", post(webhook::post))
        .route("/healthz", get(health::healthz))
        .route("/readyz", get(health::readyz))
        .fallback(async || Error::NotFound)
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .layer(failures_limit)
        .layer(cors)
        // Added after the CORS layer, because the widget's files have their own CORS headers.
        .route(
            "/v1/{*path}",
            get(assets::get).fallback(async || Error::MethodNotAllowed),
        )
        .layer(DefaultBodyLimit::max(body::MAX_BODY))
        .layer(middleware::from_fn(request_head::reject_ambiguous))
        .layer(middleware::map_response(async |response| {
            headers::add_headers(response)
        }))
        .layer(middleware::from_fn_with_state(
            app.metrics.clone(),
            request_log::log,
        ))
        .with_state(app)
}

/// The CORS rules for pages of other origins (Fetch standard, "CORS protocol").
fn cors(allow_origin: AllowOrigin) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([
            AUTHORIZATION,
            CONTENT_TYPE,
            HeaderName::from_static(IDEMPOTENCY_KEY),
            events::LAST_EVENT_ID,
        ])
        .expose_headers([request_log::REQUEST_ID, RETRY_AFTER])
        .max_age(Duration::from_hours(1));
    match allow_origin {
        AllowOrigin::Any => layer.allow_origin(Any),
        AllowOrigin::Exactly(origins) => layer.allow_origin(origins),
    }
}
