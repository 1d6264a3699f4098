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

use super::{Record, RecordError};

/// Reads the fields into a struct `T`, a record of this kind. Fields that it does not name are ignored.
pub(super) fn read<T: DeserializeOwned>(
    record: &Record,
    kind: &'static str,
) -> Result<T, RecordError> {
    T::deserialize(RecordDeserializer { record, kind }).map_err(|FieldError(error)| error)
}

struct RecordDeserializer<'de> {
    record: &'de Record,
    kind: &'static str,
}

impl<'de> Deserializer<'de> for RecordDeserializer<'de> {
    type Error = FieldError;

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _name: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, FieldError> {
        let Self { record, kind } = self;
        let mut values = Fields {
            record,
            kind,
            names: fields.iter(),
            absent: None,
        };
        visitor.visit_seq(&mut values).map_err(|error| {
            // Derived code fails right after a required field that is absent.
            let missing = values.absent.map(|field| RecordError::Missing {
                record: kind,
                field,
            });
            missing.map_or(error, FieldError)
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

/// Passes the values of the fields to derived code, and adds the name of the field to an error.
struct Fields<'de> {
    record: &'de Record,
    kind: &'static str,
    /// The names of the fields that are still to be read.
    names: slice::Iter<'static, &'static str>,
    /// The field that was read last, if it is absent and has no value of its own then.
    absent: Option<&'static str>,
}

impl<'de> SeqAccess<'de> for Fields<'de> {
    type Error = FieldError;

    /// `None` for an absent field: derived code takes its default then, or fails.
    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, FieldError> {
        self.absent = None;
        let Some(name) = self.names.next() else {
            return Ok(None);
        };
        let value = self.record.value(name);
        let Some(value) = value.filter(|value| !is_blank(value.get())) else {
            // An `Option` reads `None` from this, and any other type fails.
            let none = seed.deserialize(UnitDeserializer::<FieldError>::new()).ok();
            self.absent = none.is_none().then_some(*name);
            return Ok(none);
        };
        let value = seed.deserialize(value);
        value.map(Some).map_err(|error| {
            FieldError(RecordError::Invalid {
                record: self.kind,
                field: (*name).to_owned(),
                reason: error.to_string(),
            })
        })
    }
}

/// Whether the value is null or a text without anything in it but white space.
fn is_blank(json: &str) -> bool {
    let is_blank_text =
        || serde_json::from_str(json).is_ok_and(|text: String| text.trim().is_empty());
    json == "null" || (json.starts_with('"') && is_blank_text())
}

/// What is wrong with a record.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
struct FieldError(RecordError);

impl de::Error for FieldError {
    fn custom<T: fmt::Display>(message: T) -> Self {
        Self(RecordError::NotJson {
            expected: "a record",
            reason: message.to_string(),
        })
    }

    /// Only of an absent field, whose error is not shown. The default would write the value, which may be a float: that code
    /// would take 7 KB of the module.
    fn invalid_type(_: Unexpected, expected: &dyn Expected) -> Self {
        Self::custom(expected)
    }

    /// As [`invalid_type`](Self::invalid_type).
    fn invalid_length(_: usize, expected: &dyn Expected) -> Self {
        Self::custom(expected)
    }
}
