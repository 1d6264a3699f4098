//! The address of a page, and its language.

use std::collections::BTreeMap;

use axum::http::header::ACCEPT_LANGUAGE;
use axum::http::{HeaderMap, Uri};
use tender_checkout::render::has_texts;
use tender_checkout_core::config::OFFERED;
use tender_protocol::path;

use super::cookie::short_digest;
use crate::encoding::{offers, text};
use crate::error::Error;
use crate::rendering::hosted::Checkout;

/// The longest query, in bytes: an order, and some attributes.
const MAX_QUERY: usize = 6 << 10;

/// The longest tag that is read (BCP 47, section 4.4.1).
const MAX_TAG: usize = 35;

/// The address of a page: `order`, then `view`, `lang` and some attributes of the element.
pub(crate) struct Place {
    /// A signed order, which is not verified yet.
    pub(crate) order: String,
    pub(super) view: View,
    /// The short name of the payment that the view is about.
    payment: Option<String>,
    pub(crate) locale: String,
    pub(crate) attributes: BTreeMap<String, String>,
    lang: Option<String>,
}

/// What is shown of an order.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum View {
    /// The payment, or the form if there is none. The page of a payment refreshes itself.
    Payment,
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
}

impl Place {
    pub(crate) fn read(uri: &Uri, headers: &HeaderMap) -> Result<Self, Error> {
        let query = uri.query().unwrap_or_default();
        let values = (query.len() <= MAX_QUERY).then(|| serde_urlencoded::from_str(query).ok());
        let values: Option<BTreeMap<String, String>> = values.flatten();
        let Some(mut values) = values else {
            let problem = format!("the query is not readable, or longer than {MAX_QUERY} bytes");
            return Err(Error::invalid(problem));
        };
        let Some(order) = values.remove("order") else {
            return Err(Error::invalid("the query has no `order`, a signed order"));
        };
        // As a mail client leaves it that doesn't decode `quoted-printable` in a link. No JWT begins with this.
        let order = order.strip_prefix("3D").unwrap_or(&order).to_owned();
        let view = match values.get("view").map(String::as_str) {
            Some("cancel") => View::Cancel,
            Some("choose") => View::Choose,
            Some("unsent") => View::Unsent,
            Some("sent") => View::Sent,
            Some("remove") => View::Remove,
            Some("again") => View::Again,
            _ => View::Payment,
        };
        let lang = values.remove("lang");
        let payment = values.remove("payment");
        values.retain(|name, _| OFFERED.contains(&name.as_str()));
        Ok(Self {
            order,
            view,
            payment,
            locale: language(lang.as_deref(), headers),
            attributes: values,
            lang,
        })
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
