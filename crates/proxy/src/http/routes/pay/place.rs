//! The address of a page.

use std::collections::HashMap;

use axum::http::{HeaderMap, Uri};
use tender_protocol::path;

use super::language;
use crate::error::Error;
use crate::rendering::hosted::ATTRIBUTES;

/// The longest query, in bytes: an order, and some attributes.
const MAX_QUERY: usize = 6 << 10;

/// The address of a page: `order` or `payment`, then `view`, `lang` and some attributes of the element.
pub(crate) struct Place {
    pub(crate) target: Target,
    pub(super) view: View,
    pub(crate) locale: String,
    pub(crate) attributes: HashMap<String, String>,
    lang: Option<String>,
}

/// What the page is about.
pub(crate) enum Target {
    /// A signed order.
    Order(String),
    /// The payment with this name, of which the browser has a cookie.
    Payment(String),
}

/// What is shown of a payment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// The payment. The page refreshes itself.
    Payment,
    /// The question whether to cancel it.
    Cancel,
    /// The form, to pay with another token.
    Choose,
    /// The field for the transaction hash.
    Sent,
}

impl Place {
    pub(crate) fn read(uri: &Uri, headers: &HeaderMap) -> Result<Self, Error> {
        let query = uri.query().unwrap_or_default();
        let values = (query.len() <= MAX_QUERY).then(|| serde_urlencoded::from_str(query).ok());
        let values: Option<HashMap<String, String>> = values.flatten();
        let Some(mut values) = values else {
            let problem = format!("the query is not readable, or longer than {MAX_QUERY} bytes");
            return Err(Error::invalid(problem));
        };
        let target = match (values.remove("order"), values.remove("payment")) {
            (Some(order), None) => Target::Order(order),
            (None, Some(name)) => Target::Payment(name),
            _ => {
                let problem = "the query has either `order`, a signed order, or `payment`";
                return Err(Error::invalid(problem));
            }
        };
        let view = match values.get("view").map(String::as_str) {
            Some("cancel") => View::Cancel,
            Some("choose") => View::Choose,
            Some("sent") => View::Sent,
            _ => View::Payment,
        };
        let lang = values.remove("lang");
        values.retain(|name, _| ATTRIBUTES.contains(&name.as_str()));
        Ok(Self {
            target,
            view,
            locale: language::choose(lang.as_deref(), headers),
            attributes: values,
            lang,
        })
    }

    /// The address of this order or payment, without its view.
    pub(crate) fn address(&self) -> String {
        match &self.target {
            Target::Order(order) => self.address_of("order", order),
            Target::Payment(name) => self.payment(name),
        }
    }

    /// The address of a payment, with the same language and attributes.
    pub(super) fn payment(&self, name: &str) -> String {
        self.address_of("payment", name)
    }

    fn address_of(&self, target: &str, value: &str) -> String {
        let mut pairs = vec![(target, value)];
        pairs.extend(self.lang.as_deref().map(|lang| ("lang", lang)));
        let attributes = ATTRIBUTES.into_iter();
        pairs.extend(
            attributes.filter_map(|name| Some((name, self.attributes.get(name)?.as_str()))),
        );
        // Pairs of texts can always be encoded.
        let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
        format!("{}?{query}", path::PAY)
    }
}
