use leptos::prelude::*;

use super::dynamic_text::first_text;
use super::{WarningIcon, dynamic_text};

/// A failure, announced at once by screen readers.
#[component]
pub fn Alert(
    /// The failure in a few words.
    #[prop(into)]
    title: Signal<String>,
    /// What it means, and what to do.
    #[prop(into)]
    message: Signal<String>,
) -> AnyView {
    view! {
        <div class="alert" role="alert" part="alert">
            <WarningIcon/>
            <div>
                <strong use:dynamic_text=title>{title.get_untracked()}</strong>
                <p use:dynamic_text=message>{first_text(&message.get_untracked())}</p>
            </div>
        </div>
    }
    .into_any()
}
