//! Amounts in the number format of a locale.

use js_sys::{Object, Reflect};
use tender_protocol::Amount;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type NumberFormat;

    #[wasm_bindgen(constructor, catch, js_namespace = Intl)]
    fn new(locale: &str, options: &Object) -> Result<NumberFormat, JsValue>;

    /// Takes the digits as a string, as a number is a float.
    #[wasm_bindgen(method, catch)]
    fn format(this: &NumberFormat, digits: &str) -> Result<String, JsValue>;
}

/// The locales whose number format is built in: the first `Intl` object of a page takes the browser 10 ms, and 45 to
/// 80 ms on a slow phone, just when the price is to be shown.
const BUILT_IN: [&str; 3] = ["en", "en-US", "en-GB"];

/// The amount with the digit grouping of `locale`, and at least `min_fraction_digits` decimal places. No digit is lost.
///
/// Where the browser can't format a decimal string exactly (`Intl.NumberFormat` before version 3 converts it to a float),
/// or does not know the locale, the result is the plain digits.
#[must_use]
pub fn format(amount: &Amount, min_fraction_digits: usize, locale: &str) -> String {
    if BUILT_IN.contains(&locale) {
        return in_english(amount, min_fraction_digits);
    }
    let digits = amount.to_string();
    let places = amount.fraction().len();
    let is_exact = intl_format("en", places, false, &digits).is_ok_and(|plain| plain == digits);
    match intl_format(locale, places.max(min_fraction_digits), true, &digits) {
        Ok(grouped) if is_exact => grouped,
        _ => digits,
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

fn intl_format(
    locale: &str,
    places: usize,
    grouped: bool,
    digits: &str,
) -> Result<String, JsValue> {
    let options = Object::new();
    let places = JsValue::from(u32::try_from(places).unwrap_or(u32::MAX));
    for (name, value) in [
        ("minimumFractionDigits", &places),
        ("maximumFractionDigits", &places),
        ("useGrouping", &grouped.into()),
        // The digits that wallets show, so that the buyer can compare.
        ("numberingSystem", &"latn".into()),
    ] {
        Reflect::set(&options, &name.into(), value)?;
    }
    NumberFormat::new(locale, &options)?.format(digits)
}
