//! The browser's `dateStyle: "medium"`, from Unicode's data (CLDR).

use icu_datetime::fieldsets::YMD;
use icu_datetime::input;
use icu_datetime::{DateTimeFormatter, DateTimeFormatterPreferences};
use icu_locale_core::Locale;
use icu_locale_core::extensions::unicode::value;
use icu_locale_core::preferences::extensions::unicode::keywords::NumberingSystem;
use tender_protocol::Date;

/// `None` for a locale that is no BCP 47 tag.
pub(super) fn medium(date: Date, locale: &str) -> Option<String> {
    let locale: Locale = locale.parse().ok()?;
    let mut preferences = DateTimeFormatterPreferences::from(&locale);
    preferences.numbering_system = NumberingSystem::try_from(value!("latn")).ok();
    let formatter = DateTimeFormatter::try_new(preferences, YMD::medium()).ok()?;
    let (year, month, day) = date.parts();
    let day = input::Date::try_new_iso(year.into(), month, day).ok()?;
    Some(formatter.format(&day).to_string())
}
