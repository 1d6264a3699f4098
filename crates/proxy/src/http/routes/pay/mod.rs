//! `GET /pay?order=...`: a payment page that works without JavaScript.
//!
//! ```text
//! GET  /pay?order=...                the order's payment, which refreshes itself while it waits; the form if there is none
//! GET  /pay?order=...&view=cancel    asks whether to cancel it
//! GET  /pay?order=...&view=choose    the form, to pay with another token; first asks whether money was sent, if another
//!                                    browser has created the payment
//! GET  /pay?order=...&view=unsent    the form, after the answer no
//! GET  /pay?order=...&view=sent      the field for the transaction hash
//! GET  /pay?order=...&view=remove    asks whether to remove the hash
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
//! | `place`, `language` | the address of a page, and its language |
//! | `form` | the form, and creating a payment |
//! | `payment` | a payment: its status, cancelling it, the buyer's transaction |
//! | `session` | the cookie of an order |
//! | `answer`, `visit`, `policy` | responses; what all pages read; which styles and scripts a page may use |

mod answer;
mod form;
mod language;
mod payment;
mod place;
mod policy;
mod session;
mod visit;

use axum::response::Response;
use tender_checkout::render::FormAction;

use self::answer::{Answer, respond};
use self::form::Fields;
#[cfg(test)]
pub(crate) use self::language::choose as language;
#[cfg(test)]
pub(crate) use self::place::Place;
#[cfg(test)]
pub(crate) use self::session::Session;
use self::visit::Visit;
use crate::error::Error;
use crate::http::body::Body;
use crate::http::same_origin;

pub(super) async fn get(visit: Visit) -> Response {
    respond(shown(&visit).await, &visit)
}

pub(super) async fn post(visit: Visit, body: Result<Body, Error>) -> Response {
    respond(submitted(&visit, body).await, &visit)
}

async fn shown(visit: &Visit) -> Result<Answer, Error> {
    let opened = visit.open().await?;
    if visit
        .place
        .names_another(opened.checkout.transaction_id().as_deref())
    {
        return Ok(visit.redirect(Vec::new()));
    }
    payment::show(visit, opened).await
}

async fn submitted(visit: &Visit, body: Result<Body, Error>) -> Result<Answer, Error> {
    // A form of another site. It could only do what its sender can, who has the order.
    if !same_origin::is_own(&visit.headers) {
        return Err(Error::invalid("the form was sent by another site"));
    }
    let Body(body) = body?;
    let fields: Fields = serde_urlencoded::from_bytes(&body)
        .map_err(|_| Error::invalid("the form is not readable"))?;
    let opened = visit.open().await?;
    if visit
        .place
        .names_another(opened.checkout.transaction_id().as_deref())
    {
        return Ok(visit.redirect(Vec::new()));
    }
    let Some(action) = fields.get("action") else {
        return form::buy(visit, opened, &fields).await;
    };
    match FormAction::read(action) {
        Some(FormAction::Retry) => form::buy(visit, opened, &fields).await,
        Some(FormAction::Cancel) => payment::cancel(visit, opened).await,
        Some(FormAction::EnterHash) => {
            let hash = fields.get("hash").cloned().unwrap_or_default();
            payment::enter_hash(visit, opened, hash).await
        }
        Some(FormAction::SaySent) => payment::say_sent(visit, opened).await,
        Some(FormAction::RemoveHash) => payment::remove_hash(visit, opened).await,
        Some(FormAction::Back) | None => Ok(visit.redirect(Vec::new())),
    }
}
