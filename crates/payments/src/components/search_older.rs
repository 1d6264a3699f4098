use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::focus::{FocusTarget, pass_focus};
use tender_payments_core::{Dashboard, Event, OlderPages};

use crate::driver::use_driver;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// Searches older pages until one contains a match.
#[component]
pub(super) fn SearchOlder(
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
