//! The audit log: one line for each create, cancel, mark, release, resend, payment link, and read with a merchant key.
//!
//! A line says what was done with which payment, by which key and from which address. It contains
//! no secret and nothing of the buyer: keys are named, by their `kid` or number.

use std::convert::Infallible;
use std::sync::Arc;

use crate::http::{Caller, ClientIp};
use axum::extract::{FromRequestParts, MatchedPath, Request};
use axum::http::Method;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::Response;
use parking_lot::Mutex;
use tender_protocol::{ProblemCode, path};

/// What a request did. Extractors and routes fill it in.
#[derive(Clone, Default)]
pub(crate) struct Audit(Arc<Mutex<Details>>);

#[derive(Default)]
struct Details {
    action: Option<&'static str>,
    key: Option<String>,
    is_merchant: bool,
    transaction_id: Option<String>,
    order: Option<String>,
}

impl Audit {
    /// What a form asks for.
    pub(crate) fn action(&self, action: &'static str) {
        self.0.lock().action = Some(action);
    }

    /// The caller has identified itself.
    pub(crate) fn caller(&self, caller: &Caller) {
        let mut details = self.0.lock();
        details.is_merchant = matches!(caller, Caller::Merchant { .. });
        details.key = Some(caller.key_name());
    }

    /// The name of the key that signed the order.
    pub(crate) fn order_key(&self, name: Option<&str>) {
        self.0.lock().key = name.map(str::to_owned);
    }

    /// The price and the validity of the order that was signed.
    pub(crate) fn signed(&self, order: String) {
        self.0.lock().order = Some(order);
    }

    /// The payment that the request is about.
    pub(crate) fn payment(&self, transaction_id: &str) {
        self.0.lock().transaction_id = Some(transaction_id.to_owned());
    }
}

impl<S: Sync> FromRequestParts<S> for Audit {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(parts.extensions.get_or_insert_default::<Self>().clone())
    }
}

/// Writes the line after the response. The request's span adds its id.
pub(crate) async fn log(client: ClientIp, audit: Audit, request: Request, next: Next) -> Response {
    let route = request.extensions().get::<MatchedPath>().cloned();
    let method = request.method().clone();
    let response = next.run(request).await;
    let details = audit.0.lock();
    let action = match route.as_ref().map(MatchedPath::as_str) {
        Some(path::PAYMENT) if method == Method::POST => "create",
        Some(path::CANCEL) => "cancel",
        Some(path::RESEND) => "resend",
        Some(path::ORDERS) if method == Method::POST => "sign",
        _ => match details.action {
            Some(action) => action,
            None if route.is_some() && details.is_merchant => "read",
            None => return response,
        },
    };
    let outcome = response.extensions().get::<ProblemCode>();
    tracing::info!(
        target: "tender_proxy::audit",
        action,
        route = route.as_ref().map(MatchedPath::as_str),
        outcome = outcome.map_or("ok", |code| code.as_str()),
        transaction_id = details.transaction_id,
        order = details.order,
        key = details.key,
        %client,
        "audit"
    );
    drop(details);
    response
}
