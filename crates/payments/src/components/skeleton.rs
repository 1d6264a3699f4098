use leptos::prelude::*;
use tender_element::focus::restore_focus;
use tender_element::use_i18n;

use crate::text::Text;

/// The placeholder while the list is loading: the same that the loader shows before.
#[component]
pub(super) fn Skeleton() -> AnyView {
    let i18n = use_i18n();
    view! {
        <div
            class="skeleton"
            role="status"
            aria-busy="true"
            aria-label=move || i18n.t(Text::Loading)
            tabindex="-1"
            use:restore_focus
        >
            {(0..8).map(|_| view! { <i></i> }).collect_view()}
        </div>
    }
    .into_any()
}
