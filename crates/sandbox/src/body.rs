//! Reads the JSON body of a request, whatever its `Content-Type`, and its fields with exactly the
//! documented types.

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;
use tender_protocol::{Amount, AmountError, Record};

use crate::refusal::Refusal;

/// The body of a request, parsed as JSON.
pub(crate) struct JsonBody<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for JsonBody<T> {
    type Rejection = Refusal;

    async fn from_request(request: Request, state: &S) -> Result<Self, Refusal> {
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|rejection| Refusal::UnreadableBody {
                status: rejection.status(),
                reason: rejection.body_text(),
            })?;
        parse(&bytes).map(Self)
    }
}

/// Parses JSON.
pub(crate) fn parse<T: DeserializeOwned>(json: &[u8]) -> Result<T, Refusal> {
    serde_json::from_slice(json).map_err(|error| Refusal::InvalidJson(error.to_string()))
}

/// A string that may be absent or null.
pub(crate) fn text(record: &Record, field: &'static str) -> Result<Option<String>, Refusal> {
    present(record, field)
        .map(|json| {
            serde_json::from_str(json)
                .map_err(|_| Refusal::field_is(field, "it must be a JSON string"))
        })
        .transpose()
}

/// A required string that is not empty.
pub(crate) fn required_text(record: &Record, field: &'static str) -> Result<String, Refusal> {
    let text = text(record, field)?.ok_or(Refusal::MissingField(field))?;
    if text.trim().is_empty() {
        return Err(Refusal::field_is(field, "it must not be empty"));
    }
    Ok(text)
}

/// A required amount: a JSON number above zero.
pub(crate) fn required_amount(record: &Record, field: &'static str) -> Result<Amount, Refusal> {
    let json = present(record, field).ok_or(Refusal::MissingField(field))?;
    // Parsed from the JSON text, so that a string in quotes is not accepted as a number.
    let amount: Amount = json
        .parse()
        .map_err(|error: AmountError| Refusal::field_is(field, error.to_string()))?;
    if amount.is_zero() {
        return Err(Refusal::field_is(field, "it must be more than zero"));
    }
    Ok(amount)
}

fn present<'a>(record: &'a Record, field: &str) -> Option<&'a str> {
    record.get(field).filter(|json| *json != "null")
}
