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
//! Payments are created as those of the API are. An order has one open payment, whether this page, the widget
//! or a repeated form requests it.

mod language;
mod place;
mod same_origin;
mod session;

use std::collections::HashMap;
use std::sync::Arc;

use axum::extract::{Request, State as AppState};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, LOCATION, REFRESH, SET_COOKIE,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use tender_checkout_core::{Cancelling, Event, FetchResult, State};
use tender_protocol::test_mode::mark;

use self::place::{Place, Target, View};
use self::session::{MAX_ORDER, Session, name_of};
use super::{cancel, create};
use crate::checkout;
use crate::checkout::attempts::Requester;
use crate::checkout::order::{self, OrderError};
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::body::Body;
use crate::http::conditional;
use crate::http::credentials::Caller;
use crate::http::payment_id::PaymentId;
use crate::http::problems::Error;
use crate::rendering::hosted::{Checkout, EarlierPayment, STYLE, refused, success};
use crate::store::attempts::Stage;

/// Loads the style sheet, and nothing of others; submits forms to the proxy only; can't be embedded.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

/// Seconds until the page of an open payment is loaded again.
const REFRESH_AFTER: HeaderValue = HeaderValue::from_static("15");

const HTML: HeaderValue = HeaderValue::from_static("text/html; charset=utf-8");

/// The form of a page.
type Fields = HashMap<String, String>;

/// What a request is answered with.
enum Answer {
    Page(Box<Page>),
    /// The address, and cookies to set.
    Redirect(String, Vec<HeaderValue>),
}

struct Page {
    checkout: Checkout,
    /// The transaction hash that the buyer has entered, if the page is for entering it.
    hash: Option<String>,
    /// Why the page is not what was asked for.
    error: Option<Error>,
    refreshes: bool,
}

impl From<Checkout> for Answer {
    fn from(checkout: Checkout) -> Self {
        Self::Page(Box::new(Page {
            checkout,
            hash: None,
            error: None,
            refreshes: false,
        }))
    }
}

/// The path of the style sheet.
pub(super) fn style_path() -> &'static str {
    &STYLE.path
}

/// The style sheet, whose path has a hash of its content.
pub(super) async fn style(headers: HeaderMap) -> Response {
    let mut response = conditional::response(&STYLE.content, &headers);
    let headers = response.headers_mut();
    let immutable = HeaderValue::from_static("public, max-age=31536000, immutable");
    headers.insert(CACHE_CONTROL, immutable);
    headers.insert(
        CONTENT_TYPE,
        HeaderValue::from_static("text/css; charset=utf-8"),
    );
    response
}

pub(super) async fn get(
    AppState(app): AppState<Arc<App>>,
    audit: Audit,
    request: Request,
) -> Response {
    let headers = request.headers().clone();
    let place = match (
        app.limits.may_render(&request),
        Place::read(request.uri(), &headers),
    ) {
        (Ok(()), Ok(place)) => place,
        (Err(error), _) | (_, Err(error)) => return failure(error, None, &headers),
    };
    let answer = match &place.target {
        Target::Order(order) => form(&app, &place, order).await.map(Answer::from),
        Target::Payment(name) => show(&app, &place, name, &headers, &audit).await,
    };
    respond(answer, &place, &headers)
}

pub(super) async fn post(
    AppState(app): AppState<Arc<App>>,
    audit: Audit,
    uri: Uri,
    headers: HeaderMap,
    body: Result<Body, Error>,
) -> Response {
    let place = match Place::read(&uri, &headers) {
        Ok(place) => place,
        Err(error) => return failure(error, None, &headers),
    };
    let answer = submitted(&app, &place, &headers, &audit, body).await;
    respond(answer, &place, &headers)
}

async fn submitted(
    app: &App,
    place: &Place,
    headers: &HeaderMap,
    audit: &Audit,
    body: Result<Body, Error>,
) -> Result<Answer, Error> {
    same_origin::check(headers)?;
    let Body(body) = body?;
    let fields: Fields = serde_urlencoded::from_bytes(&body)
        .map_err(|_| Error::InvalidRequest("the form is not readable".to_owned()))?;
    let action = fields.get("action").map(String::as_str);
    match (&place.target, place.view, action) {
        (Target::Order(order), _, _) => buy(app, place, headers, audit, order, &fields).await,
        (Target::Payment(name), View::Choose, _) => {
            let Session { order, .. } = session(headers, name)?;
            buy(app, place, headers, audit, &order, &fields).await
        }
        (Target::Payment(name), _, Some("cancel")) => {
            cancel_payment(app, place, name, headers, audit).await
        }
        (Target::Payment(name), _, Some("sent")) => {
            let hash = fields.get("hash").cloned().unwrap_or_default();
            enter_hash(app, place, name, headers, audit, hash).await
        }
        (Target::Payment(_), ..) => Ok(Answer::Redirect(place.address(), Vec::new())),
    }
}

