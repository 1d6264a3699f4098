//! `GET /pay?order=...`: a payment page that works without JavaScript.
//!
//! ```text
//! GET  /pay?order=...                the order's payment, which refreshes itself while it waits; the form if there is none
//! GET  /pay?order=...&view=cancel    asks whether to cancel it
//! GET  /pay?order=...&view=choose    the form, to pay with another token; first asks whether money was sent, if another
//!                                    browser has created the payment
//! GET  /pay?order=...&view=unsent    the form, after the answer no
//! GET  /pay?order=...&view=sent      the field for the transaction hash
//! GET  /pay?order=...&view=remove    asks whether to remove the hash, or the mark of a browser without one
//! GET  /pay?order=...&view=again     the payment, although it is marked: the buyer has said that nothing was sent
//! POST /pay?order=...&view=...       what the page's form asks for; mostly 303 to the order's address
//! ```
//!
//! The links of a page that shows a payment also name it, `&payment=...`, so that a view and its form are about the payment
//! that the buyer has seen. If the order has another one meanwhile, the answer is a redirect to that one.
//!
//! Payments are created as those of the API are. An order has one open payment: this page, the widget and a repeated form
//! all get the same one.
//!
//! | module | contents |
//! |---|---|
//! | `place` | the address of a page, and its language |
//! | `payment` | the form, and creating a payment; its status, cancelling it, the buyer's transaction |
//! | `cookie` | the cookie of an order: what this browser did with its payment |
//! | `response`, `visit` | responses, with what styles and scripts a page may use; what all pages read |

mod cookie;
mod payment;
mod place;
mod response;
mod visit;

use axum::response::Response;
use tender_checkout::FormAction;
use tender_protocol::path;

#[cfg(test)]
pub(crate) use self::cookie::OrderCookie;
use self::payment::Fields;
pub(crate) use self::place::Place;
#[cfg(test)]
pub(crate) use self::place::language;
use self::visit::Visit;
use crate::error::Error;
use crate::http::origins::is_own;
use crate::http::{BUYER, Body, CreatePermit};

const HTML: &str = "text/html";

/// The payment page, which works without JavaScript
#[utoipa::path(
    get,
    path = path::PAY,
    tag = BUYER,
    operation_id = "readPage",
    params(Place),
    responses(
        (status = 200, description = "The order's payment, or the form that creates it", body = String, content_type = HTML),
        (status = 303, description = "The address names another payment than the order has now; that one's is in `Location`"),
    ),
)]
pub(super) async fn get(visit: Visit) -> Response {
    let shown = shown(&visit).await;
    shown.unwrap_or_else(|error| visit.failure(error))
}

/// What the form of the payment page asks for
#[utoipa::path(
    post,
    path = path::PAY,
    tag = BUYER,
    operation_id = "submitPage",
    params(Place),
    request_body(content = HashMap<String, String>, content_type = "application/x-www-form-urlencoded"),
    responses(
        (status = 200, description = "A page that says what is missing", body = String, content_type = HTML),
        (status = 303, description = "It is done; the address of the page is in `Location`"),
    ),
)]
pub(super) async fn post(_: CreatePermit, visit: Visit, body: Result<Body, Error>) -> Response {
    let submitted = submitted(&visit, body).await;
    submitted.unwrap_or_else(|error| visit.failure(error))
}

async fn shown(visit: &Visit) -> Result<Response, Error> {
    let opened = visit.open().await?;
    if visit.place.names_another(&opened.checkout) {
        return Ok(visit.redirect(Vec::new()));
    }
    payment::show(visit, opened).await
}

async fn submitted(visit: &Visit, body: Result<Body, Error>) -> Result<Response, Error> {
    // A form of another site. It could only do what its sender can, who has the order.
    if !is_own(&visit.headers) {
        return Err(Error::invalid("the form was sent by another site"));
    }
    let Body(body) = body?;
    let fields: Fields = serde_urlencoded::from_bytes(&body)
        .map_err(|_| Error::invalid("the form is not readable"))?;
    let opened = visit.open().await?;
    if visit.place.names_another(&opened.checkout) {
        return Ok(visit.redirect(Vec::new()));
    }
    let Some(action) = fields.get("action") else {
        return payment::buy(visit, opened, &fields).await;
    };
    match FormAction::read(action) {
        Some(FormAction::Retry) => payment::buy(visit, opened, &fields).await,
        Some(FormAction::Cancel) => payment::cancel(visit, opened).await,
        Some(FormAction::EnterHash) => {
            let hash = fields.get("hash").cloned().unwrap_or_default();
            payment::enter_hash(visit, opened, hash).await
        }
        Some(FormAction::SaySent) => payment::say_sent(visit, opened).await,
        Some(FormAction::Remove) => payment::remove(visit, opened).await,
        Some(FormAction::Back) | None => Ok(visit.redirect(Vec::new())),
    }
}
