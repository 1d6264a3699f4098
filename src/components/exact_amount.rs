//! An amount with all its digits.

use leptos::prelude::*;
use tender_element::number;
use tender_protocol::Amount;

use crate::driver::use_driver;

/// Fractional digits of a displayed amount, at least, so that the price and the amount to send read the same where they are the
/// same.
const MIN_PLACES: usize = 2;

/// An amount as buyers read it: all its digits, in the format of `locale`.
pub(super) fn readable(amount: &Amount, locale: &str) -> String {
    number::format(amount, MIN_PLACES, locale)
}

/// An amount and its unit. Scripts read the digits of `data-value`, which are those of the record.
#[component]
pub(super) fn ExactAmount(amount: Amount, symbol: String) -> AnyView {
    let driver = use_driver();
    let exact = amount.to_string();
    view! {
        <p class="amount" part="amount" data-value=exact translate="no">
            <b dir="ltr">{move || readable(&amount, &driver.locale())}</b>
            " "<span class="unit">{symbol}</span>
        </p>
    }
    .into_any()
}
