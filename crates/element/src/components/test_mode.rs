use leptos::prelude::*;

use super::{DynamicText, WarningIcon};

/// Says that no real money moves. It stays at the top of the card, whatever is below it.
#[component]
pub fn TestModeBanner(#[prop(into)] text: Signal<String>) -> AnyView {
    view! {
        <p class="test-mode" part="test-mode" role="note"><WarningIcon/><DynamicText text/></p>
    }
    .into_any()
}
