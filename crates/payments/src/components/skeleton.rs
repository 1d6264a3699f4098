use leptos::prelude::*;
use tender_element::focus::restore_focus;

use crate::localization::use_localization;
use crate::text::Text;

/// The placeholder while the list is loading. The loader shows the same one until the module is
/// loaded.
#[component]
pub(super) fn Skeleton() -> AnyView {
    let locale = use_localization();
    view! {
        <div
            class="skeleton"
            role="status"
            aria-busy="true"
            aria-label=locale.t(Text::Loading)
            tabindex="-1"
            use:restore_focus
        >
            {(0..8).map(|_| view! { <i></i> }).collect_view()}
        </div>
    }
    .into_any()
}
