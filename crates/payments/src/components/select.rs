use leptos::prelude::*;

use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// A field to choose one of several values.
#[component]
pub(super) fn Select<T: Clone + PartialEq + Send + Sync + 'static>(
    id: &'static str,
    label: Text,
    /// The choice of no value.
    #[prop(optional)]
    none: Option<Text>,
    /// The values to choose from.
    #[prop(into)]
    values: Signal<Vec<T>>,
    /// The name of a value.
    name: fn(Localization, &T) -> String,
    /// The chosen value.
    #[prop(into)]
    chosen: Signal<Option<T>>,
    /// Called with the value that the merchant chooses.
    on_change: Callback<Option<T>>,
) -> AnyView {
    let l10n = use_localization();
    // In one effect: an effect for each option would stay among the subscribers of `chosen` after its option was removed.
    // Properties, because an attribute no longer changes what is chosen once the merchant has chosen something.
    let options = move || {
        let values = values.get();
        let chosen = chosen.get();
        let chosen = values
            .iter()
            .position(|value| chosen.as_ref() == Some(value));
        let none = none.map(|text| {
            view! { <option value="" prop:selected=chosen.is_none()>{l10n.t(text)}</option> }
        });
        let options = values.iter().enumerate().map(|(index, value)| {
            view! {
                <option value=index.to_string() prop:selected=chosen == Some(index)>
                    {name(l10n, value)}
                </option>
            }
        });
        (none, options.collect_view())
    };
    let choose = move |index: Option<usize>| {
        let value =
            index.and_then(|index| values.with_untracked(|values| values.get(index).cloned()));
        on_change.run(value);
    };
    view! {
        <div class="field">
            <label for=id>{l10n.t(label)}</label>
            <select id=id on:change=move |event| choose(event_target_value(&event).parse().ok())>
                {options}
            </select>
        </div>
    }
    .into_any()
}
