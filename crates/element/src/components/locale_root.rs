use leptos::prelude::*;

use super::copy_button::LatestCopy;
use crate::focus::FocusRestoration;
use crate::i18n::{TextEntry, use_i18n};

/// The root of an element's view: sets the language and text direction, and notes when the user interacts.
#[component]
pub fn LocaleRoot(
    /// The text of a [`CopyButton`](super::CopyButton) that has copied its value.
    copied: TextEntry,
    /// That of one that could not.
    copy_failed: TextEntry,
    /// The view.
    children: Children,
) -> AnyView {
    let i18n = use_i18n();
    let lang = move || i18n.is_loaded().then(|| i18n.locale());
    let dir = move || i18n.is_loaded().then(|| i18n.dir());
    let restoration: FocusRestoration = expect_context();
    provide_context(LatestCopy::new(copied, copy_failed));
    view! {
        <div
            class="locale-root"
            lang=lang
            dir=dir
            on:focusin=move |_| restoration.set_interacted()
            on:click=move |_| restoration.set_interacted()
        >
            {children()}
        </div>
    }
    .into_any()
}
