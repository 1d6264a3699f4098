use leptos::html::Input;
use leptos::prelude::*;
use tender_element::focus::restore_focus;
use tender_element::page::prevent_default;
use tender_payments_core::{Event, KeyPrompt, State};

use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// Asks for the merchant key.
#[component]
pub(super) fn KeyForm(
    /// The key that is being typed. It outlives this component, which is created again when the locale changes.
    typed_key: StoredValue<String>,
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let problem = Memo::new(move |_| {
        driver.with(|state| match state {
            State::KeyRequired(KeyPrompt::Rejected) => Some(Text::KeyRefused),
            State::KeyRequired(KeyPrompt::Invalid) => Some(Text::KeyUnfit),
            _ => None,
        })
    });
    let input = NodeRef::<Input>::new();
    let submit = move || {
        if let Some(input) = input.get_untracked() {
            // Clears the field, so that the key does not remain in the DOM.
            let key = input.value();
            input.set_value("");
            typed_key.set_value(String::new());
            driver.dispatch(Event::KeySubmitted(key));
        }
    };
    view! {
        <form
            class="key-form"
            part="key-form"
            novalidate
            autocomplete="off"
            on:submit=prevent_default(submit)
        >
            <h2>{l10n.t(Text::Payments)}</h2>
            <div class="field" part="field">
                <label for="key">{l10n.t(Text::KeyTitle)}</label>
                <input
                    id="key"
                    type="password"
                    autocomplete="off"
                    spellcheck="false"
                    autocapitalize="off"
                    aria-required="true"
                    aria-describedby="key-hint"
                    aria-invalid=move || problem.get().map(|_| "true")
                    prop:value=typed_key.get_value()
                    on:input=move |event| typed_key.set_value(event_target_value(&event))
                    node_ref=input
                    use:restore_focus
                />
                <p class="hint" id="key-hint">{l10n.t(Text::KeyHint)}</p>
            </div>
            {move || problem.get().map(|problem| view! {
                <p class="problem" role="alert">{l10n.t(problem)}</p>
            })}
            // In a frame that is sandboxed without `allow-forms`, the browser submits no form, so the click handler does it.
            <button
                type="submit"
                class="primary"
                part="submit"
                on:click=prevent_default(submit)
            >
                {l10n.t(Text::KeyOpen)}
            </button>
        </form>
    }
    .into_any()
}
