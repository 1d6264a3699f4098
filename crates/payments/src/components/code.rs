use leptos::prelude::*;
use tender_element::components::{CopyButton, dynamic_text};

/// A wallet address or `transactionId`, with a button that copies it.
#[component]
pub(super) fn Code(
    value: Signal<String>,
    copy_label: Signal<String>,
    /// What the code is, for the tooltip.
    #[prop(optional, into)]
    hint: Option<String>,
) -> AnyView {
    view! {
        <span class="code">
            <bdi dir="ltr" translate="no" title=hint use:dynamic_text=value></bdi>
            <CopyButton label=copy_label value=value/>
        </span>
    }
    .into_any()
}
