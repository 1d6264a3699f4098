use leptos::html::Span;
use leptos::prelude::*;
use tender_element::focus::{FocusRestoration, FocusTarget};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Controls that are hidden while they are not offered. They are not removed, because a status can change often, and Leptos
/// keeps a pointer to each owner that was ever created under another one.
#[component]
pub(super) fn Offered(
    /// Whether the controls are shown.
    is_offered: Memo<bool>,
    /// Takes the focus if a control that has it is hidden.
    target: FocusTarget,
    children: Children,
) -> AnyView {
    let restoration: FocusRestoration = expect_context();
    let controls = NodeRef::<Span>::new();
    Effect::new(move || {
        let Some(controls) = controls.get().filter(|_| !is_offered.get()) else {
            return;
        };
        if let Ok(Some(focused)) = controls.query_selector(":focus") {
            let _ = focused.unchecked_into::<HtmlElement>().blur();
            restoration.restore_to(target);
        }
    });
    view! {
        <span class="offered" hidden=move || !is_offered.get() node_ref=controls>
            {children()}
        </span>
    }
    .into_any()
}
