//! `GET /pay?order=...`: a payment page that works without JavaScript.
//!
//! ```text
//! GET  /pay?order=...                   the form
//! POST /pay?order=...                   creates the payment; 303 to
//! GET  /pay?payment=...                 the payment; refreshes itself while it waits
//! GET  /pay?payment=...&view=cancel     asks whether to cancel it
//! GET  /pay?payment=...&view=choose     the form, to pay with another token
//! GET  /pay?payment=...&view=sent       the field for the transaction hash
//! POST /pay?payment=...&view=...        what the page's form asks for
//! ```
//!
//! Payments are created as those of the API are. An order has one open payment: this page, the widget and a repeated form
//! all get the same one.
//!
//! | module | contents |
//! |---|---|
//! | `place`, `language` | the address of a page, and its language |
//! | `form` | the form, and creating a payment |
//! | `payment` | a payment: its status, cancelling it, the buyer's transaction |
//! | `session` | the cookie of a payment |
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

use self::answer::{Answer, respond};
use self::form::Fields;
#[cfg(test)]
pub(crate) use self::language::choose as language;
#[cfg(test)]
pub(crate) use self::place::Place;
pub(crate) use self::place::Target;
use self::place::View;
pub(crate) use self::session::Session;
use self::visit::Visit;
use crate::error::Error;
use crate::http::body::Body;
use crate::http::same_origin;

pub(super) async fn get(visit: Visit) -> Response {
    let answer = match &visit.place.target {
        Target::Order(order) => form::show(&visit, order).await,
        Target::Payment(name) => payment::show(&visit, name).await,
    };
    respond(answer, &visit)
}

pub(super) async fn post(visit: Visit, body: Result<Body, Error>) -> Response {
    respond(submitted(&visit, body).await, &visit)
}

async fn submitted(visit: &Visit, body: Result<Body, Error>) -> Result<Answer, Error> {
    // A form of another site. Without the cookie, which is `SameSite=Strict`, it could only create the payment of an order that
    // its sender has.
    if !same_origin::is_own(&visit.headers) {
        return Err(Error::invalid("the form was sent by another site"));
    }
    let Body(body) = body?;
    let fields: Fields = serde_urlencoded::from_bytes(&body)
        .map_err(|_| Error::invalid("the form is not readable"))?;
    let action = fields.get("action").map(String::as_str);
    match (&visit.place.target, visit.place.view, action) {
        (Target::Order(order), _, _) => form::buy(visit, order, &fields).await,
        (Target::Payment(name), View::Choose, _) => {
            let Session { order, .. } = payment::session(visit, name)?;
            form::buy(visit, &order, &fields).await
        }
        (Target::Payment(name), _, Some("cancel")) => payment::cancel(visit, name).await,
        (Target::Payment(name), _, Some("sent")) => {
            let hash = fields.get("hash").cloned().unwrap_or_default();
            payment::enter_hash(visit, name, hash).await
        }
        (Target::Payment(_), ..) => Ok(Answer::Redirect(visit.place.address(), Vec::new())),
    }
}
