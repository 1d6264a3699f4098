use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::focus::{FocusTarget, pass_focus};
use tender_element::{I18n, use_i18n};
use tender_payments_core::{Dashboard, Event, OlderPages};

use crate::driver::use_driver;
use crate::text::Text;

/// What the button does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Search,
    Stop,
}

/// Searches older pages until one contains a match.
#[component]
pub(super) fn SearchOlder(
    /// Takes the focus when the button is removed.
    search: FocusTarget,
) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let action = Memo::new(move |_| driver.dashboard(available_action).flatten());
    let label = Signal::derive(move || match action.get() {
        Some(Action::Stop) => i18n.t(Text::Stop),
        _ => i18n.t(Text::SearchOlder),
    });
    let on_click = move |_| match action.get_untracked() {
        Some(Action::Search) => driver.dispatch(Event::SearchOlderRequested),
        Some(Action::Stop) => driver.dispatch(Event::SearchStopped),
        None => {}
    };
    let progress = Signal::derive(move || {
        let progress = driver.dashboard(|dashboard| progress(i18n, dashboard));
        progress.unwrap_or_default()
    });
    view! {
        <div class="search-on">
            <Show when=move || action.get().is_some()>
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
        </div>
    }
    .into_any()
}

fn available_action(dashboard: &Dashboard) -> Option<Action> {
    match &dashboard.older {
        _ if dashboard.filter.is_empty() => None,
        older if older.is_loading() => Some(Action::Stop),
        OlderPages::AllLoaded => None,
        _ => Some(Action::Search),
    }
}

/// How many pages were searched.
fn progress(i18n: I18n, dashboard: &Dashboard) -> String {
    let pages = |text: Text, pages: u32| {
        let text = text.for_count(usize::try_from(pages).unwrap_or(usize::MAX));
        i18n.format(text, &[("pages", &pages.to_string())])
    };
    if dashboard.filter.is_empty() {
        return String::new();
    }
    match (&dashboard.older, dashboard.older.searched_pages()) {
        (_, Some(searched)) => pages(Text::Searching, searched),
        (OlderPages::NoMatch(searched), _) => pages(Text::SearchedInVain, *searched),
        (OlderPages::AllLoaded, _) => i18n.t(Text::SearchedAll),
        _ => String::new(),
    }
}
