//! Texts, amounts and times in the element's locale.

use leptos::prelude::*;
use tender_element::{I18n, date, number, use_i18n};
use tender_protocol::Amount;
use tender_protocol::client::typed::DecimalSeparator;

use crate::driver::{Driver, use_driver};
use crate::text::Text;

/// The element's locale. Found by [`use_localization`].
///
/// It is not reactive: the root creates all components again when the locale changes. A signal of
/// Leptos keeps the entry of each effect that has read it, also of those that are gone. So each removed row would take memory in
/// a page that is open for days, if it were subscribed to the locale.
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

    /// A label and its value: `Items: Socks`. With an empty value, what is before a value.
    pub(crate) fn labelled(self, label: &str, value: &str) -> String {
        self.format(Text::Labelled, &[("label", label), ("value", value)])
    }

    /// An amount with at least this many decimal places.
    pub(crate) fn amount(self, amount: &Amount, min_fraction_digits: usize) -> String {
        number::format(amount, min_fraction_digits, &self.tag())
    }

    /// How the language separates decimals.
    pub(crate) fn decimal_separator(self) -> DecimalSeparator {
        number::decimal_separator(&self.tag())
    }

    /// A time (RFC 3339), in local time; unchanged if the browser can't format it.
    pub(crate) fn time(self, time: &str) -> String {
        let format = [("dateStyle", "medium"), ("timeStyle", "short")];
        date::time(time, &format, &self.tag())
    }

    /// A date of the service (`YYYY/MM/DD`); unchanged if it is none.
    pub(crate) fn date(self, date: &str) -> String {
        date::date(date, &[("dateStyle", "medium")], &self.tag())
    }

    /// The day and the month of a date of the service; unchanged if it is none.
    pub(crate) fn day(self, date: &str) -> String {
        date::date(date, &[("day", "numeric"), ("month", "short")], &self.tag())
    }

    /// The BCP 47 tag for numbers and times.
    fn tag(self) -> String {
        untrack(|| self.driver.locale())
    }
}
