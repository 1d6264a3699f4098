//! The price of the order, or the field for the amount if the payer chooses it.

use leptos::prelude::*;
use tender_element::i18n::use_i18n;

use super::fields::AmountField;
use super::order::price;
use crate::driver::use_driver;
use crate::hosted::separator;
use crate::text::Text;

#[component]
pub(super) fn OrderTotal() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let has_price = driver.memo(|driver| price(driver).is_some());
    let total = move || {
        view! {
            <span class="label">{move || i18n.t(Text::Total)}</span>
            {separator()}
            <span class="figure" part="price" translate="no">
                <b dir="ltr">{move || price(driver).map(|price| price.amount).unwrap_or_default()}</b>
                " "
                <span class="unit">{move || price(driver).map(|price| price.symbol).unwrap_or_default()}</span>
            </span>
        }
        .into_any()
    };
    view! {
        <header class="price">
            {move || if has_price.get() {
                total()
            } else {
                view! { <AmountField/> }.into_any()
            }}
        </header>
    }
    .into_any()
}
