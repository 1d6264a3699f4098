//! Exact decimal amounts.
//!
//! An amount is read from its decimal text and written back as text. It is never converted to a binary
//! float.

mod parse;

use std::cmp::Ordering;
use std::fmt;

use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

/// Maximum number of digits on either side of the decimal point: more than any amount of money needs. It
/// also limits the memory that a hostile exponent (`1e999999999`) can use.
pub const MAX_DIGITS: usize = 128;

/// Number of fractional digits that the service shows (the service's document, "Payment record").
pub const SHOWN_DECIMALS: u8 = 8;

/// An exact, non-negative decimal, without a unit.
///
/// It is read from a JSON number (RFC 8259, section 6), or from a string with one. It is printed as plain
/// decimal digits: no exponent, no grouping, `.` as the decimal point. Trailing zeros are kept as the
/// service wrote them (`1.10000000`), and ignored in comparisons.
///
/// ```
/// use tender_protocol::Amount;
/// let amount: Amount = "1e-8".parse()?;
/// assert_eq!(amount.to_string(), "0.00000001");
/// assert_eq!(amount, "0.000000010".parse()?);
/// # Ok::<(), tender_protocol::AmountError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Amount {
    /// Without leading zeros, except a single `0`.
    integer: String,
    /// Possibly empty.
    fraction: String,
}

/// Why a text is not an [`Amount`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AmountError {
    /// Not written as a JSON number.
    #[error("`{0}` is not a decimal number; write it like 12.50, without grouping or a currency")]
    NotANumber(String),
    /// Below zero.
    #[error("`{0}` is negative; an amount to pay is zero or more")]
    Negative(String),
    /// More than [`MAX_DIGITS`] digits on one side of the point.
    #[error("the number has more than {MAX_DIGITS} digits on one side of its point")]
    TooLong,
}

impl Amount {
    /// Whether the value is zero.
    pub fn is_zero(&self) -> bool {
        self.integer == "0" && self.fraction.bytes().all(|digit| digit == b'0')
    }

    /// The digits before the point, without leading zeros.
    pub fn integer(&self) -> &str {
        &self.integer
    }

    /// The digits after the point, with trailing zeros; empty if there are none.
    pub fn fraction(&self) -> &str {
        &self.fraction
    }

    /// The exact sum, with as many fractional digits as the longer of the two.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let places = self.fraction.len().max(other.fraction.len());
        let digits = |amount: &Self| format!("{}{:0<places$}", amount.integer, amount.fraction);
        let (a, b) = (digits(self), digits(other));
        let width = a.len().max(b.len());
        let (a, b) = (format!("{a:0>width$}"), format!("{b:0>width$}"));
        let mut carry = 0;
        let mut sum: Vec<char> = Vec::with_capacity(width + 1);
        for (a, b) in a.bytes().zip(b.bytes()).rev() {
            let digit = (a - b'0') + (b - b'0') + carry;
            carry = digit / 10;
            sum.push(char::from(b'0' + digit % 10));
        }
        sum.push(char::from(b'0' + carry));
        let mut integer: String = sum.into_iter().rev().collect();
        let fraction = integer.split_off(integer.len().saturating_sub(places));
        Self {
            integer: without_leading_zeros(&integer).to_owned(),
            fraction,
        }
    }

    /// Rounds up to `decimals` fractional digits, so that a payer never sends too little. Also returns
    /// whether the result is more than this amount.
    pub fn round_up(&self, decimals: u8) -> (Self, bool) {
        let Some((kept, rest)) = self.fraction.split_at_checked(usize::from(decimals)) else {
            return (self.clone(), false);
        };
        let rounded_up = rest.bytes().any(|digit| digit != b'0');
        let mut integer = format!("{}{kept}", self.integer);
        if rounded_up {
            integer = increment(&integer);
        }
        let fraction = integer.split_off(integer.len().saturating_sub(kept.len()));
        (Self { integer, fraction }, rounded_up)
    }

    /// Whether `other` is more or less than this amount by at least one percent of it.
    pub fn differs_by_a_percent(&self, other: &Self) -> bool {
        let (own, of_other) = (self.hundredfold(), other.hundredfold());
        of_other >= own.plus(self) || of_other.plus(self) <= own
    }

    fn hundredfold(&self) -> Self {
        let (shifted, rest) = self
            .fraction
            .split_at_checked(2)
            .unwrap_or((&self.fraction, ""));
        let integer = format!("{}{shifted:0<2}", self.integer);
        Self {
            integer: without_leading_zeros(&integer).to_owned(),
            fraction: rest.to_owned(),
        }
    }

    /// Whether `listed` may be this amount as the service returns it: the same, or rounded to
    /// [`SHOWN_DECIMALS`] in either direction.
    pub fn may_be_listed_as(&self, listed: &Self) -> bool {
        let (up, is_rounded) = self.round_up(SHOWN_DECIMALS);
        let mut down = self.clone();
        down.fraction.truncate(usize::from(SHOWN_DECIMALS));
        self == listed || (is_rounded && (up == *listed || down == *listed))
    }

    /// The amount in the smallest unit of a token with these decimals (satoshi, wei, sun), rounded up to a whole unit: an
    /// integer in decimal digits, without leading zeros.
    pub fn to_base_units(&self, decimals: u8) -> String {
        let (amount, _) = self.round_up(decimals);
        let digits = format!(
            "{}{:0<2$}",
            amount.integer,
            amount.fraction,
            usize::from(decimals)
        );
        without_leading_zeros(&digits).to_owned()
    }

    fn significant_fraction(&self) -> &str {
        self.fraction.trim_end_matches('0')
    }
}

