use leptos::prelude::*;
use web_sys::Element;

/// What texts have around a value that is kept apart (U+2068 and U+2069). On the page it is a `<bdi>`.
const ISOLATES: [char; 2] = ['\u{2068}', '\u{2069}'];

/// A text that changes, in a `<span>` of its own. See [`dynamic_text`].
#[component]
pub fn DynamicText(
    /// The text.
    #[prop(into)]
    text: Signal<String>,
) -> AnyView {
    view! { <span use:dynamic_text=text>{first_text(&text.get_untracked())}</span> }.into_any()
}

/// Directive: keeps the element's text up to date, in place of all its children. The first text can also be rendered as
/// the element's child, so that it is there when the view is rendered on the server.
///
/// Page translators replace text nodes by their own elements. Leptos would then update a node that is no longer in the
/// page; this replaces whatever is in the element. A value between isolates becomes a `<bdi>`, which is neither translated
/// nor, if it is short, broken at a hyphen.
pub fn dynamic_text(element: Element, text: Signal<String>) {
    Effect::new(move |shown: Option<String>| {
        let text = text.get();
        // Setting the same text again would make screen readers read it again, and undo a translation.
        let shown = shown.or_else(|| first_shown(&element));
        if shown.as_ref() != Some(&text) {
            set_text(&element, &text);
        }
        text
    });
}

/// A value that fits on a line of the narrowest card is not broken.
fn class_of(value: &str) -> Option<&'static str> {
    (value.len() <= 16).then_some("whole")
}

/// The text that the element was rendered with, if nothing in it is to become a `<bdi>`.
fn first_shown(element: &Element) -> Option<String> {
    let text = element.text_content();
    text.filter(|text| !text.contains(ISOLATES))
}

fn set_text(element: &Element, text: &str) {
    let mut parts = text.split(ISOLATES);
    element.set_text_content(parts.next());
    while let Some(value) = parts.next() {
        // Failing is impossible: the name of the element is valid.
        let Ok(isolated) = document().create_element("bdi") else {
            continue;
        };
        isolated.set_text_content(Some(value));
        let _ = isolated.set_attribute("translate", "no");
        if let Some(class) = class_of(value) {
            let _ = isolated.set_attribute("class", class);
        }
        let _ = element.append_with_node_1(&isolated);
        let _ = element.append_with_str_1(parts.next().unwrap_or_default());
    }
}

/// The first text as a child. In the browser, [`dynamic_text`] changes it before it is seen.
#[cfg(target_arch = "wasm32")]
pub fn first_text(text: &str) -> String {
    text.to_owned()
}

/// The first text as a child, with what is between isolates in a `<bdi>`.
#[cfg(not(target_arch = "wasm32"))]
pub fn first_text(text: &str) -> AnyView {
    let parts = text.split(ISOLATES).map(str::to_owned).enumerate();
    // Leptos would write a space for an empty text.
    let parts = parts.filter(|(_, part)| !part.is_empty());
    let part = |(number, part): (usize, String)| match number % 2 {
        1 => {
            let class = class_of(&part);
            view! { <bdi translate="no" class=class>{part}</bdi> }.into_any()
        }
        _ => part.into_any(),
    };
    parts.map(part).collect_view().into_any()
}
