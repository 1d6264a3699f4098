use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_protocol::{Amount, TokenCode, TokenName};

use crate::localization::use_localization;

/// The decimal places that an amount has at least.
pub(super) const CENTS: usize = 2;

/// An amount and its token, by its ticker. In a right-to-left text the ticker is on the left.
#[component]
pub(super) fn TokenAmount(
    /// The amount.
    #[prop(into)]
    amount: Signal<Amount>,
    /// The token, as the service names it: a code in upper case, or a ticker.
    #[prop(into)]
    token: Signal<String>,
    /// Whether the token's network is named too, if it is known.
    #[prop(optional)]
    shows_network: bool,
) -> AnyView {
    let l10n = use_localization();
    let formatted = Signal::derive(move || amount.with(|amount| l10n.amount(amount, CENTS)));
    let symbol = Signal::derive(move || token.with(|token| symbol(token)));
    let network = Signal::derive(move || token.with(|token| network(token)));
    view! {
        <span class="amount" translate="no">
            <bdi dir="ltr">
                <b
                    data-value=move || amount.with(ToString::to_string)
                    use:dynamic_text=formatted
                ></b>
            </bdi>
            " "
            <bdi class="unit" use:dynamic_text=symbol></bdi>
        </span>
        {shows_network.then(|| view! {
            " "
            <bdi class="hint network" translate="no" use:dynamic_text=network></bdi>
        })}
    }
    .into_any()
}

/// The ticker of a token: `USDT` for the code `USDTT`.
pub(super) fn symbol(token: &str) -> String {
    let name = TokenName::of(&TokenCode::from(token));
    name.map_or_else(|| token.to_uppercase(), |name| name.symbol.to_owned())
}

/// The network of a token: `TRON (TRC20)`; empty if it is not known.
fn network(token: &str) -> String {
    let name = TokenName::of(&TokenCode::from(token));
    name.and_then(|name| name.network_and_standard())
        .unwrap_or_default()
}

/// A token by its ticker and its network: `USDT · TRON (TRC20)`.
pub(super) fn token_name(token: &str) -> String {
    match (symbol(token), network(token)) {
        (symbol, network) if network.is_empty() => symbol,
        (symbol, network) => format!("{symbol} · {network}"),
    }
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
