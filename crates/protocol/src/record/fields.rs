//! Reads the raw fields of a record into a typed one.
//!
//! `serde_json` alone is not enough: its errors contain a line and a column, but not the field; it
//! rejects duplicate fields; and for a required field it does not treat null as absent.
//!
//! A struct is read from a sequence of its fields, in the order of their declaration, and not from a map.
//! This takes half as much code.

use std::{fmt, slice};

use serde::de::value::UnitDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, Expected, SeqAccess, Unexpected, Visitor,
};
use serde_json::value::RawValue;

use super::{Record, RecordError};

/// Reads the fields into a struct `T`. Fields that it does not name are ignored.
pub(super) fn read<T: DeserializeOwned>(record: &Record) -> Result<T, FieldError> {
    T::deserialize(RecordDeserializer(record))
}

struct RecordDeserializer<'de>(&'de Record);

impl<'de> Deserializer<'de> for RecordDeserializer<'de> {
    type Error = FieldError;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        let values = Fields {
            record: self.0,
            names: fields.iter(),
        };
        visitor
            .visit_seq(values)
            .map_err(|error| error.with_name(fields))
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, FieldError> {
        Err(de::Error::custom("a record is read into a struct"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}

/// Passes the values of the fields to derived code, and adds the name of the field to an error.
struct Fields<'de> {
    record: &'de Record,
    /// The names of the fields that are still to be read.
    names: slice::Iter<'static, &'static str>,
}

impl<'de> SeqAccess<'de> for Fields<'de> {
    type Error = FieldError;

    /// `None` for an absent field: derived code takes its default then, or fails with
    /// [`invalid_length`](de::Error::invalid_length).
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, FieldError> {
        let Some((name, value)) = self.next_field() else {
            return Ok(None);
        };
        let Some(value) = value else {
            // An `Option` reads `None` from this, and any other type fails.
            let absent = UnitDeserializer::<FieldError>::new();
            return Ok(seed.deserialize(absent).ok());
        };
        let value = seed.deserialize(value);
        value.map(Some).map_err(|error| FieldError::Invalid {
            field: name.to_owned(),
            reason: error.to_string(),
        })
    }
}

impl<'de> Fields<'de> {
    /// The name of the next field, and its value unless that is blank or absent.
    fn next_field(&mut self) -> Option<(&'static str, Option<&'de RawValue>)> {
        let name = self.names.next()?;
        let value = self.record.value(name);
        Some((name, value.filter(|value| !is_blank(value.get()))))
    }
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
    /// The position of a required field that is absent.
    #[error("missing field {0}")]
    MissingAt(usize),
    #[error("missing field `{0}`")]
    Missing(&'static str),
    #[error("invalid field `{field}`: {reason}")]
    Invalid { field: String, reason: String },
    #[error("{0}")]
    Other(String),
}

impl FieldError {
    fn with_name(self, fields: &'static [&'static str]) -> Self {
        match self {
            Self::MissingAt(at) => fields.get(at).map_or(self, |name| Self::Missing(name)),
            other => other,
        }
    }

    pub(super) fn in_record(self, record: &'static str) -> RecordError {
        match self {
            Self::Missing(field) => RecordError::Missing { record, field },
            Self::Invalid { field, reason } => RecordError::Invalid {
                record,
                field,
                reason,
            },
            Self::MissingAt(_) | Self::Other(_) => RecordError::NotJson {
                expected: record,
                reason: self.to_string(),
            },
        }
    }
}

impl de::Error for FieldError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self::Other(message.to_string())
    }

    /// Only of an absent field, whose error is not shown. The default would write the value, which may be a float: that code
    /// would take 7 KB of the module.
    fn invalid_type(_: Unexpected, expected: &dyn Expected) -> Self {
        Self::custom(expected)
    }

    /// Derived code calls this for a required field that is absent.
    fn invalid_length(at: usize, _expected: &dyn Expected) -> Self {
        Self::MissingAt(at)
    }
}
