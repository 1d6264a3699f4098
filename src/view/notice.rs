//! Failures, in a plain sentence, with a way on.

use tender_checkout_core::{Event, Failure, FailureCode, State};
use tender_element::dom::{El, el};
use tender_element::notice::alert;

use super::action;
use crate::driver::Driver;
use crate::text::{Text, say};

/// The tokens can't be had: nothing to choose from.
pub(super) fn unavailable(driver: Driver) -> Option<El> {
    let failure = driver.with(|state| match state {
        State::Unavailable(_, failure) => Some(failure.clone()),
        _ => None,
    })?;
    let notice = el("div")
        .class("notice")
        .part("notice")
        .attr("tabindex", "-1")
        .child(alert(&say(Text::NoTokensTitle), &sentence(&failure)));
    let notice = if failure.code.is_retryable() {
        notice.child(retry(driver).successor())
    } else {
        notice.successor()
    };
    Some(notice.child(el("slot")))
}

/// A button that tries again what failed.
pub(super) fn retry(driver: Driver) -> El {
    action(driver, "primary", &say(Text::TryAgain), Event::Retried).part("retry")
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
