//! Dates and times in the format of a locale.

#[cfg(not(target_arch = "wasm32"))]
mod icu;

use js_sys::{Object, Reflect};
use tender_protocol::Date;
use wasm_bindgen::prelude::*;

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = Date)]
    type BrowserDate;

    #[wasm_bindgen(constructor, catch, js_class = "Date")]
    fn new(time: &str) -> Result<BrowserDate, JsValue>;

    /// Throws for a tag that is not a locale.
    #[wasm_bindgen(method, catch, js_name = toLocaleString)]
    fn to_locale_string(
        this: &BrowserDate,
        locale: &str,
        options: &Object,
    ) -> Result<String, JsValue>;

    #[wasm_bindgen(method, catch, js_name = getTime)]
    fn get_time(this: &BrowserDate) -> Result<f64, JsValue>;
}

/// A time (RFC 3339) in local time, as `options` of `Intl.DateTimeFormat` say, with the same digits as amounts; unchanged if
/// the browser can't format it.
pub fn time(time: &str, options: &[(&str, &str)], locale: &str) -> String {
    format(time, options, locale).unwrap_or_else(|| time.to_owned())
}

/// The time now (RFC 3339); empty without a browser.
pub fn now() -> String {
    if cfg!(not(target_arch = "wasm32")) {
        return String::new();
    }
    js_sys::Date::new_0().to_iso_string().into()
}

/// A date of the service (`YYYY/MM/DD`), as `options` say; unchanged if it is none.
pub fn date(date: &str, options: &[(&str, &str)], locale: &str) -> String {
    // Without a time, the date is the same in every time zone.
    let options = [options, &[("timeZone", "UTC")]].concat();
    let day = Date::parse(date);
    let text = day.and_then(|day| format_date(day, &options, locale));
    text.unwrap_or_else(|| date.to_owned())
}

#[cfg(target_arch = "wasm32")]
fn format_date(date: Date, options: &[(&str, &str)], locale: &str) -> Option<String> {
    format(&date.iso(), options, locale)
}

/// Without a browser only the checkout is rendered, whose dates all have this style.
#[cfg(not(target_arch = "wasm32"))]
fn format_date(date: Date, _options: &[(&str, &str)], locale: &str) -> Option<String> {
    icu::medium(date, locale)
}

/// Always `None` without a browser.
fn format(time: &str, options: &[(&str, &str)], locale: &str) -> Option<String> {
    if cfg!(not(target_arch = "wasm32")) {
        return None;
    }
    let date = BrowserDate::new(time).ok()?;
    let is_valid = date.get_time().is_ok_and(|time| !time.is_nan());
    let object = Object::new();
    for (name, value) in [("numberingSystem", "latn")].iter().chain(options) {
        Reflect::set(&object, &(*name).into(), &(*value).into()).ok()?;
    }
    let text = is_valid.then(|| date.to_locale_string(locale, &object));
    text?.ok()
}
