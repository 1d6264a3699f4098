use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_protocol::Amount;

use crate::localization::use_localization;

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
    let locale = use_localization();
    let formatted = Signal::derive(move || amount.with(|amount| locale.amount(amount, 0)));
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
#[expect(
    clippy::needless_pass_by_value,
    reason = "a component owns its properties"
)]
#[component]
pub(super) fn UsdAmount(
    /// The amount.
    amount: Amount,
) -> AnyView {
    view! {
        <bdi dir="ltr" translate="no" data-value=amount.to_string()>
            {use_localization().amount(&amount, CENTS)}
        </bdi>
    }
    .into_any()
}
