//! The routes.

mod create;
mod events;
mod find;
mod merchant;
mod operator;
mod orders;
mod pay;
mod payment;
mod webhook;
mod widget;

#[cfg(test)]
pub(crate) use self::events::{LAST_EVENT_ID, last_event_id};
#[cfg(test)]
pub(crate) use self::merchant::{Fields, Page, asked};
#[cfg(test)]
pub(crate) use self::pay::{Place, Session, language};

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::DefaultBodyLimit;
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName,
    REFERRER_POLICY, RETRY_AFTER, X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, any, get, post};
use axum::{Router, middleware};
use tender_protocol::path;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{Any as AnyOrigin, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;

use crate::error::Error;
use crate::http::app::App;
use crate::http::idempotency_key::IDEMPOTENCY_KEY;
use crate::http::refused_origin::{self, AllowedOrigins};
use crate::http::{audit, body, limits, request_log};

const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// All routes, with logging, limits and security headers.
pub(crate) fn router(app: Arc<App>) -> Router {
    let allow_origins = &app.server.allow_origins;
    let create_limit =
        middleware::from_fn_with_state(Arc::clone(&app.limits), limits::limit_creates);
    let address_limit =
        middleware::from_fn_with_state(Arc::clone(&app.limits), limits::limit_address);
    let log = middleware::from_fn_with_state(Arc::clone(&app), request_log::log);
    let audit = middleware::from_fn_with_state(Arc::clone(&app.limits), audit::log);
    let allowed = Arc::new(AllowedOrigins::new(allow_origins));
    let refused_origin = middleware::from_fn_with_state(allowed, refused_origin::refuse);
    let pay = if app.server.hosted_page {
        let form = post(pay::post).route_layer(create_limit.clone());
        Router::new()
            .route(path::PAY, form.get(pay::get))
            .method_not_allowed_fallback(async || Error::MethodNotAllowed)
    } else {
        Router::new()
    };
    let links = match app.links {
        Some(_) => post(merchant::sign_order).route_layer(create_limit.clone()),
        None => MethodRouter::new().fallback(async || Error::NotFound),
    };
    let orders = links.get(orders::get);
    let routes = Router::new()
        .route(path::ORDERS, orders)
        .route(path::TOKENS, get(widget::tokens))
        .route(path::CHECKOUT, get(widget::form))
        .route(
            path::PAYMENT,
            post(create::post).route_layer(create_limit).get(find::get),
        )
        .route(path::CANCEL, post(payment::cancel))
        .route(path::LIST, get(merchant::list))
        .route(path::LEDGER, get(merchant::ledger))
        .route(path::EVENTS, get(events::get_all))
        .route(path::DELIVERIES, get(merchant::deliveries))
        .route(path::RESEND, post(merchant::resend))
        .route(&of_payment(""), get(payment::status))
        .route(&of_payment("/events"), get(events::get))
        .route(
            &of_payment(path::SENT),
            post(payment::mark_sent).delete(payment::unmark_sent),
        )
        .route(&of_payment(path::RELEASE), post(payment::release))
        .merge(operator::health())
        .route("/webhook/{secret}", any(webhook::any))
        .fallback(async || Error::NotFound)
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .layer((
            cors(allow_origins),
            refused_origin,
            audit.clone(),
            address_limit.clone(),
        ))
        // Added after the CORS layer: no other origin may read the payment page, and the widget's files have their own CORS
        // headers.
        .merge(pay.layer((audit, address_limit)))
        .route(
            "/v1/{*path}",
            get(widget::file).fallback(async || Error::MethodNotAllowed),
        )
        .layer(DefaultBodyLimit::max(body::MAX_BODY))
        .with_state(app);
    guarded(routes).layer(log)
}

/// A path below that of a payment.
fn of_payment(path: &str) -> String {
    format!("{}/{{transaction_id}}{path}", path::PAYMENT)
}

/// The routes for an address that only the operator can reach.
pub(crate) fn operator_router(app: Arc<App>) -> Router {
    let routes = operator::health()
        .route("/metrics", get(operator::metrics))
        .fallback(async || Error::NotFound)
        .method_not_allowed_fallback(async || Error::MethodNotAllowed)
        .with_state(app);
    guarded(routes)
}

/// What every response of the proxy has in common, also that to a panic: the headers have the strictest
/// values unless the route has set its own. A response is not cached, can't be embedded, and loads
/// nothing if it is opened as a page.
fn guarded(routes: Router) -> Router {
    let header =
        |name, value| SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value));
    routes.layer((
        header(X_CONTENT_TYPE_OPTIONS, "nosniff"),
        header(REFERRER_POLICY, "no-referrer"),
        header(
            CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'",
        ),
        header(CACHE_CONTROL, "no-store"),
        header(CROSS_ORIGIN_RESOURCE_POLICY, "same-origin"),
        CatchPanicLayer::custom(panicked),
    ))
}

/// The panic itself is logged by the hook of the standard library.
fn panicked(_: Box<dyn Any + Send>) -> Response {
    Error::Internal("a request handler panicked".into()).into_response()
}

/// The CORS rules for pages of other origins (Fetch standard, "CORS protocol").
fn cors(allow_origins: &[HeaderValue]) -> CorsLayer {
    let layer = CorsLayer::new()
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers([
            AUTHORIZATION,
            CONTENT_TYPE,
            HeaderName::from_static(IDEMPOTENCY_KEY),
            events::LAST_EVENT_ID,
        ])
        .expose_headers([request_log::REQUEST_ID, RETRY_AFTER])
        .max_age(Duration::from_hours(1));
    if allow_origins.iter().any(|origin| origin == "*") {
        return layer.allow_origin(AnyOrigin);
    }
    layer.allow_origin(allow_origins.to_vec())
}

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::Request;
    use axum::http::StatusCode;
    use tower::ServiceExt as _;

    use super::*;

    #[tokio::test]
    async fn a_panic_is_answered_as_a_problem() {
        let panics = async || -> StatusCode { panic!("the test's own panic") };
        let routes = guarded(Router::new().route("/", get(panics)));
        let request = Request::get("/").header("host", "a").body(Body::empty());
        let response = routes.oneshot(request.unwrap()).await.unwrap();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let headers = response.headers();
        assert_eq!(headers[CONTENT_TYPE], "application/problem+json");
        assert_eq!(headers[CACHE_CONTROL], "no-store");
    }
}
