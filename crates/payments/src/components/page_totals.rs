use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_payments_core::{Total, TotalGroup, totals};
use tender_protocol::Amount;

use super::amount::TokenAmount;
use super::keyed_list::KeyedList;
use super::status_pill::state_name;
use crate::loaded::{latest, use_dashboard};
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// A sum of prices: of payments in the same group, and in the same token.
#[derive(Clone, PartialEq, Eq)]
struct Sum {
    name: String,
    token: String,
    amount: Amount,
}

impl Sum {
    /// Identifies the sum while its amount changes.
    fn key(&self) -> String {
        format!("{}\n{}", self.name, self.token)
    }
}

/// The sums of the prices of the payments on the page: of those in each state but closed, and of those in each status that the
/// proxy doesn't interpret. Sums of different states stay apart.
#[component]
pub(super) fn PageTotals() -> AnyView {
    let locale = use_localization();
    let sums = use_dashboard().memo(move |dashboard| sums(locale, totals(dashboard.on_page())));
    let keys = Memo::new(move |_| sums.with(|sums| sums.iter().map(Sum::key).collect()));
    view! {
        <Show when=move || sums.with(|sums| !sums.is_empty())>
            <div class="totals" part="total">
                <span class="hint">{locale.t(Text::Total)}</span>
                <dl>
                    <KeyedList
                        keys=keys
                        children=Callback::new(move |key| {
                            view! { <SumView key=key sums=sums/> }.into_any()
                        })
                    />
                </dl>
            </div>
        </Show>
    }
    .into_any()
}

/// One sum for each group and token.
fn sums(locale: Localization, totals: Vec<Total>) -> Vec<Sum> {
    let sums = totals.into_iter().flat_map(|total| {
        let name = match &total.group {
            TotalGroup::State(state) => locale.t(state_name(*state)),
            TotalGroup::Status(status) => status.text().to_owned(),
        };
        total.sums.into_iter().map(move |sum| Sum {
            name: name.clone(),
            token: sum.token,
            amount: sum.amount,
        })
    });
    sums.collect()
}

#[component]
fn SumView(key: String, sums: Memo<Vec<Sum>>) -> AnyView {
    let sum = latest(move || sums.with(|sums| sums.iter().find(|sum| sum.key() == key).cloned()));
    let Some(sum) = sum else {
        return ().into_any();
    };
    let name = Signal::derive(move || sum.with(|sum| sum.name.clone()));
    view! {
        <div>
            <dt><bdi use:dynamic_text=name></bdi></dt>
            <dd>
                <TokenAmount
                    amount=Signal::derive(move || sum.with(|sum| sum.amount.clone()))
                    token=Signal::derive(move || sum.with(|sum| sum.token.clone()))
                    shows_network=true
                />
            </dd>
        </div>
    }
    .into_any()
}
