//! A request for a page, and what all pages read.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use tender_checkout_core::FetchResult;

use super::cookie::OrderCookie;
use super::place::Place;
use super::response::failure;
use crate::error::Error;
use crate::http::routes::order_payment;
use crate::http::{App, Audit, ClientIp};
use crate::order::{MAX_LINK, OrderError, VerifiedOrder};
use crate::rendering::hosted::{Checkout, no_payment, refused, success};
use crate::tokens::Served;

pub(crate) struct Visit {
    pub(super) app: Arc<App>,
    pub(super) client: ClientIp,
    pub(super) place: Place,
    pub(super) headers: HeaderMap,
    pub(super) audit: Audit,
}

/// The checkout of an order, as it is now.
pub(super) struct Opened {
    pub(super) order: VerifiedOrder,
    pub(super) checkout: Checkout,
    /// What this browser has stored of the order's payment.
    pub(super) cookie: Option<OrderCookie>,
}

impl FromRequestParts<Arc<App>> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Response> {
        let Ok(client) = ClientIp::from_request_parts(parts, app).await;
        // A form that is sent counts as a request to create a payment.
        let allowed = if parts.method == Method::POST {
            Ok(())
        } else {
            app.limits.forms.spend(client).map_err(Error::from)
        };
        let place = allowed.and_then(|()| Place::read(&parts.uri, &parts.headers));
        let headers = parts.headers.clone();
        Ok(Self {
            place: place.map_err(|error| failure(error, None, app, &headers))?,
            app: Arc::clone(app),
            client,
            headers,
            audit: parts.extensions.get_or_insert_default::<Audit>().clone(),
        })
    }
}

impl Visit {
    /// The payment of the order, or the form. What the buyer did in this browser is shown, too.
    pub(super) async fn open(&self) -> Result<Opened, Error> {
        let place = &self.place;
        let text = &place.order;
        if text.len() > MAX_LINK {
            return Err(OrderError::TooLong(MAX_LINK).into());
        }
        let order = self.app.access.load().orders.verify_to_read(text)?;
        self.audit.order_key(Some(&order.key));
        let found = self.find(&order).await?;
        let listing = self.listing().await;
        let attributes = place.attributes.clone();
        let checkout = Checkout::new(text, attributes, &place.locale, found, listing);
        let mut checkout = checkout.map_err(|error| Error::invalid(error.to_string()))?;
        let cookie = OrderCookie::read(&self.headers, &order.claims.invoice_number);
        let cookie = cookie.filter(|cookie| cookie.is_of(checkout.transaction_id().as_deref()));
        if let Some(cookie) = &cookie {
            checkout.own(&cookie.hash, &cookie.secret);
        }
        Ok(Opened {
            order,
            checkout,
            cookie,
        })
    }

    /// The look-up of the order's payment, as the widget gets it.
    ///
    /// # Errors
    /// If it is not known whether the order has a payment, or if it has none and has expired.
    pub(super) async fn find(&self, order: &VerifiedOrder) -> Result<FetchResult, Error> {
        Ok(Ok(
            match order_payment::find(&self.app, self.client, &self.audit, order).await? {
                Some(found) => success(order_payment::json(&self.app, order, found)?),
                None => no_payment(),
            },
        ))
    }

    /// The token listing, as the widget gets it.
    pub(super) async fn listing(&self) -> FetchResult {
        let served = self.app.tokens.listing().await.map_err(Error::from);
        let text = |served: Served| String::from_utf8_lossy(served.listing.plain()).into_owned();
        outcome(served.map(text)).0
    }
}

/// The response of a route as the widget gets it, and its error.
pub(super) fn outcome(response: Result<String, Error>) -> (FetchResult, Option<Error>) {
    match response {
        Ok(json) => (Ok(success(json)), None),
        Err(error) => (Ok(refused(&error.problem())), Some(error)),
    }
}
