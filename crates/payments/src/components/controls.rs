use leptos::prelude::*;
use tender_payments_core::Event;

use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// A button that dispatches an event.
#[component]
pub(super) fn ActionButton(
    /// How the element's own stylesheet styles it.
    class: &'static str,
    /// How the page's stylesheet can style it, as `::part(...)`.
    part: &'static str,
    /// The label.
    text: Text,
    /// The event.
    event: Event,
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    view! {
        <button type="button" class=class part=part on:click=move |_| driver.dispatch(event.clone())>
            {l10n.t(text)}
        </button>
    }
    .into_any()
}

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

/// A field to choose one of several texts.
#[component]
pub(super) fn Select(
    id: &'static str,
    label: Text,
    /// The choice of no option.
    #[prop(optional)]
    none: Option<Text>,
    options: Memo<Vec<String>>,
    /// The position of the chosen option.
    chosen: Memo<Option<usize>>,
    /// Called with the position of the option that the merchant chooses.
    on_change: Callback<Option<usize>>,
) -> AnyView {
    let l10n = use_localization();
    // In one effect: an effect for each option would stay among the subscribers of `chosen` after its option was removed.
    // Properties, because an attribute no longer changes what is chosen once the merchant has chosen something.
    let options = move || {
        let chosen = chosen.get();
        let none = none.map(|text| {
            view! { <option value="" prop:selected=chosen.is_none()>{l10n.t(text)}</option> }
        });
        let options = options.get().into_iter().enumerate();
        let options = options.map(|(index, text)| {
            view! {
                <option value=index.to_string() prop:selected=chosen == Some(index)>{text}</option>
            }
        });
        (none, options.collect_view())
    };
    view! {
        <div class="field">
            <label for=id>{l10n.t(label)}</label>
            <select id=id on:change=move |event| on_change.run(event_target_value(&event).parse().ok())>
                {options}
            </select>
        </div>
    }
    .into_any()
}
