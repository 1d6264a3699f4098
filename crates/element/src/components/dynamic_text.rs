use leptos::prelude::*;
use web_sys::Element;

/// A text that changes, in a `<span>` of its own. See [`dynamic_text`].
#[component]
pub fn DynamicText(
    /// The text.
    #[prop(into)]
    text: Signal<String>,
) -> AnyView {
    view! { <span use:dynamic_text=text>{text.get_untracked()}</span> }.into_any()
}

/// Directive: keeps the element's text up to date, in place of all its children. The first text can also be rendered as
/// the element's child, so that it is there when the view is rendered on the server.
///
/// Page translators replace text nodes by their own elements. Leptos would then update a node that is no longer in the
/// page; this replaces whatever is in the element.
pub fn dynamic_text(element: Element, text: Signal<String>) {
    Effect::new(move |shown: Option<String>| {
        let text = text.get();
        // Setting the same text again would make screen readers read it again, and undo a translation.
        if shown.or_else(|| element.text_content()).as_ref() != Some(&text) {
            element.set_text_content(Some(&text));
        }
        text
    });
}
