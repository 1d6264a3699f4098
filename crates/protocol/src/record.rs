//! JSON objects whose values keep their own text.
//!
//! An answer of the service is read field by field: a field that is missing or of another type is
//! named in the error, unknown fields are kept (the proxy hands them on) or ignored (the widget),
//! and a number is never forced through a float.

use std::fmt;
use std::str::FromStr;

use serde::de::Error as _;
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::amount::Amount;
use crate::json::{self, JsonError};

/// A JSON object in its original order; each value is the text that stood on the wire.
#[derive(Clone, Debug, Default)]
pub struct Record {
    fields: Vec<(String, String)>,
}

/// Why an answer is not the record that was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Not JSON, or JSON of another shape.
    #[error("this is not {expected}: {reason}")]
    NotJson {
        /// What should have stood there, as a noun phrase.
        expected: &'static str,
        /// What the JSON reader says.
        reason: String,
    },
    /// A required field is absent, null or empty.
    #[error("the {record} record has no `{field}`")]
    Missing {
        /// The kind of record: `payment`, `token`, `network`, `order`, `request` or `ledger`.
        record: &'static str,
        /// The service's name of the field.
        field: &'static str,
    },
    /// A field holds something else than its documented type.
    #[error("the {record} record's `{field}` is not as documented: {reason}")]
    Invalid {
        /// The kind of record: `payment`, `token`, `network`, `order`, `request` or `ledger`.
        record: &'static str,
        /// The service's name of the field.
        field: &'static str,
        /// What is wrong with it.
        reason: String,
    },
}

impl Record {
    /// Reads a JSON object.
    ///
    /// # Errors
    /// [`RecordError::NotJson`] where `json` is anything else.
    pub fn parse(json: &str, expected: &'static str) -> Result<Self, RecordError> {
        Self::read(json).map_err(|error| not_json(expected, &error))
    }

    /// Reads a JSON array of objects, each for itself: an element that is none does not hide the others.
    ///
    /// # Errors
    /// [`RecordError::NotJson`] where `json` is no array.
    pub fn parse_array(
        json: &str,
        expected: &'static str,
    ) -> Result<Vec<Result<Self, RecordError>>, RecordError> {
        let elements = json::array(json).map_err(|error| not_json(expected, &error))?;
        let records = elements.into_iter();
        let records = records.map(|element| Self::parse(element, "a record"));
        Ok(records.collect())
    }

    fn read(json: &str) -> Result<Self, JsonError> {
        let fields = json::object(json)?.into_iter();
        let fields = fields.map(|(name, value)| (name, value.to_owned()));
        Ok(Self {
            fields: fields.collect(),
        })
    }

    fn read_array(json: &str) -> Result<Vec<Self>, JsonError> {
        json::array(json)?.into_iter().map(Self::read).collect()
    }

    /// The value of `field` as JSON text. Where a field stands twice, the last one counts, as in
    /// `JSON.parse`.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&str> {
        self.fields
            .iter()
            .rev()
            .find(|(name, _)| name == field)
            .map(|(_, value)| value.as_str())
    }

    /// What `field` says, where it is a string.
    #[must_use]
    pub fn string(&self, field: &str) -> Option<String> {
        json::string(self.get(field)?).ok()
    }

    /// Whether `field` is `true`.
    #[must_use]
    pub fn is_true(&self, field: &str) -> bool {
        self.get(field) == Some("true")
    }

    /// The record in `field`, where it is an object.
    #[must_use]
    pub fn record(&self, field: &str) -> Option<Self> {
        Self::read(self.get(field)?).ok()
    }

    /// Sets `field` to a string, as the record's last field.
    pub fn set(&mut self, field: &str, text: &str) {
        self.fields.retain(|(name, _)| name != field);
        self.push(field, json::quote(text));
    }

    /// Appends a string, where there is one.
    #[must_use]
    pub fn with<'a>(mut self, field: &str, text: impl Into<Option<&'a str>>) -> Self {
        if let Some(text) = text.into() {
            self.push(field, json::quote(text));
        }
        self
    }

    pub(crate) fn with_or_null(mut self, field: &str, text: Option<&str>) -> Self {
        self.push(field, text.map_or_else(null, json::quote));
        self
    }

    pub(crate) fn with_number_or_null(mut self, field: &str, number: Option<u8>) -> Self {
        self.push(field, number.map_or_else(null, |number| number.to_string()));
        self
    }

    /// Appends an amount as a number, where there is one.
    #[must_use]
    pub fn with_amount<'a>(mut self, field: &str, amount: impl Into<Option<&'a Amount>>) -> Self {
        if let Some(amount) = amount.into() {
            self.push(field, amount.to_string());
        }
        self
    }

    /// Appends a record.
    #[must_use]
    pub fn with_record(mut self, field: &str, record: &Self) -> Self {
        self.push(field, record.to_json());
        self
    }

    /// Appends `true`, where it is.
    #[must_use]
    pub fn with_flag(mut self, field: &str, is_true: bool) -> Self {
        if is_true {
            self.push(field, "true".to_owned());
        }
        self
    }

    fn push(&mut self, field: &str, json: String) {
        self.fields.push((field.to_owned(), json));
    }

    /// The record as JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let fields = self.fields.iter();
        let fields = fields.map(|(name, value)| format!("{}:{value}", json::quote(name)));
        format!("{{{}}}", fields.collect::<Vec<_>>().join(","))
    }

    /// Starts reading the fields of a `kind` record (`payment`, `token` and the like).
    #[must_use]
    pub(crate) fn reader(&self, kind: &'static str) -> Reader<'_> {
        Reader { record: self, kind }
    }
}

