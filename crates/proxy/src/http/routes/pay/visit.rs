//! A request for a page, and what all pages read.

use axum::http::HeaderMap;
use tender_checkout_core::FetchResult;

use super::place::Place;
use crate::error::Error;
use crate::http::app::App;
use crate::http::audit::Audit;
use crate::rendering::hosted::{Checkout, Live, refused, success};

/// A request for a page.
pub(super) struct Visit<'a> {
    pub(super) app: &'a App,
    pub(super) place: Place,
    pub(super) headers: HeaderMap,
    pub(super) audit: Audit,
}

impl Visit<'_> {
    /// The checkout for a verified order, with the form.
    pub(super) async fn checkout(&self, order: &str) -> Result<Checkout, Error> {
        let Place {
            attributes, locale, ..
        } = &self.place;
        let checkout = Checkout::new(order, attributes, locale, self.listing().await);
        checkout.map_err(|error| Error::invalid(error.to_string()))
    }

    /// What the live element that replaces the page continues with.
    pub(super) fn live(&self, checkout: &Checkout, order: &str) -> Live {
        checkout.live(order, &self.place.attributes, &self.place.locale)
    }

    /// The token listing, as the widget gets it.
    pub(super) async fn listing(&self) -> FetchResult {
        let text = match self.app.tokens.listing().await {
            Ok(served) => {
                String::from_utf8(served.listing.plain().to_vec()).map_err(Error::internal)
            }
            Err(error) => Err(Error::from(error)),
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
