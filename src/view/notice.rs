//! Failures, in a plain sentence, with a way on.

use leptos::prelude::*;
use tender_core::{Event, Failure, FailureCode, State};
use tender_element::notice::alert;

use super::focus;
use crate::driver::Driver;
use crate::text::{Text, say};

/// The tokens can't be had: nothing to choose from.
pub(super) fn unavailable(driver: Driver) -> impl IntoView {
    let failure = driver.with(|state| match state {
        State::Unavailable(_, failure) => Some(failure.clone()),
        _ => None,
    });
    failure.map(|failure| {
        let retryable = failure.code.is_retryable();
        let retry = retryable.then(|| {
            view! {
                <button type="button" class="primary" part="retry" node_ref=focus::successor()
                    on:click=move |_| driver.dispatch(Event::Retried)>
                    {say(Text::TryAgain)}
                </button>
            }
        });
        view! {
            <div class="notice" part="notice" tabindex="-1"
                node_ref=if retryable { NodeRef::new() } else { focus::successor() }>
                {alert(say(Text::NoTokensTitle), sentence(&failure))}
                {retry}
                <slot></slot>
            </div>
        }
    })
}

/// What a buyer is told about a failure.
pub(super) fn sentence(failure: &Failure) -> String {
    say(match failure.code {
        FailureCode::Unreachable => Text::Unreachable,
        FailureCode::Timeout => Text::Timeout,
        FailureCode::ServiceFailed | FailureCode::AnswerUnreadable => Text::ServiceFailed,
        FailureCode::NoTokens => Text::NoTokens,
        FailureCode::OrderRefused | FailureCode::ConfigInvalid => Text::OrderRefused,
        FailureCode::OrderExpired => Text::OrderExpired,
        FailureCode::AttemptEnded => Text::AttemptEnded,
        FailureCode::RequestRefused => Text::RequestRefused,
    })
}
