use leptos::html::Span;
use leptos::prelude::*;
use tender_element::focus::{FocusRestoration, FocusTarget};
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Controls that are hidden while a condition is false. They are not removed, because a status can change often, and
/// removing them leaves 160 bytes in memory each time.
#[component]
pub(super) fn HiddenUnless(
    when: Memo<bool>,
    /// Takes the focus if a control that has it is hidden.
    target: FocusTarget,
    children: Children,
) -> AnyView {
    let restoration: FocusRestoration = expect_context();
    let controls = NodeRef::<Span>::new();
    Effect::new(move || {
        let Some(controls) = controls.get().filter(|_| !when.get()) else {
            return;
        };
        if let Ok(Some(focused)) = controls.query_selector(":focus") {
            let _ = focused.unchecked_into::<HtmlElement>().blur();
            restoration.restore_to(target);
        }
    });
    view! {
        <span class="hidden-unless" hidden=move || !when.get() node_ref=controls>
            {children()}
        </span>
    }
    .into_any()
}
