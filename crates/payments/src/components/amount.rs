use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::number;
use tender_protocol::Amount;

use crate::driver::use_driver;

/// The decimal places that an amount in US dollars has at least.
const CENTS: usize = 2;

/// An amount and its token.
#[component]
pub(super) fn TokenAmount(
    /// The amount.
    #[prop(into)]
    amount: Signal<Amount>,
    /// The token's ticker.
    #[prop(into)]
    token: Signal<String>,
) -> AnyView {
    let driver = use_driver();
    let formatted =
        Signal::derive(move || amount.with(|amount| number::format(amount, 0, &driver.locale())));
    view! {
        <bdi dir="ltr" translate="no">
            <b
                data-value=move || amount.with(ToString::to_string)
                use:dynamic_text=formatted
            ></b>
            " "
            <span class="unit" use:dynamic_text=token></span>
        </bdi>
    }
    .into_any()
}

/// An amount in US dollars.
#[component]
pub(super) fn UsdAmount(
    /// The amount.
    amount: Amount,
) -> AnyView {
    let driver = use_driver();
    let value = amount.to_string();
    let formatted = Signal::derive(move || number::format(&amount, CENTS, &driver.locale()));
    view! {
        <bdi dir="ltr" translate="no" data-value=value use:dynamic_text=formatted></bdi>
    }
    .into_any()
}
