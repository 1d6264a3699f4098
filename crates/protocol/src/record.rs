//! JSON objects whose values keep their own text.
//!
//! `serde_json` reads the JSON. This module adds what the payment service's responses need: unknown
//! fields and the digits of every number are kept, and an error names the field.

mod error;
mod fields;
mod lenient;

use std::collections::HashSet;
use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::{RawValue, to_raw_value};

pub use self::error::RecordError;
pub(crate) use self::lenient::{flag, number, optional_text, records, text};

/// A JSON object: its fields in their original order, each value as the text that it was sent as.
///
/// The proxy passes records on in this form: fields that it does not know are kept, and no number
/// is converted. [`read`](Self::read) turns one into a typed record.
#[derive(Clone, Debug, Default)]
pub struct Record {
    fields: Vec<(String, Box<RawValue>)>,
}

impl Record {
    /// Reads a JSON object.
    ///
    /// # Errors
    /// [`RecordError::NotJson`] if `json` is anything else.
    pub fn parse(json: &str, expected: &'static str) -> Result<Self, RecordError> {
        from_json(json, expected)
    }

    /// Reads a JSON array of objects. An element that is not an object is an error of its own; the
    /// others are still returned.
    ///
    /// # Errors
    /// [`RecordError::NotJson`] if `json` is not an array.
    pub fn parse_array(
        json: &str,
        expected: &'static str,
    ) -> Result<Vec<Result<Self, RecordError>>, RecordError> {
        let elements: Vec<&RawValue> = from_json(json, expected)?;
        let parse = |element: &RawValue| Self::parse(element.get(), "a record");
        Ok(elements.into_iter().map(parse).collect())
    }

    /// Reads the fields into a struct, a typed record of this `kind` (`payment`, `token` and the like).
    ///
    /// A field that is null or a blank text counts as absent. If a field is there twice, the last
    /// one counts, as in JavaScript's `JSON.parse`. Fields that `T` does not have are ignored.
    ///
    /// # Errors
    /// [`RecordError`], which names the field that is missing or invalid.
    pub fn read<T: DeserializeOwned>(&self, kind: &'static str) -> Result<T, RecordError> {
        fields::read(self, kind)
    }

    /// The value of `field` as JSON text. If the field is there twice, the last one counts.
    pub fn get(&self, field: &str) -> Option<&str> {
        self.value(field).map(RawValue::get)
    }

    /// Whether the value of `field` is `true`.
    pub fn is_true(&self, field: &str) -> bool {
        self.get(field) == Some("true")
    }

    fn value(&self, field: &str) -> Option<&RawValue> {
        let mut fields = self.fields.iter().rev();
        let (_, value) = fields.find(|(name, _)| name == field)?;
        Some(value)
    }

    /// The value of `field`, if it is a string.
    pub fn string(&self, field: &str) -> Option<String> {
        serde_json::from_str(self.get(field)?).ok()
    }

    /// The value of `field`, if it is a text or a number: the service may write either. A blank text counts as
    /// absent.
    pub fn text(&self, field: &str) -> Option<String> {
        let text = lenient::parse_text(self.get(field)?)?;
        (!text.trim().is_empty()).then_some(text)
    }

    /// Sets `field` to this value, as the last field of the record.
    ///
    /// # Errors
    /// The value can't be written as JSON; a string always can.
    pub fn set(
        &mut self,
        field: &str,
        value: &(impl Serialize + ?Sized),
    ) -> Result<(), serde_json::Error> {
        let value = to_raw_value(value)?;
        self.remove(field);
        self.fields.push((field.to_owned(), value));
        Ok(())
    }

    /// Sets `field` to true, as the last field of the record, or removes it, also if the service sends one of that name.
    /// Returns whether the field was set or removed.
    pub fn set_flag(&mut self, field: &str, applies: bool) -> bool {
        let is_removed = self.remove(field);
        if applies {
            let value = RawValue::TRUE.to_owned();
            self.fields.push((field.to_owned(), value));
        }
        applies || is_removed
    }

