//! JSON objects whose values keep their own text.
//!
//! An answer of the service is read field by field: a field that is missing or of another type is
//! named in the error, unknown fields are kept (the proxy hands them on) or ignored (the widget),
//! and a number is never forced through a float.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::ser::{Error as _, SerializeMap};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::amount::{self, Amount};

/// A JSON object in its original order; each value is the text that stood on the wire.
#[derive(Clone, Debug, Default)]
pub struct Record {
    fields: Vec<(String, Box<RawValue>)>,
}

/// Why an answer is not the record that was expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// Not JSON, or JSON of another shape.
    #[error("the answer is not {expected}: {reason}")]
    NotJson {
        /// What should have stood there, as a noun phrase.
        expected: &'static str,
        /// What the JSON reader says.
        reason: String,
    },
    /// A required field is absent, null or empty.
    #[error("the {record} record has no `{field}`")]
    Missing {
        /// The kind of record: `payment`, `token` or `network`.
        record: &'static str,
        /// The service's name of the field.
        field: &'static str,
    },
    /// A field holds something else than its documented type.
    #[error("the {record} record's `{field}` is not as documented: {reason}")]
    Invalid {
        /// The kind of record: `payment`, `token` or `network`.
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
        serde_json::from_str(json).map_err(|error| RecordError::not_json(expected, &error))
    }

    /// Reads a JSON array of objects.
    ///
    /// # Errors
    /// [`RecordError::NotJson`] where `json` is anything else.
    pub fn parse_array(json: &str, expected: &'static str) -> Result<Vec<Self>, RecordError> {
        serde_json::from_str(json).map_err(|error| RecordError::not_json(expected, &error))
    }

    /// The value of `field` as JSON text. Where a field stands twice, the last one counts, as in
    /// `JSON.parse`.
    #[must_use]
    pub fn get(&self, field: &str) -> Option<&RawValue> {
        self.fields
            .iter()
            .rev()
            .find(|(name, _)| name == field)
            .map(|(_, value)| &**value)
    }

    /// Sets `field` to a string, as the record's last field.
    ///
    /// # Errors
    /// Never for a string: the signature is `serde_json`'s.
    pub fn set(&mut self, field: &str, text: &str) -> Result<(), serde_json::Error> {
        let value = serde_json::value::to_raw_value(text)?;
        self.fields.retain(|(name, _)| name != field);
        self.fields.push((field.to_owned(), value));
        Ok(())
    }

    /// Starts reading the fields of a `kind` record (`payment`, `token`, `network`).
    #[must_use]
    pub(crate) fn reader(&self, kind: &'static str) -> Reader<'_> {
        Reader { record: self, kind }
    }
}

impl RecordError {
    fn not_json(expected: &'static str, error: &serde_json::Error) -> Self {
        Self::NotJson {
            expected,
            reason: error.to_string(),
        }
    }
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields;

        impl<'de> Visitor<'de> for Fields {
            type Value = Record;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Record, A::Error> {
                let mut fields = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    fields.push(entry);
                }
                Ok(Record { fields })
            }
        }

        deserializer.deserialize_map(Fields)
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.fields.len()))?;
        for (name, value) in &self.fields {
            map.serialize_entry(name, value).map_err(S::Error::custom)?;
        }
        map.end()
    }
}

/// Reads the fields of one kind of record, tolerantly: absent, null and empty are the same, and a
/// text may be written as a number.
pub(crate) struct Reader<'a> {
    record: &'a Record,
    kind: &'static str,
}

impl Reader<'_> {
    pub(crate) fn text(&self, field: &'static str) -> Result<Option<String>, RecordError> {
        let Some(json) = self.json(field) else {
            return Ok(None);
        };
        if json.starts_with('"') {
            let text: String = serde_json::from_str(json)
                .map_err(|error| self.invalid(field, error.to_string()))?;
            let text = text.trim();
            return Ok((!text.is_empty()).then(|| text.to_owned()));
        }
        if json.starts_with(|first: char| first == '-' || first.is_ascii_digit()) {
            return Ok(Some(json.to_owned()));
        }
        Err(self.invalid(field, "a text was expected".to_owned()))
    }

    pub(crate) fn required_text(&self, field: &'static str) -> Result<String, RecordError> {
        self.text(field)?.ok_or_else(|| self.missing(field))
    }

    pub(crate) fn amount(&self, field: &'static str) -> Result<Option<Amount>, RecordError> {
        match self.json(field) {
            None | Some(r#""""#) => Ok(None),
            Some(json) => amount::from_json(json)
                .map(Some)
                .map_err(|error| self.invalid(field, error.to_string())),
        }
    }

    pub(crate) fn required_amount(&self, field: &'static str) -> Result<Amount, RecordError> {
        self.amount(field)?.ok_or_else(|| self.missing(field))
    }

    pub(crate) fn small_integer(&self, field: &'static str) -> Result<Option<u8>, RecordError> {
        self.text(field)?
            .map(|text| {
                text.parse().map_err(|_| {
                    self.invalid(
                        field,
                        format!("{text:?} is not a whole number from 0 to 255"),
                    )
                })
            })
            .transpose()
    }

    pub(crate) fn record(&self, field: &'static str) -> Result<Record, RecordError> {
        let json = self.json(field).ok_or_else(|| self.missing(field))?;
        serde_json::from_str(json).map_err(|error| self.invalid(field, error.to_string()))
    }

    fn json(&self, field: &str) -> Option<&str> {
        self.record
            .get(field)
            .map(RawValue::get)
            .filter(|json| *json != "null")
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
