//! Texts, amounts and times in the element's locale.

use js_sys::{Object, Reflect};
use leptos::prelude::*;
use tender_element::{I18n, number, use_i18n};
use tender_payments_core::iso_date;
use tender_protocol::Amount;
use wasm_bindgen::prelude::*;

use crate::driver::{Driver, use_driver};
use crate::text::Text;

#[wasm_bindgen]
extern "C" {
    type Date;

    #[wasm_bindgen(constructor, catch)]
    fn new(time: &str) -> Result<Date, JsValue>;

    /// Throws for a tag that is not a locale.
    #[wasm_bindgen(method, catch, js_name = toLocaleString)]
    fn to_locale_string(this: &Date, locale: &str, options: &Object) -> Result<String, JsValue>;

    #[wasm_bindgen(method, catch, js_name = getTime)]
    fn get_time(this: &Date) -> Result<f64, JsValue>;
}

/// The element's locale. Found by [`use_localization`].
///
/// It is not reactive: the root creates all components again when the locale changes. In Leptos an
/// effect that is removed stays subscribed to its signals until they change. So each removed row would
/// stay in the memory of a page that is open for days, if it were subscribed to the locale.
#[derive(Clone, Copy)]
pub(crate) struct Localization {
    i18n: I18n,
    driver: Driver,
}

/// The locale of the current element.
///
/// # Panics
/// Outside of the element's components.
pub(crate) fn use_localization() -> Localization {
    Localization {
        i18n: use_i18n(),
        driver: use_driver(),
    }
}

impl Localization {
    /// The text.
    pub(crate) fn t(self, text: Text) -> String {
        untrack(|| self.i18n.t(text))
    }

    /// The text with its placeholders filled in.
    pub(crate) fn format(self, text: Text, values: &[(&str, &str)]) -> String {
        untrack(|| self.i18n.format(text, values))
    }

    /// The text for this number of things, with `{count}` filled in.
    pub(crate) fn format_count(self, text: Text, count: usize) -> String {
        self.format(text.for_count(count), &[("count", &count.to_string())])
    }

    /// The current time, as [`time`](Self::time) writes it.
    pub(crate) fn now(self) -> String {
        let now = js_sys::Date::new_0().to_iso_string();
        self.time(&String::from(now))
    }

    /// An amount with at least this many decimal places.
    pub(crate) fn amount(self, amount: &Amount, min_fraction_digits: usize) -> String {
        number::format(amount, min_fraction_digits, &self.tag())
    }

    /// A time (RFC 3339), in local time; unchanged if the browser can't format it.
    pub(crate) fn time(self, time: &str) -> String {
        let format = [("dateStyle", "medium"), ("timeStyle", "short")];
        let text = self.browser_time(time, &format);
        text.unwrap_or_else(|| time.to_owned())
    }

    /// A date of the service (`YYYY/MM/DD`); unchanged if it is none.
    pub(crate) fn date(self, date: &str) -> String {
        self.service_date(date, &[("dateStyle", "medium")])
    }

    /// The day and the month of a date of the service; unchanged if it is none.
    pub(crate) fn day(self, date: &str) -> String {
        self.service_date(date, &[("day", "numeric"), ("month", "short")])
    }

    fn service_date(self, date: &str, format: &[(&str, &str)]) -> String {
        // Without a time, the date is the same in every time zone.
        let format = [format, &[("timeZone", "UTC")]].concat();
        let iso = iso_date(date);
        let text = iso.and_then(|iso| self.browser_time(&iso, &format));
        text.unwrap_or_else(|| date.to_owned())
    }

    /// The time in a format of `Intl.DateTimeFormat`, with the same digits as amounts.
    fn browser_time(self, time: &str, format: &[(&str, &str)]) -> Option<String> {
        let date = Date::new(time).ok()?;
        let is_valid = date.get_time().is_ok_and(|time| !time.is_nan());
        let options = Object::new();
        for (name, value) in [("numberingSystem", "latn")].iter().chain(format) {
            Reflect::set(&options, &(*name).into(), &(*value).into()).ok()?;
        }
        let text = is_valid.then(|| date.to_locale_string(&self.tag(), &options));
        text?.ok()
    }

    /// The BCP 47 tag for numbers and times.
    fn tag(self) -> String {
        untrack(|| self.driver.locale())
    }
}
