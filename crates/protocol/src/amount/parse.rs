//! Reads an amount from the text of a number.

use std::str::FromStr;

use super::{Amount, AmountError, MAX_DIGITS, without_leading_zeros};

impl FromStr for Amount {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        let excerpt = || text.chars().take(40).collect();
        let unsigned = text.strip_prefix('-').unwrap_or(text);
        let (integer, fraction, exponent) =
            split(unsigned).ok_or_else(|| AmountError::NotANumber(excerpt()))?;
        // An exponent that does not fit an i32 is too long in either direction.
        let exponent = exponent.parse().map_err(|_| AmountError::TooLong)?;
        let amount = shifted(integer, fraction, exponent)?;
        // JSON writes a zero with a sign too.
        if unsigned.len() < text.len() && !amount.is_zero() {
            return Err(AmountError::Negative(excerpt()));
        }
        Ok(amount)
    }
}

/// Splits a JSON number without a sign (RFC 8259, section 6) into integer, fraction and exponent.
fn split(number: &str) -> Option<(&str, &str, &str)> {
    let (mantissa, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let (integer, fraction) = match mantissa.split_once('.') {
        Some((_, "")) => return None,
        Some(parts) => parts,
        None => (mantissa, ""),
    };
    let places = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
    let is_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let is_number = [integer, fraction, places].into_iter().all(is_digits)
        && !integer.is_empty()
        && !places.is_empty()
        && (integer == "0" || !integer.starts_with('0'));
    is_number.then_some((integer, fraction, exponent))
}

/// The number with its decimal point moved `by` places to the right (to the left where negative).
fn shifted(integer: &str, fraction: &str, by: i32) -> Result<Amount, AmountError> {
    let places = usize::try_from(by.unsigned_abs()).map_err(|_| AmountError::TooLong)?;
    // Before anything is padded: a hostile exponent must cost nothing.
    if places > 2 * MAX_DIGITS {
        return Err(AmountError::TooLong);
    }
    let (integer, fraction) = if by < 0 {
        let mut kept = format!("{integer:0>places$}");
        let moved = kept.split_off(kept.len().saturating_sub(places));
        (kept, moved + fraction)
    } else {
        let mut moved = format!("{fraction:0<places$}");
        let kept = moved.split_off(places);
        (integer.to_owned() + &moved, kept)
    };
    let integer = without_leading_zeros(&integer).to_owned();
    if integer.len() > MAX_DIGITS || fraction.len() > MAX_DIGITS {
        return Err(AmountError::TooLong);
    }
    Ok(Amount { integer, fraction })
}
