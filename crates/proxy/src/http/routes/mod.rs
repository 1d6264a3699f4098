//! The routes.

mod events;
mod merchant;
mod operator;
mod order_payment;
mod pay;
mod payment;
mod webhook;
mod widget;

#[cfg(test)]
pub(crate) use self::pay::{OrderCookie, Place, language};

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
use axum::routing::{any, get};
use axum::{Router, middleware};
use tender_protocol::ProblemCode::{
    CancelBegun, CursorUnknown, DatabaseUnavailable, MethodNotAllowed, NotFound,
    PaymentUnidentified, PaymentUnknown, Stopping, StreamsFull,
};
use tender_protocol::path;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::cors::{Any as AnyOrigin, CorsLayer};
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};
use utoipa_axum::routes;

use crate::error::Error;
use crate::http::idempotency_key::IDEMPOTENCY_KEY;
use crate::http::openapi::{self, CALL, CANCEL, CREATE, MARK, ORDER, Problems as _};
use crate::http::problems::CROSS_ORIGIN_RESOURCE_POLICY;
use crate::http::{App, MAX_BODY, audit, limits, origins, request_log};

/// Routes with their part of the OpenAPI document.
type Routes = OpenApiRouter<Arc<App>>;

/// All routes, with logging, limits and security headers.
pub(crate) fn router(app: Arc<App>) -> Router {
    let allow_origins = &app.config.server.allow_origins;
    let address_limit = middleware::from_fn_with_state(Arc::clone(&app), limits::limit_address);
    let log = middleware::from_fn_with_state(Arc::clone(&app), request_log::log);
    let audit = middleware::from_fn_with_state(Arc::clone(&app), audit::log);
    let refused_origin = middleware::from_fn_with_state(Arc::clone(&app), origins::refuse);
    let pay = if app.config.server.hosted_page {
        Router::from(pay()).method_not_allowed_fallback(async || Error::Problem(MethodNotAllowed))
    } else {
        Router::new()
    };
    let routes = Router::from(api(app.links.is_some()))
        .merge(Router::from(health()))
        .fallback(async || Error::Problem(NotFound))
        .method_not_allowed_fallback(async || Error::Problem(MethodNotAllowed))
        .layer((
            cors(allow_origins),
            refused_origin,
            audit.clone(),
            address_limit.clone(),
        ))
        // Added after the CORS layer: no other origin may read the payment page, and the widget's files have their own CORS
        // headers.
        .merge(pay.layer((audit, address_limit)))
        .merge(Router::from(document_route()))
        .route("/v1/{*path}", get(widget::file).options(widget::preflight))
        .method_not_allowed_fallback(async || Error::Problem(MethodNotAllowed))
        .layer(DefaultBodyLimit::max(MAX_BODY))
        .with_state(app);
    guarded(routes).layer(log)
}

/// The routes for pages, buyers, the merchant and the service's webhook. Orders are signed only with payment links.
fn api(with_links: bool) -> Routes {
    let orders = routes!(merchant::orders).problems(&[]);
    let orders = if with_links {
        let sign = routes!(merchant::sign_order).problems(&[&[NotFound]]);
        Routes::default().routes(orders).routes(sign)
    } else {
        Routes::default().routes(orders.map(|get| get.fallback(async || Error::Problem(NotFound))))
    };
    let webhook = routes!(webhook::any).map(|_| any(webhook::any));
    orders
        .routes(routes!(widget::tokens).problems(&[CALL]))
        .routes(routes!(widget::form).problems(&[CALL, &[NotFound]]))
        .routes(routes!(order_payment::post).problems(&[CREATE, ORDER, CALL]))
        .routes(routes!(order_payment::get).problems(&[ORDER, &[PaymentUnidentified]]))
        .routes(routes!(payment::cancel).problems(&[CANCEL, CALL]))
        .routes(routes!(merchant::list).problems(&[CALL, &[CursorUnknown]]))
        .routes(routes!(merchant::ledger).problems(&[]))
        .routes(routes!(events::get_all).problems(&[&[StreamsFull]]))
        .routes(routes!(merchant::deliveries).problems(&[]))
        .routes(routes!(merchant::resend).problems(&[]))
        .routes(routes!(payment::status).problems(&[&[PaymentUnknown]]))
        .routes(routes!(events::get).problems(&[&[PaymentUnknown, StreamsFull]]))
        .routes(routes!(payment::mark).problems(&[MARK, &[CancelBegun]]))
        .routes(routes!(payment::unmark).problems(&[MARK]))
        .routes(routes!(payment::remove_marks).problems(&[]))
        .routes(routes!(payment::release).problems(&[&[PaymentUnknown]]))
        .routes(webhook.problems(&[&[NotFound, DatabaseUnavailable]]))
}

fn pay() -> Routes {
    let pages = routes!(pay::get, pay::post).page_problems(&[
        CREATE,
        ORDER,
        CANCEL,
        MARK,
        CALL,
        &[DatabaseUnavailable, NotFound],
    ]);
    Routes::default().routes(pages)
}

fn health() -> Routes {
    Routes::default()
        .routes(routes!(operator::healthz).problems(&[]))
        .routes(routes!(operator::readyz).problems(&[CALL, &[Stopping, DatabaseUnavailable]]))
}

fn document_route() -> Routes {
    Routes::default().routes(routes!(widget::openapi))
}

/// The OpenAPI document of all routes, as JSON.
pub fn openapi_document() -> String {
    let files = Routes::default().routes(routes!(widget::file).problem(NotFound));
    let metrics = Routes::default().routes(routes!(operator::metrics));
    openapi::document([api(true), pay(), health(), document_route(), files, metrics])
}

fn of_payment(path: &str) -> String {
    format!("{}/{{transactionId}}{path}", path::PAYMENT)
}

/// The routes for an address that only the operator can reach.
pub(crate) fn operator_router(app: Arc<App>) -> Router {
    let routes = Router::from(health().routes(routes!(operator::metrics)))
        .fallback(async || Error::Problem(NotFound))
        .method_not_allowed_fallback(async || Error::Problem(MethodNotAllowed))
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
        .allow_methods([Method::GET, Method::POST, Method::PUT, Method::DELETE])
        .allow_headers([
            AUTHORIZATION,
            CONTENT_TYPE,
            HeaderName::from_static(IDEMPOTENCY_KEY),
            events::LAST_EVENT_ID,
            // What else a page's `fetch` adds to each request, such as the headers of tracing. It has no effect here. The star
            // stands for all headers but `Authorization`, and only without cookies, which no request has.
            HeaderName::from_static("*"),
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
