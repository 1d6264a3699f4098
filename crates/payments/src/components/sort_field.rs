use leptos::prelude::*;
use tender_payments_core::{Event, Sort};

use super::select::Select;
use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// The order of the loaded payments.
#[component]
pub(super) fn SortField() -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let names = Sort::ALL.map(|sort| {
        l10n.t(match sort {
            Sort::Newest => Text::SortNewest,
            Sort::Oldest => Text::SortOldest,
            Sort::Highest => Text::SortHighest,
            Sort::Lowest => Text::SortLowest,
        })
    });
    let options = Memo::new(move |_| names.to_vec());
    let chosen = driver.memo(|dashboard| Sort::ALL.iter().position(|sort| *sort == dashboard.sort));
    let on_change = Callback::new(move |index: Option<usize>| {
        let sort = index.and_then(|index| Sort::ALL.get(index).copied());
        driver.dispatch(Event::SortChanged(sort.unwrap_or_default()));
    });
    view! { <Select id="sort" label=Text::Sort options=options chosen=chosen on_change=on_change/> }
        .into_any()
}
