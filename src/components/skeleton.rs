//! A placeholder while the tokens load. The loader shows the same one until the module is loaded.

use leptos::prelude::*;
use tender_element::focus::restore_focus;
use tender_element::i18n::use_i18n;

use crate::text::Text;

/// The number of bars in the loader's skeleton.
const BARS: usize = 8;

#[component]
pub(super) fn Skeleton() -> AnyView {
    let i18n = use_i18n();
    view! {
        <div class="skeleton" role="status" aria-busy="true" aria-label=move || i18n.t(Text::Loading)
            tabindex="-1" use:restore_focus>
            {(0..BARS).map(|_| view! { <i></i> }.into_any()).collect_view()}
        </div>
    }
    .into_any()
}
