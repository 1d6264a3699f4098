//! Failures, in a plain sentence, with a way on.

use tender_client::{Failure, FailureCode};
use tender_element_legacy::dom::{El, el};
use tender_element_legacy::notice::alert;
use tender_element_legacy::speech::say;
use tender_payments_core::text::Text;
use tender_payments_core::{Event, State};

use super::action;
use crate::driver::Driver;

/// The list can't be had.
pub(super) fn unavailable(driver: Driver) -> Option<El> {
    let (has_key, failure) = driver.with(|state| match state {
        State::Failed(key, failure) => Some((key.is_some(), failure.clone())),
        _ => None,
    })?;
    let title = say(Text::FailedTitle);
    let way = way_on(driver, Text::TryAgain, Event::RefreshRequested);
    let notice = notice(&title, &sentence(&failure), way)
        .child(has_key.then(|| forget(driver)))
        .child(el("slot"));
    Some(notice)
}

/// The shop's login has ended.
pub(super) fn logged_out(driver: Driver) -> El {
    let way = way_on(driver, Text::Reload, Event::ReloadRequested);
    notice(&say(Text::LoggedOut), &say(Text::LoggedOutHint), way)
}

fn notice(title: &str, sentence: &str, way: El) -> El {
    el("div")
        .class("notice")
        .part("notice")
        .child(alert(title, sentence))
        .child(way)
}

fn way_on(driver: Driver, text: Text, event: Event) -> El {
    action(driver, "primary", "retry", text, event).successor()
}

/// The button that forgets the key.
pub(super) fn forget(driver: Driver) -> El {
    let event = Event::KeyForgotten;
    action(driver, "quiet", "forget", Text::KeyForget, event)
}

/// What a merchant is told about a failure.
pub(super) fn sentence(failure: &Failure) -> String {
    say(match failure.code {
        FailureCode::Unreachable => Text::Unreachable,
        FailureCode::Timeout => Text::Timeout,
        FailureCode::RequestRefused => Text::RequestRefused,
        _ => Text::ServiceFailed,
    })
}
