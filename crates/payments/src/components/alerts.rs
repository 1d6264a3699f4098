use leptos::prelude::*;
use tender_element::components::Alert;
use tender_element::focus::restore_focus;
use tender_payments_core::Event;
use tender_protocol::client::{Failure, FailureCode};

use super::controls::ActionButton;
use crate::localization::use_localization;
use crate::text::Text;

/// Why there is no list, with a button that helps.
#[component]
pub(super) fn Notice(
    title: Text,
    message: Text,
    /// The label of the button, and what it does.
    button: Text,
    event: Event,
    /// Whether the merchant has entered a key, and so can remove it.
    #[prop(optional)]
    has_key: bool,
    /// What is shown below it.
    #[prop(optional)]
    children: Option<Children>,
) -> AnyView {
    let l10n = use_localization();
    view! {
        <div class="notice" part="notice">
            <Alert title=l10n.t(title) message=l10n.t(message)/>
            <ActionButton class="primary" part="retry" text=button event=event use:restore_focus/>
            {has_key.then(|| view! { <ForgetKeyButton/> })}
            {children.map(|children| children())}
        </div>
    }
    .into_any()
}

/// Removes the merchant key from this tab.
#[component]
pub(super) fn ForgetKeyButton() -> AnyView {
    view! {
        <ActionButton class="link" part="forget" text=Text::KeyForget event=Event::KeyForgotten/>
    }
    .into_any()
}

/// What the merchant reads about a failure.
pub(super) fn failure_text(failure: &Failure) -> Text {
    match failure.code {
        FailureCode::Unreachable => Text::Unreachable,
        FailureCode::Timeout => Text::Timeout,
        FailureCode::RequestRefused | FailureCode::MayBePaid | FailureCode::AttemptEnded => {
            Text::RequestRefused
        }
        FailureCode::ConfigInvalid
        | FailureCode::ServiceFailed
        | FailureCode::AnswerUnreadable
        | FailureCode::NoTokens
        | FailureCode::OrderRefused
        | FailureCode::OrderExpired
        | FailureCode::PaymentOpen
        | FailureCode::EarlierPaymentOpen
        | FailureCode::RecordMismatch => Text::ServiceFailed,
    }
}
