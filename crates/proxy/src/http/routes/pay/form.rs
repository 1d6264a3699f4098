//! The form for an order, and the payment that it creates.

use std::collections::HashMap;

use tender_checkout_core::{Event, FormEvent};

use super::place::View;
use super::response::PageResponse;
use super::session::Session;
use super::visit::{Opened, Visit, outcome};
use crate::error::Error;
use crate::http::routes::create;
use crate::rendering::hosted::{Checkout, Submitted};

/// The fields of a submitted form.
pub(super) type Fields = HashMap<String, String>;

/// Offers to pay with another token, if the view is one that does.
pub(super) async fn choose(visit: &Visit, checkout: &mut Checkout) {
    match visit.place.view {
        View::Choose => checkout.choose_again(visit.listing().await),
        View::Unsent => {
            checkout.choose_again(visit.listing().await);
            checkout.apply(FormEvent::SentAnswered(false));
        }
        View::Payment | View::Cancel | View::Sent | View::Remove => {}
    }
}

/// Creates the payment that the form asks for, and leads to its page. If the order has one meanwhile, that is shown.
pub(super) async fn buy(
    visit: &Visit,
    opened: Opened,
    fields: &Fields,
) -> Result<PageResponse, Error> {
    let Opened {
        order,
        mut checkout,
        ..
    } = opened;
    choose(visit, &mut checkout).await;
    checkout.fill(fields);
    let action = fields.get("action").map(String::as_str);
    let is_new_try = action == Some("retry") && fields.contains_key("payment-token");
    if action.is_some() && !is_new_try {
        return Ok(checkout.into());
    }
    let Some(Submitted { request, replaces }) = checkout.submit() else {
        return Ok(match checkout.transaction_id() {
            Some(_) => visit.redirect(Vec::new()),
            None => checkout.into(),
        });
    };
    visit.audit.action("create");
    let request = create::Request {
        body: request,
        key: None,
        may_replace: replaces.into_iter().collect(),
    };
    let created = create::create(&visit.app, &visit.audit, &visit.headers, Ok(request)).await;
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
            let session = Session::of(&id);
            let number = &order.claims.invoice_number;
            Ok(visit.redirect(session.cookies(&visit.headers, number)))
        }
        _ => Ok(PageResponse::Page(Box::new(checkout), error)),
    }
}
