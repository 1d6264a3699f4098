use leptos::prelude::*;

/// A list of strings, each rendered once: like Leptos' `<For>`, whose keys stay in memory.
#[component]
pub(super) fn KeyedList(
    /// The keys.
    keys: Memo<Vec<String>>,
    /// Renders one key.
    children: Callback<String, AnyView>,
) -> AnyView {
    view! { <For each=move || keys.get() key=String::clone children=move |key| children.run(key)/> }
        .into_any()
}
