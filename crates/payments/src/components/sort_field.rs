use leptos::prelude::*;
use tender_payments_core::{Event, Sort};

use super::select::Select;
use crate::driver::use_driver;
use crate::localization::Localization;
use crate::text::Text;

/// The order of the loaded payments.
#[component]
pub(super) fn SortField() -> AnyView {
    let driver = use_driver();
    let name = |l10n: Localization, sort: &Sort| {
        l10n.t(match sort {
            Sort::Newest => Text::SortNewest,
            Sort::Oldest => Text::SortOldest,
            Sort::Highest => Text::SortHighest,
            Sort::Lowest => Text::SortLowest,
        })
    };
    view! {
        <Select
            id="sort"
            label=Text::Sort
            values=Signal::stored(Sort::ALL.to_vec())
            name=name
            chosen=driver.memo(|dashboard| Some(dashboard.sort))
            on_change=Callback::new(move |sort: Option<Sort>| {
                driver.dispatch(Event::SortChanged(sort.unwrap_or_default()));
            })
        />
    }
    .into_any()
}
