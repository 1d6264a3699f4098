//! `POST /api/v1/orders`: signs an order for the merchant, whose payment page is a payment link. The route
//! exists only where the operator has turned payment links on.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use tender_protocol::{NewOrder, PaymentLink};

use crate::checkout;
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::http::body::JsonBody;
use crate::http::credentials::Merchant;
use crate::http::problems::Error;

pub(super) async fn post(
    State(app): State<Arc<App>>,
    _: Merchant,
    audit: Audit,
    JsonBody(body): JsonBody,
) -> Result<Json<PaymentLink>, Error> {
    let links = app.links.as_ref().ok_or(Error::NotFound)?;
    let order: NewOrder = checkout::parse(&body)?;
    // The invoice number may be a person's name.
    let name = format!("{} {} for {}", order.quantity, order.token, order.expires);
    let signed = links.sign(order)?;
    audit.signed(name);
    Ok(Json(signed))
}
