//! The payment was not created: why, and what the buyer can do.

use leptos::prelude::*;
use tender_checkout_core::FailureCode;
use tender_element::components::Alert;
use tender_element::i18n::use_i18n;

use crate::components::contact::ShopContact;
use crate::components::controls::{ActionButton, RetryButton};
use crate::components::failure::failure_text;
use crate::driver::use_driver;
use crate::press::Press;
use crate::text::Text;

#[component]
pub(super) fn CreateFailure(code: FailureCode) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let is_retryable = code.is_retryable();
    let has_open_payment = untrack(|| driver.with(|state| state.context.open_payment().is_some()));
    let text = if has_open_payment {
        replace_failure_text(code)
    } else {
        failure_text(code)
    };
    view! {
        <Alert title=i18n.signal(Text::FailedTitle) message=i18n.signal(text)/>
        <div class="buttons">
            {is_retryable.then(|| view! { <RetryButton/> })}
            <ActionButton class="quiet" part="back" text=Text::Back press=Press::DismissFailure
                takes_focus=!is_retryable/>
        </div>
        {(!is_retryable).then(|| view! { <ShopContact/> })}
        // The shop's own fallback, unless an earlier payment is open that the buyer may have paid.
        {(!has_open_payment).then(|| view! { <slot></slot> }.into_any())}
    }
    .into_any()
}

/// The sentence for a failure while an earlier payment is open, which may be cancelled by now.
fn replace_failure_text(code: FailureCode) -> Text {
    match code {
        FailureCode::Unreachable
        | FailureCode::Timeout
        | FailureCode::ServiceFailed
        | FailureCode::AnswerUnreadable
        | FailureCode::RequestRefused
        | FailureCode::EarlierPaymentOpen => Text::ReplaceFailed,
        FailureCode::ConfigInvalid
        | FailureCode::NoTokens
        | FailureCode::OrderRefused
        | FailureCode::OrderExpired
        | FailureCode::AttemptEnded
        | FailureCode::MayBePaid
        | FailureCode::PaymentOpen
        | FailureCode::RecordMismatch => failure_text(code),
    }
}