pub(crate) fn not_json(expected: &'static str, error: &JsonError) -> RecordError {
    RecordError::NotJson {
        expected,
        reason: error.to_string(),
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let json = Box::<RawValue>::deserialize(deserializer)?;
        Self::read(json.get()).map_err(D::Error::custom)
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, value) in &self.fields {
            let value: &RawValue = serde_json::from_str(value).map_err(S::Error::custom)?;
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

fn null() -> String {
    "null".to_owned()
}

/// What is written as a record: its fields have their names in one place.
macro_rules! serialize_as_record {
    ($($name:ty),*) => {$(
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::Record::from(self).serialize(serializer)
            }
        }
    )*};
}

pub(crate) use serialize_as_record;

/// Reads the fields of one kind of record, tolerantly: absent, null and blank are the same, and a
/// text may be written as a number, a number as a text.
pub(crate) struct Reader<'a> {
    record: &'a Record,
    kind: &'static str,
}

impl Reader<'_> {
    /// A text as it came, or the digits of a number.
    pub(crate) fn text(&self, field: &'static str) -> Result<Option<String>, RecordError> {
        let Some(json) = self.json(field) else {
            return Ok(None);
        };
        let text = match json.bytes().next() {
            Some(b'"') => {
                json::string(json).map_err(|error| self.invalid(field, error.to_string()))?
            }
            Some(b'-' | b'0'..=b'9') => json.to_owned(),
            _ => return Err(self.invalid(field, "a text or a number was expected".to_owned())),
        };
        Ok((!text.trim().is_empty()).then_some(text))
    }

    pub(crate) fn required_text(&self, field: &'static str) -> Result<String, RecordError> {
        self.text(field)?.ok_or_else(|| self.missing(field))
    }

    /// A value that is written as a number or as a text.
    pub(crate) fn parsed<T>(&self, field: &'static str) -> Result<Option<T>, RecordError>
    where
        T: FromStr<Err: fmt::Display>,
    {
        self.text(field)?
            .map(|text| text.trim().parse())
            .transpose()
            .map_err(|error: T::Err| self.invalid(field, error.to_string()))
    }

    pub(crate) fn required_amount(&self, field: &'static str) -> Result<Amount, RecordError> {
        self.parsed(field)?.ok_or_else(|| self.missing(field))
    }

    pub(crate) fn record(&self, field: &'static str) -> Result<Record, RecordError> {
        let json = self.json(field).ok_or_else(|| self.missing(field))?;
        Record::read(json).map_err(|error| self.invalid(field, error.to_string()))
    }

    /// An array of objects.
    pub(crate) fn records(&self, field: &'static str) -> Result<Vec<Record>, RecordError> {
        let json = self.json(field).ok_or_else(|| self.missing(field))?;
        Record::read_array(json).map_err(|error| self.invalid(field, error.to_string()))
    }

    fn json(&self, field: &str) -> Option<&str> {
        self.record.get(field).filter(|json| *json != "null")
    }

    fn missing(&self, field: &'static str) -> RecordError {
        RecordError::Missing {
            record: self.kind,
            field,
        }
    }

    fn invalid(&self, field: &'static str, reason: String) -> RecordError {
        RecordError::Invalid {
            record: self.kind,
            field,
            reason,
        }
    }
}
