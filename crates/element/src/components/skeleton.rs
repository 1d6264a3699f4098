use leptos::prelude::*;

use crate::focus::restore_focus;

/// The number of bars in the loaders' skeletons.
const BARS: usize = 8;

/// The placeholder while the element is loading. The loader shows the same one until the module is loaded.
#[component]
pub fn Skeleton(
    /// What is being loaded, for screen readers.
    label: Signal<String>,
) -> AnyView {
    view! {
        <div class="skeleton" role="status" aria-busy="true" aria-label=move || label.get() tabindex="-1" use:restore_focus>
            {(0..BARS).map(|_| view! { <i></i> }.into_any()).collect_view()}
        </div>
    }
    .into_any()
}
