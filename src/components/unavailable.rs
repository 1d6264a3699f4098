//! The token listing could not be loaded or offers no token, or nothing may be bought.

use leptos::prelude::*;
use tender_checkout_core::{FailureCode, Phase};
use tender_element::components::Alert;
use tender_element::i18n::use_i18n;

use super::contact::ShopContact;
use super::controls::{RetryButton, restore_focus_if};
use super::failure::failure_text;
use crate::driver::use_driver;
use crate::text::Text;

#[component]
pub(super) fn Unavailable() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let code = untrack(|| {
        driver.with(|state| match &state.phase {
            Phase::Unavailable(failure) => Some(failure.code),
            _ => None,
        })
    });
    let Some(code) = code else {
        return ().into_any();
    };
    let is_retryable = code.is_retryable();
    let text = failure_text(code);
    // To try again does not help where no token is set up, but the listing may have been changed.
    let is_first = code != FailureCode::NoTokens;
    let retry = move || {
        let class = if is_first { "primary" } else { "quiet" };
        is_retryable.then(|| view! { <form method="post"><RetryButton class/></form> }.into_any())
    };
    let title = match code {
        FailureCode::NoTokens => Text::NoTokensTitle,
        FailureCode::MayBePaid => Text::MayBePaidTitle,
        _ => Text::UnavailableTitle,
    };
    // A buyer who may have paid is shown no other way to pay.
    let may_be_paid = code == FailureCode::MayBePaid;
    view! {
        <div class="notice" part="notice" tabindex="-1" use:restore_focus_if=!is_retryable>
            <Alert title=i18n.signal(title) message=i18n.signal(text)/>
            {is_first.then(retry).flatten()}
            {(!is_retryable).then(|| view! { <ShopContact/> })}
            // The shop's own fallback.
            {(!may_be_paid).then(|| view! { <slot></slot> }.into_any())}
            {(!is_first).then(retry).flatten()}
        </div>
    }
    .into_any()
}
