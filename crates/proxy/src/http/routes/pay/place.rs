//! The address of a page, and its language.

use std::collections::BTreeMap;

use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::{HeaderMap, Uri};
use serde::Deserialize;
use tender_checkout::render::has_texts;
use tender_checkout_core::config::OFFERED;
use tender_protocol::path;
use utoipa::IntoParams;

use super::cookie::short_digest;
use crate::encoding::{offers, text};
use crate::error::Error;
use crate::rendering::hosted::Checkout;

/// The longest query, in bytes: an order, and some attributes.
const MAX_QUERY: usize = 6 << 10;

/// The longest tag that is read (BCP 47, section 4.4.1).
const MAX_TAG: usize = 35;

/// The query of the page's address. It may have attributes of the element, too.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Place {
    /// A signed order.
    // It is not verified yet.
    pub(crate) order: String,
    /// What to show of it: `cancel`, `choose`, `unsent`, `sent`, `remove` or `again`; otherwise the payment.
    #[serde(default)]
    #[param(value_type = Option<String>)]
    pub(super) view: View,
    /// A short name of the payment that the view is about.
    payment: Option<String>,
    /// The language, as in BCP 47.
    lang: Option<String>,
    #[serde(flatten)]
    #[param(ignore)]
    pub(crate) attributes: BTreeMap<String, String>,
    /// The language of the page.
    #[serde(skip)]
    #[param(ignore)]
    pub(crate) locale: String,
}

/// What is shown of an order.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum View {
    /// The question whether to cancel it.
    Cancel,
    /// The form, to pay with another token.
    Choose,
    /// The same, after the buyer has said that they have sent no money.
    Unsent,
    /// The field for the transaction hash.
    Sent,
    /// Asks whether to remove the transaction hash, or the mark.
    Remove,
    /// The payment, although it is marked: the buyer has said that nothing was sent.
    Again,
    /// The payment, or the form if there is none. The page of a payment refreshes itself.
    #[default]
    #[serde(other)]
    Payment,
}

impl Place {
    pub(crate) fn read(uri: &Uri, headers: &HeaderMap) -> Result<Self, Error> {
        let query = uri.query().unwrap_or_default();
        if query.len() > MAX_QUERY {
            let problem = format!("the query is longer than {MAX_QUERY} bytes");
            return Err(Error::invalid(problem));
        }
        let mut place: Self = serde_urlencoded::from_str(query)
            .map_err(|error| Error::invalid(format!("the query is not readable: {error}")))?;
        // As a mail client leaves it that doesn't decode `quoted-printable` in a link. No JWT begins with this.
        if let Some(order) = place.order.strip_prefix("3D") {
            place.order = order.to_owned();
        }
        let attributes = &mut place.attributes;
        attributes.retain(|name, _| OFFERED.contains(&name.as_str()));
        place.locale = language(place.lang.as_deref(), headers);
        Ok(place)
    }

    /// Whether the address names another payment than the order has now.
    pub(super) fn names_another(&self, checkout: &Checkout) -> bool {
        let name = checkout.transaction_id().map(|id| short_digest(&id));
        self.payment.is_some() && self.payment != name
    }

    /// The address of this order, which names the payment that a page shows. The page's links append their view.
    pub(super) fn address_of(&self, checkout: &Checkout) -> String {
        let payment = checkout
            .open_id()
            .map(|id| format!("&payment={}", short_digest(&id)));
        self.address() + payment.as_deref().unwrap_or_default()
    }

    /// The address of this order, without its view. It is relative to the page's own, because the proxy may be below a path that
    /// only the server in front knows.
    pub(crate) fn address(&self) -> String {
        let mut pairs = vec![("order", self.order.as_str())];
        pairs.extend(self.lang.as_deref().map(|lang| ("lang", lang)));
        let attributes = OFFERED.into_iter();
        pairs.extend(
            attributes.filter_map(|name| Some((name, self.attributes.get(name)?.as_str()))),
        );
        // Pairs of texts can always be encoded.
        let query = serde_urlencoded::to_string(pairs).unwrap_or_default();
        format!("{}?{query}", path::PAY.trim_start_matches('/'))
    }
}

/// The first language with texts: that of the address, or else those of the browser by their weight (RFC 9110, section
/// 12.5.4); otherwise English.
pub(crate) fn language(wanted: Option<&str>, headers: &HeaderMap) -> String {
    let accepted = text(headers, ACCEPT_LANGUAGE);
    let mut tags: Vec<_> = offers(&accepted).collect();
    // The sort is stable: among the same weights, the order of the header counts.
    tags.sort_by(|(_, one), (_, other)| other.total_cmp(one));
    let tags = tags.iter().filter(|(_, weight)| *weight > 0.0);
    let tags = wanted.into_iter().chain(tags.map(|(tag, _)| *tag));
    let mut found = tags.filter(|tag| is_tag(tag) && has_texts(tag));
    found.next().unwrap_or("en").to_owned()
}

fn is_tag(tag: &str) -> bool {
    tag.len() <= MAX_TAG
        && tag
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(wanted: Option<&str>, accepted: &'static str) -> String {
        let header = axum::http::HeaderValue::from_static(accepted);
        language(wanted, &HeaderMap::from_iter([(ACCEPT_LANGUAGE, header)]))
    }

    #[test]
    fn the_language_with_the_greatest_weight_and_texts_is_chosen() {
        assert_eq!(chosen(None, "xx, de;q=0.5, fr-CA;q=0.75, *;q=0.9"), "fr-CA");
        assert_eq!(chosen(None, "de;q=0, es;q=0.1"), "es");
        assert_eq!(chosen(None, "de, en"), "de");
        assert_eq!(chosen(None, "en-GB, de"), "en-GB");
        assert_eq!(chosen(None, "xx"), "en");
        assert_eq!(chosen(None, ""), "en");
    }

    #[test]
    fn the_language_of_the_address_comes_first() {
        assert_eq!(chosen(Some("ar"), "de"), "ar");
        assert_eq!(chosen(Some("xx"), "de"), "de");
        assert_eq!(chosen(Some("de-<b>"), "fr"), "fr");
        assert_eq!(chosen(Some("de_AT"), "fr"), "de_AT");
        assert_eq!(chosen(Some("iw"), "fr"), "iw");
        assert_eq!(chosen(Some("zh-TW"), "fr"), "fr");
        assert_eq!(chosen(Some("zh_CN"), "fr"), "zh_CN");
    }
}
