//! The same number formats as the browser's, from Unicode's data (CLDR).

use icu_decimal::input::Decimal;
use icu_decimal::options::{DecimalFormatterOptions, GroupingStrategy};
use icu_decimal::preferences::NumberingSystem;
use icu_decimal::{DecimalFormatter, DecimalFormatterPreferences};
use icu_locale_core::{Locale, extensions::unicode::value};
use tender_protocol::Amount;

/// `None` for a locale that is no BCP 47 tag.
pub(super) fn format(amount: &Amount, places: usize, locale: &str) -> Option<String> {
    let locale: Locale = locale.parse().ok()?;
    let mut preferences = DecimalFormatterPreferences::from(&locale);
    // The digits that wallets show, so that the buyer can compare.
    preferences.numbering_system = NumberingSystem::try_from(value!("latn")).ok();
    let mut options = DecimalFormatterOptions::default();
    options.grouping_strategy = Some(GroupingStrategy::Always);
    let formatter = DecimalFormatter::try_new(preferences, options).ok()?;
    let mut digits: Decimal = amount.to_string().parse().ok()?;
    digits.pad_end(i16::try_from(places).ok()?.checked_neg()?);
    Some(formatter.format(&digits).to_string())
}
