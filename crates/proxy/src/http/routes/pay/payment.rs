//! The page of an order: its payment with its status, cancelling it, and the transaction that the buyer has sent; or the form.

use std::collections::HashMap;

use axum::response::Response;
use tender_checkout_core::{Event, FormEvent, PaymentEvent};
use tender_ledger::Requester;
use tender_protocol::ProblemCode;

use super::cookie::OrderCookie;
use super::place::View;
use super::response::redirect;
use super::visit::{Opened, Visit, outcome};
use crate::error::Error;
use crate::http::PaymentId;
use crate::http::routes::order_payment;
use crate::http::routes::payment::cancel_for;
use crate::order::VerifiedOrder;
use crate::rendering::hosted::{Checkout, Submitted};
use crate::store::attempts::MarkDigest;
use crate::store::random;

/// Seconds until the page of a payment that may change is loaded again.
const REFRESH_AFTER: u32 = 15;

/// The fields of a submitted form.
pub(super) type Fields = HashMap<String, String>;

/// The view of the order that the address names.
pub(super) async fn show(visit: &Visit, opened: Opened) -> Result<Response, Error> {
    let (mut checkout, cookie) = (opened.checkout, opened.cookie);
    choose(visit, &mut checkout).await;
    match visit.place.view {
        View::Cancel => {
            checkout.apply(PaymentEvent::CancelRequested);
        }
        View::Choose | View::Unsent => {}
        View::Payment | View::Again => {
            checkout.page.refresh = checkout.is_waiting().then_some(REFRESH_AFTER);
            checkout.go_live();
        }
        View::Sent => checkout.page.hash = Some(cookie.unwrap_or_default().hash),
        View::Remove => checkout.page.asks_to_remove = true,
    }
    Ok(visit.page(checkout, None))
}

/// Cancels the payment, unless it has ended already or money may be on its way. Shows the record as it is after the request.
pub(super) async fn cancel(visit: &Visit, opened: Opened) -> Result<Response, Error> {
    let mut checkout = opened.checkout;
    let Some(id) = checkout.cancel().filter(|_| !opened.order.is_read_only()) else {
        return Ok(visit.page(visit.open().await?.checkout, None));
    };
    visit.audit.action("cancel");
    let payment = PaymentId::try_from(id.clone())?;
    let cancelled = cancel_for(&visit.app, visit.client, payment, Requester::Buyer).await;
    let (result, error) = outcome(cancelled);
    if error.is_some() {
        checkout = visit.open().await?.checkout;
        checkout.cancel();
    }
    checkout.apply(PaymentEvent::CancelFinished(id, result));
    Ok(visit.page(checkout, error))
}

/// Keeps the hash of the buyer's transaction in the cookie, and marks that money may have been sent.
pub(super) async fn enter_hash(
    visit: &Visit,
    opened: Opened,
    hash: String,
) -> Result<Response, Error> {
    let mut checkout = opened.checkout;
    let payment = checkout.page.state.payment();
    let read = payment.and_then(|it| it.read_hash(&hash));
    let (Some(read), Some(id)) = (read, checkout.transaction_id()) else {
        checkout.page.hash = Some(hash);
        return Ok(visit.page(checkout, None));
    };
    let mut cookie = opened.cookie.unwrap_or_else(|| OrderCookie::of(&id));
    read.as_str().clone_into(&mut cookie.hash);
    mark(visit, &opened.order, &id, cookie).await
}

pub(super) async fn say_sent(visit: &Visit, opened: Opened) -> Result<Response, Error> {
    let Some(id) = opened.checkout.open_id() else {
        return Ok(visit.page(opened.checkout, None));
    };
    let cookie = opened.cookie.unwrap_or_else(|| OrderCookie::of(&id));
    mark(visit, &opened.order, &id, cookie).await
}

