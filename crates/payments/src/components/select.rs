use leptos::prelude::*;

use crate::localization::use_localization;
use crate::text::Text;

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
