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

/// The amount with the grouping and the digits of `locale`, each of its digits shown, and at
/// least `min_places` of them behind the point.
///
/// A browser that can't format a decimal string exactly (`Intl.NumberFormat` before its third
/// edition reads it as a float), or does not know the locale, leaves the plain digits.
#[must_use]
pub fn group(amount: &Amount, min_places: usize, locale: &str) -> String {
    let digits = amount.to_string();
    let places = amount.fraction().len();
    let is_exact = format("en", places, false, &digits).is_ok_and(|plain| plain == digits);
    match format(locale, places.max(min_places), true, &digits) {
        Ok(grouped) if is_exact => grouped,
        _ => digits,
    }
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
