//! The browser's number formats.

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

/// `None` where the browser can't format a decimal string exactly (`Intl.NumberFormat` before version 3 converts it to a
/// float), or does not know the locale.
pub(super) fn format(amount: &Amount, places: usize, locale: &str) -> Option<String> {
    let digits = amount.to_string();
    let own_places = amount.fraction().len();
    let is_exact = intl_format("en", own_places, false, &digits).is_ok_and(|plain| plain == digits);
    let grouped = intl_format(locale, places, true, &digits);
    grouped.ok().filter(|_| is_exact)
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
