//! A request for a page, and what all pages read.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method};
use axum::response::Response;
use tender_checkout_core::FetchResult;

use super::answer::failure;
use super::place::Place;
use crate::error::Error;
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::rendering::hosted::{Checkout, refused, success};

/// A request for a page.
pub(crate) struct Visit {
    pub(super) app: Arc<App>,
    pub(super) place: Place,
    pub(super) headers: HeaderMap,
    pub(super) audit: Audit,
}

impl FromRequestParts<Arc<App>> for Visit {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<App>) -> Result<Self, Response> {
        // A form that is sent counts as a request to create a payment.
        let allowed = if parts.method == Method::POST {
            Ok(())
        } else {
            let client = app.limits.client(&parts.headers, &parts.extensions);
            app.limits.may_render(client)
        };
        let place = allowed.and_then(|()| Place::read(&parts.uri, &parts.headers));
        let headers = parts.headers.clone();
        Ok(Self {
            place: place.map_err(|error| failure(error, None, app, &headers))?,
            app: Arc::clone(app),
            headers,
            audit: parts.extensions.get_or_insert_default::<Audit>().clone(),
        })
    }
}

impl Visit {
    /// The checkout for a verified order, with the form.
    pub(super) async fn checkout(&self, order: &str) -> Result<Checkout, Error> {
        let Place {
            attributes, locale, ..
        } = &self.place;
        let checkout = Checkout::new(order, attributes, locale, self.listing().await);
        checkout.map_err(|error| Error::invalid(error.to_string()))
    }

    /// Lets the live element replace the page.
    pub(super) fn go_live(&self, checkout: &mut Checkout, order: &str) {
        checkout.go_live(order, &self.place.attributes, &self.place.locale);
    }

    /// The token listing, as the widget gets it.
    pub(super) async fn listing(&self) -> FetchResult {
        let text = match self.app.tokens.listing().await {
            Ok(served) => {
                String::from_utf8(served.listing.plain().to_vec()).map_err(Error::internal)
            }
            Err(error) => Err(error.into()),
        };
        outcome(text).0
    }
}

/// The response of a route as the widget gets it, and its error.
pub(super) fn outcome(response: Result<String, Error>) -> (FetchResult, Option<Error>) {
    match response {
        Ok(json) => (Ok(success(json)), None),
        Err(error) => (Ok(refused(&error.problem())), Some(error)),
    }
}
