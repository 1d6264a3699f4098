use leptos::prelude::*;
use tender_element::components::Alert;
use tender_element::focus::restore_focus;
use tender_payments_core::Event;
use tender_protocol::client::{Failure, FailureCode};

use super::action_button::ActionButton;
use crate::localization::use_localization;
use crate::text::Text;

/// The list could not be loaded.
#[component]
pub(super) fn LoadFailure(
    /// What failed.
    message: Text,
    /// Whether the merchant has entered a key.
    has_key: bool,
) -> AnyView {
    view! {
        <div class="notice" part="notice">
            <TextAlert title=Text::FailedTitle message=message/>
            <ActionButton
                class="primary"
                part="retry"
                text=Text::TryAgain
                event=Event::RefreshRequested
                use:restore_focus
            />
            {has_key.then(|| view! { <ForgetKeyButton/> })}
            <slot></slot>
        </div>
    }
    .into_any()
}

/// The shop's login has ended.
#[component]
pub(super) fn LoggedOut() -> AnyView {
    view! {
        <div class="notice" part="notice">
            <TextAlert title=Text::LoggedOut message=Text::LoggedOutHint/>
            <ActionButton
                class="primary"
                part="retry"
                text=Text::Reload
                event=Event::ReloadRequested
                use:restore_focus
            />
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

#[component]
fn TextAlert(title: Text, message: Text) -> AnyView {
    let locale = use_localization();
    view! {
        <Alert
            title=locale.t(title)
            message=locale.t(message)
        />
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
