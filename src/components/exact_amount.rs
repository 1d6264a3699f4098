//! An amount with all its digits, and its unit.

use leptos::prelude::*;
use tender_element::number;
use tender_protocol::Amount;

use crate::driver::use_driver;

/// Scripts read the digits of `data-value`.
#[component]
pub(super) fn ExactAmount(amount: Amount, symbol: String) -> AnyView {
    let driver = use_driver();
    let exact = amount.to_string();
    view! {
        <p class="amount" part="amount" data-value=exact translate="no">
            <b dir="ltr">{move || number::format(&amount, 0, &driver.locale())}</b>
            " "<span class="unit">{symbol}</span>
        </p>
    }
    .into_any()
}
