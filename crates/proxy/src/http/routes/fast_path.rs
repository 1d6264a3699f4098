//! Serves the token listing without the router, and everything else through it.
//!
//! Nearly every page view requests the token listing, which is usually cached. The router and its
//! layers took longer than the response itself, so this route is called directly, with the same
//! checks and headers in the same order.

use std::convert::Infallible;
use std::sync::Arc;
use std::task::{Context, Poll};

use axum::Router;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::response::{IntoResponse, Response};
use futures_util::FutureExt as _;
use futures_util::future::BoxFuture;
use tender_protocol::path;
use tower::{Layer, Service};
use tower_http::cors::{Cors, CorsLayer};

use super::tokens;
use crate::http::app::App;
use crate::http::{headers, request_head, request_log};

#[derive(Clone)]
pub(crate) struct FastPath {
    app: Arc<App>,
    tokens: Cors<Tokens>,
    routes: Router,
}

/// The service for the token listing.
#[derive(Clone)]
struct Tokens(Arc<App>);

impl FastPath {
    pub(super) fn new(app: &Arc<App>, cors: &CorsLayer, routes: Router) -> Self {
        Self {
            app: Arc::clone(app),
            tokens: cors.layer(Tokens(Arc::clone(app))),
            routes,
        }
    }
}

impl Service<Request> for FastPath {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        if request.method() != Method::GET || request.uri().path() != path::TOKENS {
            return self.routes.call(request).boxed();
        }
        let mut tokens = self.tokens.clone();
        let app = Arc::clone(&self.app);
        async move {
            let answer = async |request| {
                let Ok(response) = tokens.call(request).await;
                response
            };
            let checked = |request| request_head::guard(request, answer).map(headers::add_headers);
            Ok(request_log::logged(&app.metrics, path::TOKENS, request, checked).await)
        }
        .boxed()
    }
}

impl Service<Request> for Tokens {
    type Response = Response;
    type Error = Infallible;
    type Future = BoxFuture<'static, Result<Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> Self::Future {
        let answer = tokens::get(State(Arc::clone(&self.0)), request);
        answer.map(|answer| Ok(answer.into_response())).boxed()
    }
}
