//! What people type: with an input method, with the digits of their language, with a decimal comma.

use crate::Amount;

/// The zero of other decimal digits: Arabic, Persian and Urdu, Hindi.
const ZEROS: [char; 3] = ['\u{660}', '\u{6f0}', '\u{966}'];

/// The decimal separator of a language (Unicode's CLDR, with Latin digits).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DecimalSeparator {
    /// `12.50`
    #[default]
    Point,
    /// `12,50`
    Comma,
}

/// Reads an amount whose meaning is certain. Exponents are rejected, because they are typing errors.
///
/// With a decimal comma both `12,50` and `12.50` are an amount, but not what may be thousands: `1.500` and `1,500`.
pub fn typed_amount(typed: &str, separator: DecimalSeparator) -> Option<Amount> {
    if typed.contains(['e', 'E']) {
        return None;
    }
    match (separator, typed.split_once(['.', ','])) {
        (DecimalSeparator::Point, _) | (_, None) => typed.parse().ok(),
        (DecimalSeparator::Comma, Some((integer, fraction))) => {
            let may_be_thousands =
                fraction.len() == 3 && integer.len() <= 3 && !integer.starts_with('0');
            let with_point = (!may_be_thousands).then(|| format!("{integer}.{fraction}"));
            with_point?.parse().ok()
        }
    }
}

/// The text with ASCII in place of full-width characters (Unicode's block "Halfwidth and Fullwidth Forms") and of the digits
/// of other languages.
pub fn in_ascii(text: &str) -> String {
    text.chars().map(ascii).collect()
}

fn ascii(character: char) -> char {
    match character {
        '\u{ff01}'..='\u{ff5e}' => shifted(character, '\u{ff01}', '!'),
        // The Arabic decimal separator.
        '\u{66b}' => '.',
        _ => {
            let digits = |zero: &char| (*zero..=shifted('9', '0', *zero)).contains(&character);
            let zero = ZEROS.into_iter().find(digits);
            zero.map_or(character, |zero| shifted(character, zero, '0'))
        }
    }
}

/// The character that is as far from `to` as `character` is from `from`.
fn shifted(character: char, from: char, to: char) -> char {
    let distance = u32::from(character) - u32::from(from);
    char::from_u32(u32::from(to) + distance).unwrap_or(character)
}
