use leptos::prelude::*;
use web_sys::Element;

/// A text that changes, in a `<span>` of its own. See [`dynamic_text`].
#[component]
pub fn DynamicText(
    /// The text.
    #[prop(into)]
    text: Signal<String>,
) -> AnyView {
    view! { <span use:dynamic_text=text></span> }.into_any()
}

/// Directive: keeps the element's text up to date, in place of all its children.
///
/// Page translators replace text nodes by their own elements. Leptos would then update a node that is no longer in the
/// page; this replaces whatever is in the element.
pub fn dynamic_text(element: Element, text: Signal<String>) {
    element.set_text_content(Some(&text.get_untracked()));
    Effect::new(move |shown: Option<String>| {
        let text = text.get();
        // Setting the same text again would make screen readers read it again, and undo a translation.
        if shown.is_some_and(|shown| shown != text) {
            element.set_text_content(Some(&text));
        }
        text
    });
}