/// Stores a mark that money may have been sent, unless this browser has one, and the cookie.
async fn mark(
    visit: &Visit,
    order: &VerifiedOrder,
    id: &str,
    mut cookie: OrderCookie,
) -> Result<Response, Error> {
    if order.is_read_only() {
        return Err(ProblemCode::OrderExpired.into());
    }
    if cookie.secret.is_empty() {
        visit.audit.action("mark");
        let secret = random::<32>()?;
        let digest = MarkDigest::of(&secret);
        match visit.app.executor.mark_sent(id, &digest).await {
            Ok(mark) if mark.removable => cookie.secret = secret,
            Ok(_) => {}
            // The page says what the payment is now.
            Err(error @ Error::Problem(ProblemCode::CancelBegun)) => {
                let checkout = visit.open().await?.checkout;
                return Ok(visit.page(checkout, Some(error)));
            }
            Err(error) => return Err(error),
        }
    }
    Ok(visit.redirect(cookie.cookies(&visit.headers, &order.claims.invoice_number)))
}

/// Removes the hash, and the mark of this browser. Without a hash, the payment is shown again, also if others have marked it.
pub(super) async fn remove(visit: &Visit, opened: Opened) -> Result<Response, Error> {
    let Some(id) = opened.checkout.transaction_id() else {
        return Ok(visit.redirect(Vec::new()));
    };
    if opened.order.is_read_only() {
        return Err(ProblemCode::OrderExpired.into());
    }
    let again = format!("{}&view=again", visit.place.address_of(&opened.checkout));
    let Some(cookie) = opened.cookie else {
        return Ok(redirect(&again, Vec::new()));
    };
    if !cookie.secret.is_empty() {
        visit.audit.action("unmark");
        let store = &visit.app.store;
        let digest = MarkDigest::of(&cookie.secret);
        store.unmark_sent(&id, Some(&digest)).await?;
    }
    let number = &opened.order.claims.invoice_number;
    let cookies = OrderCookie::of(&id).cookies(&visit.headers, number);
    if cookie.hash.is_empty() {
        return Ok(redirect(&again, cookies));
    }
    Ok(visit.redirect(cookies))
}

/// Offers to pay with another token, if the view is one that does.
async fn choose(visit: &Visit, checkout: &mut Checkout) {
    match visit.place.view {
        View::Choose => checkout.choose_again(visit.listing().await),
        View::Unsent => {
            checkout.choose_again(visit.listing().await);
            checkout.apply(FormEvent::SentAnswered(false));
        }
        View::Again => {
            checkout.apply(PaymentEvent::NothingSent);
        }
        View::Payment | View::Cancel | View::Sent | View::Remove => {}
    }
}

/// Creates the payment that the form asks for, and leads to its page. If the order has one meanwhile, that is shown.
pub(super) async fn buy(visit: &Visit, opened: Opened, fields: &Fields) -> Result<Response, Error> {
    let (order, mut checkout) = (opened.order, opened.checkout);
    choose(visit, &mut checkout).await;
    checkout.fill(fields);
    let action = fields.get("action").map(String::as_str);
    let is_new_try = action == Some("retry") && fields.contains_key("payment-token");
    if action.is_some() && !is_new_try {
        return Ok(visit.page(checkout, None));
    }
    let Some(Submitted { request, replaces }) = checkout.submit() else {
        return Ok(match checkout.transaction_id() {
            Some(_) => visit.redirect(Vec::new()),
            None => visit.page(checkout, None),
        });
    };
    visit.audit.action("create");
    let request = order_payment::Request {
        client: visit.client,
        body: request,
        key: None,
        may_replace: replaces.into_iter().collect(),
    };
    let created =
        order_payment::create(&visit.app, &visit.audit, &visit.headers, Ok(request)).await;
    let created = created.map(|json| String::from_utf8_lossy(&json).into_owned());
    let (result, error) = outcome(created);
    checkout.created(result);
    if checkout.asks_for_cause() {
        checkout.apply(Event::FindFinished(visit.find(&order).await?));
    }
    match checkout.transaction_id() {
        // It may be another browser's, which got the cookie.
        Some(_) if error.is_none() && !checkout.is_owned() => Ok(visit.redirect(Vec::new())),
        Some(id) if error.is_none() => {
            let cookie = OrderCookie::of(&id);
            let number = &order.claims.invoice_number;
            Ok(visit.redirect(cookie.cookies(&visit.headers, number)))
        }
        _ => Ok(visit.page(checkout, error)),
    }
}
