//! The routes.

use std::iter;
use std::path::Path as FilePath;
use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::handler::HandlerWithoutStateExt as _;
use axum::http::header::{HeaderName, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderValue, StatusCode};
use axum::response::IntoResponse;
use axum::routing::{get, post};
use tower_http::services::ServeDir;
use tower_http::set_header::SetResponseHeaderLayer;

use crate::Shop;
use crate::config::{Config, Origin};
use crate::invoice::Invoice;
use crate::notifications;
use crate::office;
use crate::options::Options;
use crate::order::{Order, TOTAL};
use crate::page::PageError;
use crate::response::{POLICY, protected, text_policy};
use crate::screens;

const NO_DOCS: &str = "This page isn't there. If the demo has just been started for the first time, it is still making the \
                       documentation: try again in a minute.\n";

/// The router of the shop.
pub(crate) fn router(shop: Shop) -> Router {
    let own_files = ServeDir::new(shop.config.dist.join("shop"));
    let always = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::overriding(name, HeaderValue::from_static(value))
    };
    let docs = shop.config.docs.as_deref().map_or_else(Router::new, docs);
    Router::new()
        // Otherwise the answer to HEAD would place an order, too.
        .route("/", get(checkout).head(not_allowed))
        .route("/pay/{invoice}", get(pay))
        .route("/playground", get(playground).head(not_allowed))
        .nest("/playground/{screen}/{invoice}", screens::router())
        .route("/order/{invoice}", get(notifications::order_page))
        .route(
            "/notifications",
            post(notifications::receive).layer(DefaultBodyLimit::max(notifications::MAX_BODY)),
        )
        .route("/office", get(office::page))
        .route("/office/login", post(office::login))
        .route(
            "/office/api/v1/{*route}",
            get(office::forward).post(office::forward),
        )
        .route("/healthz", get(|| async { "ok" }))
        .with_state(Arc::new(shop))
        .nest_service("/shop", own_files)
        .merge(docs)
        .layer(always(X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(always(REFERRER_POLICY, "no-referrer"))
}

async fn not_allowed() -> StatusCode {
    StatusCode::METHOD_NOT_ALLOWED
}

/// The documentation site. Its pages contain scripts of mdBook, so they have no policy.
fn docs(folder: &FilePath) -> Router {
    let missing = (async || (StatusCode::NOT_FOUND, NO_DOCS)).into_service();
    Router::new().nest_service("/docs", ServeDir::new(folder).fallback(missing))
}

async fn checkout(
    State(shop): State<Arc<Shop>>,
    Query(mut options): Query<Options>,
) -> Result<impl IntoResponse, PageError> {
    let invoice = options
        .invoice
        .take()
        .unwrap_or_else(|| shop.invoices.next());
    let order = Order::new(&options, invoice);
    let page = shop.pages.checkout(&shop.config, &options, &order)?;
    shop.orders.place(&order.invoice, order.price);
    Ok(protected(page, checkout_policy(&shop.config, "")))
}

async fn playground(State(shop): State<Arc<Shop>>) -> Result<impl IntoResponse, PageError> {
    // The orders name no buyer, so that `ask` and `purchase-email` have an effect.
    let orders = [Some(TOTAL), None].map(|price| Order {
        invoice: shop.invoices.next(),
        price,
        email: None,
    });
    for order in &orders {
        shop.orders.place(&order.invoice, order.price);
    }
    let [order, open_order] = &orders;
    let page = shop.pages.playground(&shop.config, [order, open_order])?;
    Ok(protected(page, checkout_policy(&shop.config, "'self' ")))
}

async fn pay(
    State(shop): State<Arc<Shop>>,
    Path(invoice): Path<Invoice>,
) -> Result<impl IntoResponse, PageError> {
    Ok(protected(shop.pages.pay(&invoice)?, text_policy()))
}

/// The policy of a page with the widget. It also allows the loader and its modules, WebAssembly, requests
/// to the proxy, token logos, and, if `own` is `'self' `, scripts of the shop and requests to it.
fn checkout_policy(config: &Config, own: &str) -> String {
    let proxy = &config.proxy;
    let logos = config.logos.iter().map(Origin::as_str);
    let images = iter::once("'self'").chain(logos).collect::<Vec<_>>();
    format!(
        "{POLICY}; script-src {own}{proxy} 'wasm-unsafe-eval'; connect-src {own}{proxy}; img-src {}",
        images.join(" ")
    )
}
