//! What makes two create requests the same attempt.

use aws_lc_rs::digest::{Context, SHA256};
use axum::http::{HeaderMap, HeaderValue};
use tender_protocol::CreatePayment;

use crate::purchase::Purchase;

/// The names that an attempt goes by, and what it asks for.
pub(crate) struct Attempt {
    /// What the page calls it.
    pub(super) key: Option<IdempotencyKey>,
    /// What it asks for.
    pub(super) request: Fingerprint,
    /// The order that it pays, where a shop signed one.
    pub(super) order: Option<Fingerprint>,
}

impl Attempt {
    pub(super) fn new(key: Option<IdempotencyKey>, purchase: &Purchase) -> Self {
        let Purchase { payment, signed } = purchase;
        let fixed = payment_texts(payment);
        Self {
            key,
            order: signed.then(|| Fingerprint::of(&fixed)),
            request: Fingerprint::of(&[fixed, buyer_texts(payment)].concat()),
        }
    }
}

/// What the shop and the choice of a token fix: an order is what it says, not its signature, so
/// that a shop may sign it anew for each view of the page.
fn payment_texts(payment: &CreatePayment) -> Vec<String> {
    let quantity = &payment.quantity;
    vec![
        payment.invoice_number.clone(),
        payment.token.to_string(),
        payment.payment_token.to_string(),
        quantity.integer().to_owned(),
        quantity.fraction().trim_end_matches('0').to_owned(),
        payment.item_number.clone().unwrap_or_default(),
    ]
}

fn buyer_texts(payment: &CreatePayment) -> Vec<String> {
    [&payment.purchase_email, &payment.purchase_name]
        .map(|text| text.clone().unwrap_or_default())
        .to_vec()
}

/// A digest that two requests share when they ask for the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Fingerprint([u8; 32]);

impl Fingerprint {
    fn of(texts: &[String]) -> Self {
        let mut context = Context::new(&SHA256);
        for text in texts {
            // Each text after its length, so that no two lists of texts read alike.
            context.update(&text.len().to_be_bytes());
            context.update(text.as_bytes());
        }
        let mut bytes = [0; 32];
        bytes.copy_from_slice(context.finish().as_ref());
        Self(bytes)
    }
}

/// The value of an `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header, section
/// 2.1): a structured-field string (RFC 8941, section 3.3.3), or the same without its quotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct IdempotencyKey(String);

/// The header's name.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

const MAX_KEY: usize = 255;

/// The header is there, and is not one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`Idempotency-Key` must be one string of 1 to {MAX_KEY} visible ASCII characters")]
pub(crate) struct BadKey;

impl IdempotencyKey {
    /// The key of a request; `None` where it has none.
    pub(crate) fn from_headers(headers: &HeaderMap) -> Result<Option<Self>, BadKey> {
        let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
        match (values.next(), values.next()) {
            (None, _) => Ok(None),
            (Some(value), None) => Self::parse(value).ok_or(BadKey).map(Some),
            (Some(_), Some(_)) => Err(BadKey),
        }
    }

    fn parse(value: &HeaderValue) -> Option<Self> {
        let text = value.to_str().ok()?.trim();
        let key = match text.strip_prefix('"') {
            Some(quoted) => unescape(quoted.strip_suffix('"')?)?,
            None if text.contains(['"', '\\']) => return None,
            None => text.to_owned(),
        };
        let visible = key.bytes().all(|byte| (b' '..=b'~').contains(&byte));
        (visible && (1..=MAX_KEY).contains(&key.len())).then_some(Self(key))
    }
}

/// `\"` and `\\` are the only escapes, and a quote without one ends the string.
fn unescape(quoted: &str) -> Option<String> {
    let mut text = String::with_capacity(quoted.len());
    let mut characters = quoted.chars();
    while let Some(character) = characters.next() {
        text.push(match character {
            '\\' => characters
                .next()
                .filter(|next| matches!(next, '"' | '\\'))?,
            '"' => return None,
            other => other,
        });
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(header: &str) -> Option<String> {
        IdempotencyKey::parse(&HeaderValue::from_str(header).unwrap()).map(|key| key.0)
    }

    #[test]
    fn a_key_is_a_string_with_or_without_quotes() {
        assert_eq!(key(r#""8e03978e-40d5""#).as_deref(), Some("8e03978e-40d5"));
        assert_eq!(key("8e03978e-40d5").as_deref(), Some("8e03978e-40d5"));
        assert_eq!(key(r#""a \"b\" \\ c""#).as_deref(), Some(r#"a "b" \ c"#));
        let longest = "k".repeat(MAX_KEY);
        assert_eq!(key(&longest).as_ref(), Some(&longest));
    }

    #[test]
    fn what_is_not_one_string_is_no_key() {
        for header in [
            "",
            r#""""#,
            r#"""#,
            r#""open"#,
            r#"a"b"#,
            r#""a"b""#,
            r#""a";b=1"#,
            r#""a\n""#,
            r#""a\""#,
        ] {
            assert_eq!(key(header), None, "{header}");
        }
        assert_eq!(key(&"k".repeat(MAX_KEY + 1)), None);
    }

    #[test]
    fn texts_do_not_run_into_each_other() {
        let of = |texts: &[&str]| {
            Fingerprint::of(&texts.iter().map(|t| (*t).into()).collect::<Vec<_>>())
        };
        assert_ne!(of(&["ab", "c"]), of(&["a", "bc"]));
        assert_ne!(of(&["1:a"]), of(&["1", "a"]));
        assert_eq!(of(&["a", ""]), of(&["a", ""]));
    }
}
