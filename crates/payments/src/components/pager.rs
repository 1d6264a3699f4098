use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::{I18n, use_i18n};
use tender_payments_core::{Dashboard, Event, OlderPages};

use super::alerts::failure_text;
use crate::driver::use_driver;
use crate::text::Text;

/// Goes to newer and older payments, page by page.
#[component]
pub(super) fn Pager() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let page = Memo::new(move |_| {
        driver
            .dashboard(|dashboard| dashboard.page)
            .unwrap_or_default()
    });
    let is_loading = Memo::new(move |_| {
        driver.dashboard(|dashboard| dashboard.older.is_loading()) == Some(true)
    });
    let has_older = Memo::new(move |_| driver.dashboard(Dashboard::has_older) == Some(true));
    let page_number =
        Signal::derive(move || i18n.format(Text::Page, &[("page", &(page.get() + 1).to_string())]));
    let status = Signal::derive(move || {
        let status = driver.dashboard(|dashboard| status(i18n, &dashboard.older));
        status.unwrap_or_default()
    });
    view! {
        <nav class="pager" part="pager" aria-label=move || i18n.t(Text::Pages)>
            <button
                type="button"
                class="quiet"
                part="newer"
                aria-disabled=move || (page.get() == 0).then_some("true")
                on:click=move |_| driver.dispatch(Event::NewerPageRequested)
            >
                {move || i18n.t(Text::Newer)}
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
                {move || i18n.t(Text::Older)}
            </button>
            <p class="hint" role="status" use:dynamic_text=status></p>
        </nav>
    }
    .into_any()
}

fn status(i18n: I18n, older: &OlderPages) -> String {
    match older {
        OlderPages::Failed(failure) => {
            let reason = i18n.t(failure_text(failure));
            format!("{} {reason}", i18n.t(Text::OlderFailed))
        }
        OlderPages::AllLoaded => i18n.t(Text::SearchedAll),
        older if older.is_loading() => i18n.t(Text::ReadingOlder),
        _ => String::new(),
    }
}
