//! Amounts in the number format of a locale.

#[cfg(not(target_arch = "wasm32"))]
mod icu;
#[cfg(target_arch = "wasm32")]
mod intl;

#[cfg(not(target_arch = "wasm32"))]
use icu as locales;
#[cfg(target_arch = "wasm32")]
use intl as locales;
use tender_protocol::Amount;
use tender_protocol::client::typed::DecimalSeparator;

/// The locales whose number format is built in: the first `Intl` object of a page takes the browser 10 ms, and 45 to
/// 80 ms on a slow phone, just when the price is to be shown.
const BUILT_IN: [&str; 3] = ["en", "en-US", "en-GB"];

/// The amount with the digit grouping of `locale`, and at least `min_fraction_digits` decimal places. No digit is lost.
///
/// Where the locale is unknown, or can't be formatted exactly, the result is the plain digits.
pub fn format(amount: &Amount, min_fraction_digits: usize, locale: &str) -> String {
    if BUILT_IN.contains(&locale) {
        return in_english(amount, min_fraction_digits);
    }
    let places = amount.fraction().len().max(min_fraction_digits);
    locales::format(amount, places, locale).unwrap_or_else(|| amount.to_string())
}

/// How `locale`, a BCP 47 tag, separates decimals.
pub fn decimal_separator(locale: &str) -> DecimalSeparator {
    let half = "0.5".parse().map(|half| format(&half, 1, locale));
    if half.is_ok_and(|half| half.contains(',')) {
        DecimalSeparator::Comma
    } else {
        DecimalSeparator::Point
    }
}

/// The English format of Unicode's CLDR: a comma before every three digits, and a decimal point.
fn in_english(amount: &Amount, min_fraction_digits: usize) -> String {
    let (integer, fraction) = (amount.integer(), amount.fraction());
    let mut text = String::new();
    for (at, digit) in integer.char_indices() {
        if at > 0 && (integer.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if fraction.len().max(min_fraction_digits) > 0 {
        text.push('.');
        text.push_str(fraction);
        text.extend((fraction.len()..min_fraction_digits).map(|_| '0'));
    }
    text
}
