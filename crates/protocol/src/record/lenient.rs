//! Values that the service may write in several ways, for `#[serde(deserialize_with)]`.

use std::fmt;
use std::str::FromStr;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::Record;

/// A text, or the digits of a number.
struct Text(String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        parse_text(json.get())
            .map(Self)
            .ok_or_else(|| D::Error::custom("a text or a number was expected"))
    }
}

/// A JSON string, or the digits of a JSON number.
pub(super) fn parse_text(json: &str) -> Option<String> {
    match json.bytes().next()? {
        b'"' => serde_json::from_str(json).ok(),
        b'-' | b'0'..=b'9' => Some(json.to_owned()),
        _ => None,
    }
}

/// A required text.
pub(crate) fn text<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: From<String>,
{
    Text::deserialize(deserializer).map(|Text(text)| text.into())
}

/// An optional text.
pub(crate) fn optional_text<'de, D>(deserializer: D) -> Result<Option<String>, D::Error>
where
    D: Deserializer<'de>,
{
    let text = Option::<Text>::deserialize(deserializer)?;
    Ok(text.map(|Text(text)| text))
}

/// Whether the value is `true`. Anything else counts as absent.
pub(crate) fn flag<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(|json| json.get() == "true")
}

/// An optional number.
pub(crate) fn number<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: fmt::Display>,
{
    let text = Option::<Text>::deserialize(deserializer)?;
    text.map(|Text(text)| text.trim().parse())
        .transpose()
        .map_err(D::Error::custom)
}

/// A list of records, each read as [`Record::read`] does.
pub(crate) fn records<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let records = Vec::<Record>::deserialize(deserializer)?;
    let read = |record: &Record| record.read("listed").map_err(D::Error::custom);
    records.iter().map(read).collect()
}
