//! The price of the order, or the field for the amount if the payer chooses it.

use leptos::prelude::*;
use tender_element::i18n::use_i18n;

use super::choosing;
use super::fields::AmountField;
use crate::components::exact_amount::readable;
use crate::driver::{Driver, use_driver};
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

/// An amount as the buyer reads it, with its symbol.
pub(super) struct Price {
    pub(super) amount: String,
    pub(super) symbol: String,
}

/// The price of the order; `None` if the payer chooses the amount.
pub(super) fn price(driver: Driver) -> Option<Price> {
    let locale = driver.locale();
    let symbol = choosing(driver, |choosing| choosing.price_symbol.clone())?;
    driver.with_config(|config| {
        let quantity = config.order.claims().quantity.as_ref();
        let price = quantity.filter(|_| !config.order.payer_chooses())?;
        Some(Price {
            amount: readable(price, &locale),
            symbol,
        })
    })
}
