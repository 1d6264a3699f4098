//! The price of the order, or the field for the amount if the payer chooses it.

use leptos::either::Either;
use leptos::prelude::*;
use tender_element::i18n::use_i18n;

use super::fields::AmountField;
use super::order::price;
use crate::driver::use_driver;
use crate::text::Text;

#[component]
pub(super) fn OrderTotal() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    // A memo: every keystroke changes the state, and a field that is created again would lose the focus.
    let price = Memo::new(move |_| price(driver));
    view! {
        <header class="price">
            {move || match price.get() {
                Some(price) => Either::Left(view! {
                    <span class="label">{move || i18n.t(Text::Total)}</span>
                    <span class="figure" part="price" translate="no">
                        <b dir="ltr">{price.amount}</b>" "<span class="unit">{price.symbol}</span>
                    </span>
                }),
                None => Either::Right(view! { <AmountField/> }),
            }}
        </header>
    }
    .into_any()
}
