//! Reads the raw fields of a record into a typed one.
//!
//! `serde_json` alone would not do: its errors give a line and a column, but not the field; it
//! refuses a field that is there twice; and null is not the same as absent for a required field.

use std::collections::{BTreeMap, btree_map};
use std::fmt;

use serde::de::value::{MapAccessDeserializer, StrDeserializer};
use serde::de::{self, DeserializeOwned, DeserializeSeed, MapAccess};
use serde_json::value::RawValue;

use super::RecordError;

/// Reads the fields into a `T`.
pub(super) fn read<'a, T: DeserializeOwned>(
    record: impl Iterator<Item = (&'a str, &'a RawValue)>,
) -> Result<T, FieldError> {
    // The last of two fields with the same name wins. Not collected: that would sort, and bring a sorting algorithm into
    // the widget.
    let mut fields: BTreeMap<&str, &RawValue> = BTreeMap::new();
    for (name, value) in record {
        fields.insert(name, value);
    }
    fields.retain(|_, value| !is_blank(value.get()));
    T::deserialize(MapAccessDeserializer::new(Fields {
        rest: fields.into_iter(),
        value: None,
    }))
}

/// Whether the value is null or a text without anything in it but white space.
fn is_blank(json: &str) -> bool {
    let is_blank_text =
        || serde_json::from_str(json).is_ok_and(|text: String| text.trim().is_empty());
    json == "null" || (json.starts_with('"') && is_blank_text())
}

/// What is wrong with a field.
#[derive(Debug, thiserror::Error)]
pub(super) enum FieldError {
    #[error("missing field `{0}`")]
    Missing(&'static str),
    #[error("invalid field `{field}`: {reason}")]
    Invalid { field: String, reason: String },
    #[error("{0}")]
    Other(String),
}

impl FieldError {
    pub(super) fn in_record(self, record: &'static str) -> RecordError {
        match self {
            Self::Missing(field) => RecordError::Missing { record, field },
            Self::Invalid { field, reason } => RecordError::Invalid {
                record,
                field,
                reason,
            },
            Self::Other(reason) => RecordError::NotJson {
                expected: record,
                reason,
            },
        }
    }
}

impl de::Error for FieldError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    /// Derived code calls this with the name of a required field that is absent.
    fn missing_field(field: &'static str) -> Self {
        Self::Missing(field)
    }
}

/// Hands the fields to derived code, and adds the name of the field to the error of its value.
struct Fields<'a> {
    rest: btree_map::IntoIter<&'a str, &'a RawValue>,
    /// The field whose name was read last.
    value: Option<(&'a str, &'a RawValue)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = FieldError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, FieldError> {
        self.value = self.rest.next();
        let name = self.value.map(|(name, _)| StrDeserializer::new(name));
        name.map(|name| seed.deserialize(name)).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(
        &mut self,
        seed: V,
    ) -> Result<V::Value, FieldError> {
        let (name, value) = (self.value.take())
            .ok_or_else(|| de::Error::custom("a value was read before its name"))?;
        seed.deserialize(value)
            .map_err(|error| FieldError::Invalid {
                field: name.to_owned(),
                reason: error.to_string(),
            })
    }
}