/// Zero.
impl Default for Amount {
    fn default() -> Self {
        Self {
            integer: "0".to_owned(),
            fraction: String::new(),
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.integer)?;
        if !self.fraction.is_empty() {
            formatter.write_str(".")?;
            formatter.write_str(&self.fraction)?;
        }
        Ok(())
    }
}

impl PartialEq for Amount {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Amount {}

impl PartialOrd for Amount {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Amount {
    fn cmp(&self, other: &Self) -> Ordering {
        // Without leading zeros the longer integer is the larger; fractions compare as text.
        (self.integer.len().cmp(&other.integer.len()))
            .then_with(|| self.integer.cmp(&other.integer))
            .then_with(|| {
                self.significant_fraction()
                    .cmp(other.significant_fraction())
            })
    }
}

/// Reads a JSON number, or a string with one, from its text.
///
/// The text comes from [`RawValue`]. The feature `arbitrary_precision` of `serde_json` would keep the
/// digits too, and could read an amount out of a [`serde_json::Value`]. It is not used because
///
/// - a feature applies to the whole build: with it, no dependency can read a float inside an untagged
///   enum or a flattened field;
/// - it rewrites exponents (`1E8` becomes `1e+8`), while [`Record`](crate::Record) must pass numbers on
///   unchanged, so `RawValue` is needed anyway.
///
/// Read amounts from JSON text only. Inside an untagged enum or a flattened field, which serde buffers,
/// an amount is refused with an error; in a `Value`, the number is a float already.
impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = Box::<RawValue>::deserialize(deserializer)?;
        let json = raw.get();
        if json.starts_with('"') {
            let text: String = serde_json::from_str(json).map_err(D::Error::custom)?;
            text.trim().parse()
        } else {
            json.parse()
        }
        .map_err(D::Error::custom)
    }
}

/// Writes a JSON number, the type of amounts in the service's document.
///
/// `serde_json::to_value` and `json!` convert the number to a float. Where a [`serde_json::Value`] is
/// needed, insert the amount as a string ([`ToString`]).
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.to_string())
            .map_err(S::Error::custom)?
            .serialize(serializer)
    }
}

#[cfg(feature = "openapi")]
impl utoipa::PartialSchema for Amount {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
        use utoipa::openapi::schema::{ObjectBuilder, SchemaType, Type};
        ObjectBuilder::new()
            .schema_type(SchemaType::from_iter([Type::String, Type::Number]))
            .description(Some(
                "An exact decimal. Requests may have a string, which keeps its digits in every JSON library; \
                 responses have the number as the service wrote it.",
            ))
            .pattern(Some(r"^(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?$"))
            .minimum(Some(0))
            .examples(["25.00"])
            .into()
    }
}

#[cfg(feature = "openapi")]
impl utoipa::ToSchema for Amount {}

/// Adds one to a number in decimal digits.
fn increment(digits: &str) -> String {
    let mut sum = digits.trim_end_matches('9').to_owned();
    let nines = digits.len().saturating_sub(sum.len());
    let last = sum.pop().and_then(|digit| digit.to_digit(10)).unwrap_or(0);
    format!("{sum}{}{:0<nines$}", last + 1, "")
}

fn without_leading_zeros(digits: &str) -> &str {
    let trimmed = digits.trim_start_matches('0');
    if trimmed.is_empty() { "0" } else { trimmed }
}
