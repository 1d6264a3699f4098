//! The token listing could not be loaded, or offers no token.

use leptos::prelude::*;
use tender_checkout_core::State;
use tender_element::components::Alert;
use tender_element::i18n::use_i18n;

use super::controls::{RetryButton, restore_focus_if};
use super::failure::failure_text;
use crate::driver::use_driver;
use crate::text::Text;

#[component]
pub(super) fn Unavailable() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let code = untrack(|| {
        driver.with(|state| match state {
            State::Unavailable(_, failure) => Some(failure.code),
            _ => None,
        })
    });
    let Some(code) = code else {
        return ().into_any();
    };
    let is_retryable = code.is_retryable();
    let text = failure_text(code);
    view! {
        <div class="notice" part="notice" tabindex="-1" use:restore_focus_if=!is_retryable>
            <Alert
                title=Signal::derive(move || i18n.t(Text::NoTokensTitle))
                message=Signal::derive(move || i18n.t(text))
            />
            {is_retryable.then(|| view! { <form method="post"><RetryButton/></form> })}
            // The shop's own fallback.
            <slot></slot>
        </div>
    }
    .into_any()
}
