//! Reads the raw fields of a record into a typed one.
//!
//! `serde_json` alone would not do: its errors give a line and a column, but not the field; it
//! refuses a field that is there twice; and null is not the same as absent for a required field.

use std::{fmt, slice};

use serde::de::value::StrDeserializer;
use serde::de::{self, DeserializeOwned, DeserializeSeed, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

use super::{Record, RecordError};

/// Reads the fields into a struct `T`.
pub(super) fn read<T: DeserializeOwned>(record: &Record) -> Result<T, FieldError> {
    T::deserialize(RecordDeserializer(record))
}

/// Reads the fields that a struct names. The others are never looked at.
struct RecordDeserializer<'de>(&'de Record);

impl<'de> Deserializer<'de> for RecordDeserializer<'de> {
    type Error = FieldError;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        visitor.visit_map(Fields {
            record: self.0,
            names: fields.iter(),
            value: None,
        })
    }

    fn deserialize_any<V: Visitor<'de>>(self, _visitor: V) -> Result<V::Value, FieldError> {
        Err(de::Error::custom("a record is read into a struct"))
    }

    serde::forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option unit
        unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
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
    record: &'a Record,
    /// The names that are still to be read.
    names: slice::Iter<'static, &'static str>,
    /// The field whose name was read last.
    value: Option<(&'static str, &'a RawValue)>,
}

impl<'de> MapAccess<'de> for Fields<'de> {
    type Error = FieldError;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, FieldError> {
        self.value = self.names.find_map(|name| {
            let value = self.record.value(name)?;
            (!is_blank(value.get())).then_some((*name, value))
        });
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
