use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::focus::{FocusTarget, focus_target, pass_focus};
use tender_payments_core::{Dashboard, Event, Filter};

use super::action_button::ActionButton;
use super::filters::Filters;
use super::search_older::SearchOlder;
use super::sort_field::SortField;
use crate::driver::use_driver;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// Search, filters, order and export, over the payments that are loaded.
#[component]
pub(super) fn Toolbar() -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let search = FocusTarget::new();
    let text = driver.memo(|dashboard| dashboard.filter.text.clone());
    let is_filtered = driver.memo(|dashboard| !dashboard.filter.is_empty());
    let export_label = Signal::derive(move || {
        let count = driver.with_dashboard(|dashboard| dashboard.matching().count());
        l10n.format_count(Text::Export, count)
    });
    let has_none = driver.memo(|dashboard| dashboard.matching().next().is_none());
    let hint =
        Signal::derive(move || driver.with_dashboard(|dashboard| search_hint(l10n, dashboard)));
    view! {
        <div class="tools" part="tools" role="search">
            <div class="field">
                <label for="search">{l10n.t(Text::Search)}</label>
                <input
                    id="search"
                    type="search"
                    autocomplete="off"
                    spellcheck="false"
                    prop:value=move || text.get()
                    aria-describedby="found"
                    on:input=move |event| {
                        driver.change_filter(|filter| filter.text = event_target_value(&event));
                    }
                    use:focus_target=search
                />
            </div>
            <Filters/>
            <SortField/>
            <button
                type="button"
                class="quiet"
                part="export"
                aria-disabled=move || has_none.get().then_some("true")
                on:click=move |_| {
                    if !has_none.get_untracked() {
                        driver.dispatch(Event::ExportRequested);
                    }
                }
                use:dynamic_text=export_label
            ></button>
            <p class="hint" id="found" role="status" use:dynamic_text=hint></p>
            <div class="search-on">
                <Show when=move || is_filtered.get()>
                    <ActionButton
                        class="quiet"
                        part="clear-filter"
                        text=Text::ClearFilter
                        event=Event::FilterChanged(Filter::default())
                        use:pass_focus=search
                    />
                </Show>
                <SearchOlder search=search/>
            </div>
        </div>
    }
    .into_any()
}

/// How many payments are searched, and how many of them match.
fn search_hint(l10n: Localization, dashboard: &Dashboard) -> String {
    let count = dashboard.visible().count();
    let found = dashboard.matching().count();
    let text = match (dashboard.filter.is_empty(), found) {
        (true, _) => Text::SearchHint,
        (false, 0) => Text::NothingFound,
        (false, _) => Text::Found,
    };
    let values = [
        ("count", &*count.to_string()),
        ("found", &*found.to_string()),
    ];
    l10n.format(text.for_count(count), &values)
}
