use leptos::prelude::*;

/// A checkbox with an area around it that can be clicked too.
#[component]
pub(super) fn Checkbox(
    /// The name for screen readers.
    #[prop(into)]
    label: Signal<String>,
    /// Whether it is checked.
    checked: Memo<bool>,
    /// Called when the merchant checks or unchecks it.
    on_change: Callback<bool>,
    /// Whether the label is also shown, where the layout has room for it.
    #[prop(optional)]
    shows_label: bool,
) -> AnyView {
    view! {
        <label class="pick">
            <input
                type="checkbox"
                aria-label=move || label.get()
                prop:checked=move || checked.get()
                on:change=move |event| on_change.run(event_target_checked(&event))
            />
            {shows_label.then(|| view! { <span class="label">{move || label.get()}</span> })}
        </label>
    }
    .into_any()
}
