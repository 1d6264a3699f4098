//! Decides whether two create requests belong to the same attempt.

use aws_lc_rs::digest::{Context, SHA256};
use axum::http::{HeaderMap, HeaderValue};
use tender_protocol::CreatePayment;

use crate::checkout::purchase::Purchase;

/// The identity of an attempt, and the payment that it asks for.
pub(crate) struct Attempt {
    /// The key that the page sent.
    pub(crate) key: Option<IdempotencyKey>,
    /// The order to pay, if the shop has signed one.
    pub(crate) order: Option<Order>,
    /// Digest of everything that identifies the payment: the shop's order and the buyer's token.
    /// Requests with the same fingerprint ask for the same payment.
    pub(crate) fingerprint: String,
    /// Digest of the whole request. Under one key, only an identical request is a repeat.
    pub(crate) request_digest: String,
    /// The request to the service.
    pub(crate) payment: CreatePayment,
}

/// A signed order. Its invoice number identifies it, not its signature or price: a shop may sign
/// the order again for each page view. At most one payment per invoice number is open.
pub(crate) struct Order {
    /// Digest of the invoice number.
    pub(crate) id: String,
    /// When the order expires, in milliseconds since 1970.
    pub(crate) payable_until: i64,
}

impl Attempt {
    pub(crate) fn new(key: Option<IdempotencyKey>, purchase: Purchase) -> Self {
        let Purchase { payment, signed } = purchase;
        let fingerprint = fingerprint_fields(&payment);
        Self {
            key,
            order: signed.map(|until| Order {
                id: digest(&[&payment.invoice_number]),
                payable_until: i64::try_from(until.as_millis()).unwrap_or(i64::MAX),
            }),
            fingerprint: digest(&fingerprint),
            request_digest: digest(&[fingerprint, buyer_fields(&payment)].concat()),
            payment,
        }
    }
}

fn fingerprint_fields(payment: &CreatePayment) -> Vec<&str> {
    let quantity = &payment.quantity;
    vec![
        &payment.invoice_number,
        payment.token.as_str(),
        payment.payment_token.as_str(),
        quantity.integer(),
        quantity.fraction().trim_end_matches('0'),
        payment.item_number.as_deref().unwrap_or_default(),
    ]
}

fn buyer_fields(payment: &CreatePayment) -> Vec<&str> {
    [&payment.purchase_email, &payment.purchase_name]
        .map(|text| text.as_deref().unwrap_or_default())
        .to_vec()
}

/// Digest of a list of texts.
fn digest(texts: &[&str]) -> String {
    let mut context = Context::new(&SHA256);
    for text in texts {
        // The length of each text is included, so that different lists never have the same bytes.
        context.update(&text.len().to_be_bytes());
        context.update(text.as_bytes());
    }
    hex::encode(context.finish())
}

/// The value of an `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header, section
/// 2.1): a structured-field string (RFC 8941, section 3.3.3). It is also accepted without the
/// quotes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct IdempotencyKey(String);

/// The name of the header.
pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

const MAX_KEY: usize = 255;

/// The header is present but is not exactly one valid key.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`Idempotency-Key` must be one string of 1 to {MAX_KEY} visible ASCII characters")]
pub(crate) struct BadKey;

impl IdempotencyKey {
    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }

    /// The key of a request; `None` if there is no header.
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

/// Resolves the escapes `\"` and `\\`. No other escape and no unescaped quote is allowed.
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
    fn invalid_keys_are_rejected() {
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
    fn digests_separate_their_texts() {
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        assert_ne!(digest(&["1:a"]), digest(&["1", "a"]));
        assert_eq!(digest(&["a", ""]), digest(&["a", ""]));
    }
}
