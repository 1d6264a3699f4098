//! The shop's back office: a login, and the merchant's payments behind it.
//!
//! The page sends its requests to the shop instead of the proxy. The shop adds the merchant key, so the key
//! never reaches the page.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::{Body, Bytes};
use axum::extract::{Form, Path, RawQuery, State};
use axum::http::header::{
    ACCEPT, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, COOKIE, HeaderName, SET_COOKIE,
};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use uuid::Uuid;

use crate::Shop;
use crate::config::Config;
use crate::page::PageError;
use crate::response::{POLICY, protected};
use crate::secrets::MerchantKey;

/// The forwarded routes, below `/api/v1/`.
const FORWARDED: [&str; 7] = [
    "orders",
    "payment/list",
    "payment/cancel",
    "payment/ledger",
    "payment/events",
    "payment/deliveries",
    "payment/deliveries/resend",
];

const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// The open sessions, and the HTTP client for the proxy.
#[derive(Default)]
pub(crate) struct Office {
    sessions: Mutex<HashSet<Uuid>>,
    client: reqwest::Client,
}

#[derive(Deserialize)]
pub(crate) struct Login {
    password: String,
}

impl Office {
    fn is_logged_in(&self, headers: &HeaderMap) -> bool {
        let sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        let cookies = headers.get_all(COOKIE).into_iter();
        let mut cookies = cookies
            .filter_map(|cookies| cookies.to_str().ok())
            .flat_map(|cookies| cookies.split(';'));
        cookies.any(|cookie| {
            let session = cookie.trim().strip_prefix("office=");
            session
                .and_then(|session| session.parse().ok())
                .is_some_and(|session| sessions.contains(&session))
        })
    }
}

/// The back office, or the login page.
pub(crate) async fn page(
    State(shop): State<Arc<Shop>>,
    headers: HeaderMap,
) -> Result<Response, PageError> {
    if shop.config.merchant_key.is_none() {
        return Ok(StatusCode::NOT_FOUND.into_response());
    }
    let page = if shop.office.is_logged_in(&headers) {
        shop.pages.office(&shop.config)?
    } else {
        shop.pages.login()?
    };
    Ok(protected(page, policy(&shop.config)).into_response())
}

/// The policy of the page: the loader and its files come from the proxy, the payment list from this server.
fn policy(config: &Config) -> String {
    let proxy = &config.proxy;
    let policy = POLICY.replace("form-action 'none'", "form-action 'self'");
    format!(
        "{policy}; script-src {proxy} 'wasm-unsafe-eval'; connect-src 'self' {proxy}; img-src 'self'"
    )
}

pub(crate) async fn login(State(shop): State<Arc<Shop>>, Form(login): Form<Login>) -> Response {
    if shop.config.merchant_key.is_none() || login.password != shop.config.office_password {
        return Redirect::to("/office").into_response();
    }
    let session = Uuid::new_v4();
    let mut sessions = (shop.office.sessions.lock()).unwrap_or_else(PoisonError::into_inner);
    sessions.insert(session);
    let cookie = format!("office={session}; Path=/office; HttpOnly; SameSite=Strict");
    ([(SET_COOKIE, cookie)], Redirect::to("/office")).into_response()
}

/// Forwards a request to the proxy, with the merchant key. Other sites can't send such a request: the cookie is
/// `SameSite=Strict`, and an HTML form can't send JSON.
pub(crate) async fn forward(
    State(shop): State<Arc<Shop>>,
    Path(route): Path<String>,
    RawQuery(query): RawQuery,
    method: Method,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let Some(MerchantKey(key)) = &shop.config.merchant_key else {
        return StatusCode::NOT_FOUND.into_response();
    };
    if !shop.office.is_logged_in(&headers) {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    if !FORWARDED.contains(&&*route) {
        return StatusCode::NOT_FOUND.into_response();
    }
    if method == Method::POST && !is_json(&headers) {
        return StatusCode::UNSUPPORTED_MEDIA_TYPE.into_response();
    }
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    let address = format!("{}/api/v1/{route}{query}", shop.config.proxy);
    let mut request = shop.office.client.request(method, address);
    for name in [ACCEPT, CONTENT_TYPE, LAST_EVENT_ID] {
        if let Some(value) = headers.get(&name) {
            request = request.header(name, value);
        }
    }
    let request = request.header(AUTHORIZATION, key.clone()).body(body);
    match request.send().await {
        Ok(answer) => forwarded(answer),
        Err(error) => {
            tracing::error!("the proxy can't be reached: {error}");
            StatusCode::BAD_GATEWAY.into_response()
        }
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers
        .get(CONTENT_TYPE)
        .and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("application/json"))
}

/// Passes on the proxy's response as it arrives, which keeps event streams working.
fn forwarded(answer: reqwest::Response) -> Response {
    let (head, body) = axum::http::Response::from(answer).into_parts();
    let mut headers = HeaderMap::from_iter([(CACHE_CONTROL, HeaderValue::from_static("no-store"))]);
    headers.extend((head.headers.get(CONTENT_TYPE).cloned()).map(|kind| (CONTENT_TYPE, kind)));
    (head.status, headers, Body::new(body)).into_response()
}
