//! The form for an order, and the payment that it creates.

use std::collections::HashMap;

use super::answer::Answer;
use super::session::{MAX_ORDER, Session, name_of};
use super::visit::{Visit, outcome};
use crate::checkout::order::{self, OrderError};
use crate::checkout::receipts::Rights;
use crate::error::Error;
use crate::http::routes::create;
use crate::rendering::hosted::Checkout;

/// The fields of a submitted form.
pub(super) type Fields = HashMap<String, String>;

/// The form for an order.
pub(super) async fn show(visit: &Visit, order: &str) -> Result<Answer, Error> {
    let mut checkout = verified(visit, order).await?;
    visit.go_live(&mut checkout, order);
    Ok(checkout.into())
}

/// The checkout for an order, which is verified first.
async fn verified(visit: &Visit, order: &str) -> Result<Checkout, Error> {
    if order.len() > MAX_ORDER {
        return Err(OrderError::TooLong.into());
    }
    order::verify(order, &visit.app.access.load().order_keys)?;
    visit.checkout(order).await
}

/// The payments of an order for which the browser has receipts. The buyer has chosen another token.
fn payments_of(visit: &Visit, order: &str) -> Vec<String> {
    let access = visit.app.access.load();
    let sessions = Session::all(&visit.headers).filter(|session| session.order == order);
    sessions
        .filter_map(|session| access.receipts.verify(&session.receipt))
        .filter(|receipt| receipt.rights != Rights::ReadOnly)
        .map(|receipt| receipt.transaction_id)
        .collect()
}

/// Creates the payment that the form asks for, and leads to its page.
pub(super) async fn buy(visit: &Visit, order: &str, fields: &Fields) -> Result<Answer, Error> {
    let mut checkout = verified(visit, order).await?;
    checkout.fill(fields);
    let action = fields.get("action").map(String::as_str);
    let is_new_try = action == Some("retry") && fields.contains_key("payment-token");
    if action.is_some() && !is_new_try {
        return Ok(checkout.into());
    }
    let Some(request) = checkout.submit() else {
        return Ok(checkout.into());
    };
    visit.audit.action("create");
    let request = create::Request {
        body: request,
        key: None,
        may_replace: payments_of(visit, order),
    };
    let created = create::create(&visit.app, &visit.audit, &visit.headers, Ok(request)).await;
    let created = created.map(|json| String::from_utf8_lossy(&json).into_owned());
    let (result, error) = outcome(created);
    checkout.created(result);
    let payment = checkout.page.state.payment();
    let Some((id, receipt)) =
        payment.and_then(|it| Some((it.payment.transaction_id.clone(), it.receipt.clone()?)))
    else {
        return Ok(Answer::Page(Box::new(checkout), error));
    };
    let name = name_of(&id);
    let session = Session {
        receipt,
        hash: String::new(),
        order: order.to_owned(),
    };
    Ok(Answer::Redirect(
        visit.place.payment(&name),
        session.cookies(&visit.headers, &name),
    ))
}
