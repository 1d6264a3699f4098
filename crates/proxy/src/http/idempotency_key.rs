//! The `Idempotency-Key` header (draft-ietf-httpapi-idempotency-key-header, section 2.1).

use axum::http::{HeaderMap, HeaderValue};

use crate::error::Error;
use crate::store::attempts::IdempotencyKey;

pub(crate) const IDEMPOTENCY_KEY: &str = "idempotency-key";

/// The key of a request; `None` if there is no header. More than one header is an error.
pub(crate) fn idempotency_key(headers: &HeaderMap) -> Result<Option<IdempotencyKey>, Error> {
    let mut values = headers.get_all(IDEMPOTENCY_KEY).iter();
    let key = match (values.next(), values.next()) {
        (None, _) => return Ok(None),
        (Some(value), None) => parse(value),
        (Some(_), Some(_)) => None,
    };
    match key {
        Some(key) => Ok(Some(key)),
        None => Err(Error::InvalidRequest(format!(
            "`Idempotency-Key` must be one string of 1 to {} visible ASCII characters",
            IdempotencyKey::MAX_LENGTH
        ))),
    }
}

/// Parses a structured-field string (RFC 8941, section 3.3.3), also without its quotes. The string is one of JSON, which has
/// further escapes.
fn parse(value: &HeaderValue) -> Option<IdempotencyKey> {
    let text = value.to_str().ok()?.trim();
    let key = if text.starts_with('"') {
        serde_json::from_str(text).ok()?
    } else if text.contains(['"', '\\']) {
        return None;
    } else {
        text.to_owned()
    };
    IdempotencyKey::new(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(header: &str) -> Option<String> {
        let key = parse(&HeaderValue::from_str(header).unwrap());
        key.map(|key| key.as_str().to_owned())
    }

    #[test]
    fn a_key_is_a_string_with_or_without_quotes() {
        assert_eq!(key(r#""8e03978e-40d5""#).as_deref(), Some("8e03978e-40d5"));
        assert_eq!(key("8e03978e-40d5").as_deref(), Some("8e03978e-40d5"));
        assert_eq!(key(r#""a \"b\" \\ c""#).as_deref(), Some(r#"a "b" \ c"#));
        let longest = "k".repeat(IdempotencyKey::MAX_LENGTH);
        assert_eq!(key(&longest).as_ref(), Some(&longest));
    }
}
