use leptos::prelude::*;
use tender_payments_core::Event;

use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// A button that dispatches an event.
#[component]
pub(super) fn ActionButton(
    /// How the element's own stylesheet styles it.
    class: &'static str,
    /// How the page's stylesheet can style it, as `::part(...)`.
    part: &'static str,
    /// The label.
    text: Text,
    /// The event.
    event: Event,
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    view! {
        <button type="button" class=class part=part on:click=move |_| driver.dispatch(event.clone())>
            {l10n.t(text)}
        </button>
    }
    .into_any()
}