/// The form for an order.
async fn form(app: &App, place: &Place, order: &str) -> Result<Checkout, Error> {
    if order.len() > MAX_ORDER {
        return Err(checkout::Error::from(OrderError::TooLong).into());
    }
    order::verify(order, &app.access.load().order_keys).map_err(checkout::Error::from)?;
    of_order(app, place, order).await
}

async fn of_order(app: &App, place: &Place, order: &str) -> Result<Checkout, Error> {
    let listing = listing(app).await;
    let checkout = Checkout::new(order, &place.attributes, &place.locale, listing);
    checkout.map_err(|error| Error::InvalidRequest(error.to_string()))
}

/// The token listing, as the widget gets it.
async fn listing(app: &App) -> FetchResult {
    let text = match app.tokens.listing().await {
        Ok(served) => String::from_utf8(served.listing.plain().to_vec()).map_err(Error::internal),
        Err(error) => Err(Error::from(error)),
    };
    Ok(match text {
        Ok(text) => success(text),
        Err(error) => refused(&error.problem()),
    })
}

/// Creates the payment that the form asks for.
async fn buy(
    app: &App,
    place: &Place,
    headers: &HeaderMap,
    audit: &Audit,
    order: &str,
    fields: &Fields,
) -> Result<Answer, Error> {
    let mut checkout = form(app, place, order).await?;
    checkout.fill(fields);
    let action = fields.get("action").map(String::as_str);
    let is_new_try = action == Some("retry") && fields.contains_key("payment-token");
    if action.is_some() && !is_new_try {
        return Ok(checkout.into());
    }
    let Some(request) = checkout.submit() else {
        return Ok(checkout.into());
    };
    audit.action("create");
    let created = create::create(app, audit, Ok((request, None))).await;
    let (result, error) = match created {
        Ok(json) => (
            Ok(success(String::from_utf8_lossy(&json).into_owned())),
            None,
        ),
        Err(error) => (Ok(refused(&error.problem())), Some(error)),
    };
    checkout.created(result);
    let payment = checkout.state.payment();
    let Some((id, receipt)) =
        payment.and_then(|it| Some((it.payment.transaction_id.clone(), it.receipt.clone()?)))
    else {
        return Ok(Answer::Page(Box::new(Page {
            checkout,
            hash: None,
            error,
            refreshes: false,
        })));
    };
    let name = name_of(&id);
    let session = Session {
        receipt,
        hash: String::new(),
        order: order.to_owned(),
    };
    Ok(Answer::Redirect(
        place.payment(&name),
        session.cookies(headers, &name),
    ))
}

/// The session of a payment. Without the cookie, the buyer needs the order's address again.
fn session(headers: &HeaderMap, name: &str) -> Result<Session, Error> {
    Session::read(headers, name).ok_or_else(|| checkout::Error::from(OrderError::Expired).into())
}

/// A payment, as the browser's cookie allows.
async fn payment(
    app: &App,
    place: &Place,
    session: &Session,
    audit: &Audit,
) -> Result<Checkout, Error> {
    let caller = app.access.load().buyer(&session.receipt)?;
    audit.caller(&caller);
    let Caller::Buyer { transaction_id } = caller else {
        return Err(Error::CredentialsMissing);
    };
    audit.payment(&transaction_id);
    let mut checkout = of_order(app, place, &session.order).await?;
    let attempt = app.payments.store().of_payment(&transaction_id).await?;
    let attempt = attempt.ok_or(checkout::Error::AttemptEnded)?;
    let latest = app.tracking.latest(&transaction_id).await?;
    let created = match &attempt.stage {
        Stage::Created(created) | Stage::Cancelling(created) => {
            serde_json::to_string(&created.record).map_err(Error::internal)?
        }
        _ => latest.clone(),
    };
    let payment = EarlierPayment {
        request: attempt.request,
        created: with_receipt(app, &created, &session.receipt)?,
        latest,
    };
    checkout.show(payment, listing(app).await);
    if !session.hash.is_empty() {
        checkout.apply(Event::HashEntered(session.hash.clone()));
    }
    Ok(checkout)
}

