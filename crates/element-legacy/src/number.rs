//! Amounts as a person reads them.

use js_sys::{Object, Reflect};
use tender_protocol::Amount;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    type NumberFormat;

    #[wasm_bindgen(constructor, catch, js_namespace = Intl)]
    fn new(locale: &str, options: &Object) -> Result<NumberFormat, JsValue>;

    /// Takes the digits as a string: a number would pass through a float.
    #[wasm_bindgen(method, catch)]
    fn format(this: &NumberFormat, digits: &str) -> Result<String, JsValue>;
}

/// The locales whose numbers are built in, as the texts of English are: the first `Intl` object of a page costs the
/// browser 10 ms and more, 45 to 80 on a slow phone, just when the price is to be shown (docs/PERFORMANCE.md).
const BUILT_IN: [&str; 3] = ["en", "en-US", "en-GB"];

/// The amount with the grouping and the digits of `locale`, each of its digits shown, and at
/// least `min_places` of them behind the point.
///
/// A browser that can't format a decimal string exactly (`Intl.NumberFormat` before its third
/// edition reads it as a float), or does not know the locale, leaves the plain digits.
#[must_use]
pub fn group(amount: &Amount, min_places: usize, locale: &str) -> String {
    if BUILT_IN.contains(&locale) {
        return in_english(amount, min_places);
    }
    let digits = amount.to_string();
    let places = amount.fraction().len();
    let is_exact = format("en", places, false, &digits).is_ok_and(|plain| plain == digits);
    match format(locale, places.max(min_places), true, &digits) {
        Ok(grouped) if is_exact => grouped,
        _ => digits,
    }
}

/// As Unicode's CLDR has it for `en`: a comma before each three digits, a point.
fn in_english(amount: &Amount, min_places: usize) -> String {
    let (integer, fraction) = (amount.integer(), amount.fraction());
    let mut text = String::new();
    for (at, digit) in integer.char_indices() {
        if at > 0 && (integer.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if fraction.len().max(min_places) > 0 {
        text.push('.');
        text.push_str(fraction);
        text.extend((fraction.len()..min_places).map(|_| '0'));
    }
    text
}

fn format(locale: &str, places: usize, grouped: bool, digits: &str) -> Result<String, JsValue> {
    let options = Object::new();
    let places = JsValue::from(u32::try_from(places).unwrap_or(u32::MAX));
    for (name, value) in [
        ("minimumFractionDigits", &places),
        ("maximumFractionDigits", &places),
        ("useGrouping", &grouped.into()),
        // The digits that a wallet shows, so that the two can be compared.
        ("numberingSystem", &"latn".into()),
    ] {
        Reflect::set(&options, &name.into(), value)?;
    }
    NumberFormat::new(locale, &options)?.format(digits)
}
