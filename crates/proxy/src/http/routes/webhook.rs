//! `POST /webhook/{secret}`: receives the service's notifications of new payments (its document,
//! "Events").
//!
//! Neither a signature nor the payload is documented, so anyone who knows the URL can send
//! anything. A notification only triggers a poll of the service's list.

use std::sync::Arc;

use axum::extract::{FromRequest, FromRequestParts, Path, Request, State};
use axum::http::header::ALLOW;
use axum::http::request::Parts;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use tender_protocol::ProblemCode;

use crate::error::Error;
use crate::http::{App, Body, SERVICE};

/// The path ends with a webhook secret. Runs before the body is read.
pub(super) struct Notifier;

impl FromRequestParts<Arc<App>> for Notifier {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Error> {
        let secret = Path::<String>::from_request_parts(parts, app).await;
        // Percent-encoded bytes that are not UTF-8 are no secret.
        let secret = secret.ok().map(|Path(secret)| secret);
        let known = app.access.load().notifier(secret.as_deref());
        if let Err(Error::CredentialsInvalid(_)) = known {
            app.metrics.webhook("refused");
        }
        known.map(|()| Self)
    }
}

/// Receives a notification of the service
///
/// The body is not trusted: it only makes the proxy read the service's list.
// Serves all methods, so that none of them reveals without a secret that there is a webhook.
#[utoipa::path(
    post,
    path = "/webhook/{secret}",
    tag = SERVICE,
    operation_id = "notify",
    params(("secret" = String, Path, description = "One of the secrets in `webhook_secret`")),
    request_body(content = String, content_type = "*/*", description = "Anything, up to 16 KiB"),
    responses((status = 200, description = "The list is read soon")),
)]
pub(super) async fn any(
    State(app): State<Arc<App>>,
    _: Notifier,
    request: Request,
) -> Result<StatusCode, Response> {
    if request.method() != Method::POST {
        let error = Error::Problem(ProblemCode::MethodNotAllowed);
        return Err(([(ALLOW, "POST")], error).into_response());
    }
    let notified = async {
        let Body(body) = Body::from_request(request, &app).await?;
        app.tracking.notified(&body).await?;
        Ok(StatusCode::OK)
    };
    let notified: Result<_, Error> = notified.await;
    app.metrics.webhook(match &notified {
        Ok(_) => "ok",
        Err(error) => error.code().as_str(),
    });
    notified.map_err(Error::into_response)
}
