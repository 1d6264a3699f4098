use leptos::prelude::*;
use tender_payments_core::{Total, TotalGroup, totals};

use super::amount::TokenAmount;
use super::status_pill::state_name;
use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// The sums of the prices of the payments on the page: of those in each state but closed, and of those in each status that the
/// proxy doesn't interpret. Sums of different states stay apart.
#[component]
pub(super) fn PageTotals() -> AnyView {
    let l10n = use_localization();
    let totals = use_driver().memo(|dashboard| totals(dashboard.on_page()));
    let sums = move || {
        let totals = totals.get().into_iter();
        totals
            .map(|total| view! { <Sum total=total/> })
            .collect_view()
    };
    view! {
        <Show when=move || totals.with(|totals| !totals.is_empty())>
            <div class="totals" part="total">
                <span class="hint">{l10n.t(Text::Total)}</span>
                <dl>{sums}</dl>
            </div>
        </Show>
    }
    .into_any()
}

#[component]
fn Sum(total: Total) -> AnyView {
    let name = match total.group {
        TotalGroup::State(state) => use_localization().t(state_name(state)),
        TotalGroup::Status(status) => status.shown(),
    };
    view! {
        <div>
            <dt><bdi>{name}</bdi></dt>
            <dd><TokenAmount amount=total.amount token=total.token shows_network=true/></dd>
        </div>
    }
    .into_any()
}
