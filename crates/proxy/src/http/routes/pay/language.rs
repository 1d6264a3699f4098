//! The language of a page.

use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use tender_checkout::render::has_texts;

/// The longest tag that is read (BCP 47, section 4.4.1).
const MAX_TAG: usize = 35;

/// The first language with texts: that of the address, or else those of the browser by their weight (RFC 9110, section
/// 12.5.4); otherwise English.
pub(crate) fn choose(wanted: Option<&str>, headers: &HeaderMap) -> String {
    let accepted = headers.get(ACCEPT_LANGUAGE);
    let accepted = accepted
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    let mut tags: Vec<(u16, &str)> = accepted.split(',').map(weighted).collect();
    // The sort is stable: among the same weights, the order of the header counts.
    tags.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let tags = tags.iter().filter(|(weight, _)| *weight > 0);
    let tags = wanted.into_iter().chain(tags.map(|(_, tag)| *tag));
    let mut found = tags.filter(|tag| is_tag(tag) && has_texts(tag));
    found.next().unwrap_or("en").to_owned()
}

/// A tag and its weight in thousandths.
fn weighted(offer: &str) -> (u16, &str) {
    let (tag, parameters) = offer.split_once(';').unwrap_or((offer, ""));
    let weight = match parameters.trim().strip_prefix("q=") {
        None => 1000,
        Some(weight) => thousandths(weight).unwrap_or(0),
    };
    (weight, tag.trim())
}

/// Reads a weight of up to three decimal places (RFC 9110, section 12.4.2).
fn thousandths(weight: &str) -> Option<u16> {
    let (integer, fraction) = weight.split_once('.').unwrap_or((weight, ""));
    let digits = format!("{integer}{fraction:0<3}");
    digits.parse().ok().filter(|weight| *weight <= 1000)
}

fn is_tag(tag: &str) -> bool {
    tag.len() <= MAX_TAG
        && tag
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(wanted: Option<&str>, accepted: &'static str) -> String {
        let header = axum::http::HeaderValue::from_static(accepted);
        choose(wanted, &HeaderMap::from_iter([(ACCEPT_LANGUAGE, header)]))
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
    }
}