    /// Takes the value of `field` from another record, also its absence.
    pub fn take(&mut self, field: &str, from: &Self) {
        let Some(value) = from.value(field).map(ToOwned::to_owned) else {
            self.remove(field);
            return;
        };
        let mut fields = self.fields.iter_mut().rev();
        match fields.find(|(name, _)| name == field) {
            Some((_, old)) => *old = value,
            None => self.fields.push((field.to_owned(), value)),
        }
    }

    /// Removes all but the last of the fields with the same name, because parsers differ in which one they
    /// take. Returns whether there were any.
    pub fn keep_last(&mut self) -> bool {
        let before = self.fields.len();
        let mut seen = HashSet::new();
        self.fields.reverse();
        self.fields.retain(|(name, _)| seen.insert(name.clone()));
        self.fields.reverse();
        self.fields.len() < before
    }

    /// Removes `field`. Returns whether it was there.
    pub fn remove(&mut self, field: &str) -> bool {
        let before = self.fields.len();
        self.fields.retain(|(name, _)| name != field);
        self.fields.len() < before
    }
}

/// Rewrites each element of a JSON array. An array of which no element changes stays as it is, byte for byte.
///
/// # Errors
/// [`RecordError::NotJson`] if `json` is not an array.
pub fn map_elements(
    json: String,
    mut rewrite: impl FnMut(&str) -> String,
) -> Result<String, RecordError> {
    let elements: Vec<&RawValue> = from_json(&json, "a list of records")?;
    let elements = elements.into_iter().map(RawValue::get);
    let (old, new): (Vec<_>, Vec<_>) = elements.map(|old| (old, rewrite(old))).unzip();
    Ok(if new == old {
        json
    } else {
        format!("[{}]", new.join(","))
    })
}

/// Replaces the escapes of JSON that some programs can't read by that of U+FFFD: NUL, which PostgreSQL refuses in a text, and halves
/// of surrogate pairs. Anything else stays, byte for byte.
pub fn readable(json: String) -> String {
    if !json.contains("\\u") {
        return json;
    }
    let mut readable = String::with_capacity(json.len());
    let mut rest = &*json;
    while let Some(at) = rest.find('\\') {
        let (before, escape) = rest.split_at(at);
        readable.push_str(before);
        rest = escape;
        let next = escape.get(6..).and_then(code_unit);
        let (length, is_readable) = match (code_unit(escape), next) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (12, true),
            (Some(unit), _) => (6, unit != 0 && !(0xd800..=0xdfff).contains(&unit)),
            // The next character belongs to the escape, also if it is a backslash.
            (None, _) => (2, true),
        };
        let Some((escape, after)) = escape.split_at_checked(length) else {
            break;
        };
        readable.push_str(if is_readable { escape } else { "\\ufffd" });
        rest = after;
    }
    readable.push_str(rest);
    readable
}

/// The number in the escape `\uXXXX` at the beginning of this text.
fn code_unit(json: &str) -> Option<u16> {
    let digits = json.strip_prefix("\\u")?.get(..4)?;
    let is_hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u16::from_str_radix(digits, 16).ok().filter(|_| is_hex)
}

/// Reads `json`; `expected` says in an error what it should have been.
pub(crate) fn from_json<'a, T: Deserialize<'a>>(
    json: &'a str,
    expected: &'static str,
) -> Result<T, RecordError> {
    serde_json::from_str(json).map_err(|error| RecordError::NotJson {
        expected,
        reason: error.to_string(),
    })
}

impl<'de> Deserialize<'de> for Record {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct RecordVisitor;

        impl<'de> Visitor<'de> for RecordVisitor {
            type Value = Record;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Record, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = map.next_entry()? {
                    fields.push(field);
                }
                Ok(Record { fields })
            }
        }

        deserializer.deserialize_map(RecordVisitor)
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.fields.iter().map(|(name, value)| (name, value)))
    }
}