/// The record as the create request returns it.
fn with_receipt(app: &App, json: &str, receipt: &str) -> Result<String, Error> {
    let mut record: tender_protocol::Record =
        serde_json::from_str(json).map_err(Error::internal)?;
    mark(&mut record, app.test_mode);
    record.set("receipt", receipt).map_err(Error::internal)?;
    serde_json::to_string(&record).map_err(Error::internal)
}

async fn show(
    app: &App,
    place: &Place,
    name: &str,
    headers: &HeaderMap,
    audit: &Audit,
) -> Result<Answer, Error> {
    let session = session(headers, name)?;
    let mut checkout = payment(app, place, &session, audit).await?;
    match place.view {
        View::Cancel => checkout.apply(Event::CancelRequested),
        View::Choose => checkout.choose_again(listing(app).await),
        View::Payment | View::Sent => {}
    }
    Ok(Answer::Page(Box::new(Page {
        refreshes: place.view == View::Payment && checkout.is_waiting(),
        hash: (place.view == View::Sent).then_some(session.hash),
        checkout,
        error: None,
    })))
}

async fn cancel_payment(
    app: &App,
    place: &Place,
    name: &str,
    headers: &HeaderMap,
    audit: &Audit,
) -> Result<Answer, Error> {
    let session = session(headers, name)?;
    let mut checkout = payment(app, place, &session, audit).await?;
    checkout.apply(Event::CancelRequested);
    checkout.apply(Event::CancelConfirmed);
    let id = match &checkout.state {
        State::Awaiting(it) if it.cancelling == Cancelling::Requested => {
            it.payment.transaction_id.clone()
        }
        // It has ended already, or money may be on its way.
        _ => return Ok(checkout.into()),
    };
    audit.action("cancel");
    let (result, error) =
        match cancel::cancel(app, PaymentId::try_from(id.clone())?, Requester::Buyer).await {
            Ok(json) => (Ok(success(json)), None),
            Err(error) => (Ok(refused(&error.problem())), Some(error)),
        };
    checkout.apply(Event::CancelFinished(id, result));
    Ok(Answer::Page(Box::new(Page {
        checkout,
        hash: None,
        error,
        refreshes: false,
    })))
}

/// Keeps the hash of the buyer's transaction in the cookie.
async fn enter_hash(
    app: &App,
    place: &Place,
    name: &str,
    headers: &HeaderMap,
    audit: &Audit,
    hash: String,
) -> Result<Answer, Error> {
    let mut session = session(headers, name)?;
    let checkout = payment(app, place, &session, audit).await?;
    let read = checkout.state.payment().and_then(|it| it.read_hash(&hash));
    let Some(read) = read else {
        return Ok(Answer::Page(Box::new(Page {
            checkout,
            hash: Some(hash),
            error: None,
            refreshes: false,
        })));
    };
    read.as_str().clone_into(&mut session.hash);
    Ok(Answer::Redirect(
        place.address(),
        session.cookies(headers, name),
    ))
}

fn respond(answer: Result<Answer, Error>, place: &Place, headers: &HeaderMap) -> Response {
    let (address, cookies) = match answer {
        Ok(Answer::Redirect(address, cookies)) => (address, cookies),
        Ok(Answer::Page(page)) => return html(*page, place.address()),
        Err(error) => return failure(error, Some(&place.locale), headers),
    };
    let mut response = StatusCode::SEE_OTHER.into_response();
    let headers = response.headers_mut();
    match HeaderValue::try_from(address) {
        Ok(address) => headers.insert(LOCATION, address),
        Err(error) => return Error::internal(error).into_response(),
    };
    for cookie in cookies {
        headers.append(SET_COOKIE, cookie);
    }
    response
}

/// A page that says why there is no other.
fn failure(error: Error, locale: Option<&str>, headers: &HeaderMap) -> Response {
    let locale = language::choose(locale, headers);
    let Ok(checkout) = Checkout::failed(&locale, &error.problem()) else {
        return error.into_response();
    };
    let page = Page {
        checkout,
        hash: None,
        error: Some(error),
        refreshes: false,
    };
    html(page, String::new())
}

fn html(page: Page, address: String) -> Response {
    let body = page.checkout.html(address, page.hash);
    let mut response = match page.error {
        Some(error) => error.response(body),
        None => body.into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HTML);
    headers.insert(CONTENT_SECURITY_POLICY, POLICY);
    if page.refreshes {
        headers.insert(REFRESH, REFRESH_AFTER);
    }
    response
}
