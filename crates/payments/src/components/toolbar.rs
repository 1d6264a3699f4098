use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::focus::{FocusTarget, focus_target, pass_focus};
use tender_payments_core::{Dashboard, Event, Filter, OlderPages, Sort};

use super::controls::{ActionButton, Select};
use super::filters::Filters;
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
                        driver.dispatch(Event::ExportRequested(l10n.decimal_separator()));
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

/// The order of the loaded payments.
#[component]
fn SortField() -> AnyView {
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

/// Searches older pages until one contains a match.
#[component]
fn SearchOlder(
    /// Takes the focus when the button is removed.
    search: FocusTarget,
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let event = move || driver.with_dashboard(button_event);
    let label = Signal::derive(move || match event() {
        Some(Event::SearchStopped) => l10n.t(Text::Stop),
        _ => l10n.t(Text::SearchOlder),
    });
    let on_click = move |_| {
        if let Some(event) = untrack(event) {
            driver.dispatch(event);
        }
    };
    let progress =
        Signal::derive(move || driver.with_dashboard(|dashboard| progress(l10n, dashboard)));
    view! {
        <Show when=move || event().is_some()>
            <button
                type="button"
                class="quiet"
                part="search-older"
                on:click=on_click
                use:pass_focus=search
                use:dynamic_text=label
            ></button>
        </Show>
        <span class="hint" role="status" use:dynamic_text=progress></span>
    }
    .into_any()
}

/// What the button does; `None` without a button.
fn button_event(dashboard: &Dashboard) -> Option<Event> {
    match &dashboard.older {
        _ if dashboard.is_whole_list() => None,
        older if older.is_loading() => Some(Event::SearchStopped),
        OlderPages::AllLoaded => None,
        _ => Some(Event::SearchOlderRequested),
    }
}

/// How many pages were searched.
fn progress(l10n: Localization, dashboard: &Dashboard) -> String {
    let pages = |text: Text, pages: u32| {
        let text = text.for_count(usize::try_from(pages).unwrap_or(usize::MAX));
        l10n.format(text, &[("pages", &pages.to_string())])
    };
    if dashboard.is_whole_list() {
        return String::new();
    }
    match (&dashboard.older, dashboard.older.searched_pages()) {
        (_, Some(searched)) => pages(Text::Searching, searched),
        (OlderPages::NoMatch(searched), _) => pages(Text::SearchedInVain, *searched),
        (OlderPages::AllLoaded, _) => l10n.t(Text::SearchedAll),
        _ => String::new(),
    }
}
