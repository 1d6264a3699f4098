use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_payments_core::{Dashboard, Event, OlderPages};

use super::alerts::failure_text;
use crate::driver::use_driver;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// Goes to newer and older payments, page by page.
#[component]
pub(super) fn Pager() -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let page = driver.memo(|dashboard| dashboard.page);
    let is_loading = driver.memo(|dashboard| dashboard.older.is_loading());
    // Other pages than those of the service's list are not newer or older.
    let is_whole_list = driver.memo(Dashboard::is_whole_list);
    let has_older = driver.memo(Dashboard::has_older);
    let page_number =
        Signal::derive(move || l10n.format(Text::Page, &[("page", &(page.get() + 1).to_string())]));
    let status =
        Signal::derive(move || driver.with_dashboard(|dashboard| status(l10n, &dashboard.older)));
    view! {
        <nav class="pager" part="pager" aria-label=l10n.t(Text::Pages)>
            <button
                type="button"
                class="quiet"
                part="newer"
                aria-disabled=move || (page.get() == 0).then_some("true")
                on:click=move |_| driver.dispatch(Event::NewerPageRequested)
            >
                {move || l10n.t(if is_whole_list.get() { Text::Newer } else { Text::Previous })}
            </button>
            <span aria-live="polite" use:dynamic_text=page_number></span>
            <button
                type="button"
                class="quiet"
                class:busy=move || is_loading.get()
                part="older"
                aria-disabled=move || (!has_older.get() || is_loading.get()).then_some("true")
                on:click=move |_| driver.dispatch(Event::OlderPageRequested)
            >
                {move || l10n.t(if is_whole_list.get() { Text::Older } else { Text::Next })}
            </button>
            <p class="hint" role="status" use:dynamic_text=status></p>
        </nav>
    }
    .into_any()
}

fn status(l10n: Localization, older: &OlderPages) -> String {
    match older {
        OlderPages::Failed(failure) => {
            let reason = l10n.t(failure_text(failure));
            format!("{} {reason}", l10n.t(Text::OlderFailed))
        }
        OlderPages::AllLoaded => l10n.t(Text::SearchedAll),
        older if older.is_loading() => l10n.t(Text::ReadingOlder),
        _ => String::new(),
    }
}
