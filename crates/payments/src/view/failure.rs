//! Failures, in a plain sentence, with a way on.

use leptos::prelude::*;
use tender_client::{Failure, FailureCode};
use tender_element::dom::el;
use tender_element::notice::alert;
use tender_element::speech::say;
use tender_merchant::text::Text;
use tender_merchant::{Event, State};

use crate::driver::Driver;

/// The list can't be had.
pub(super) fn unavailable(driver: Driver) -> AnyView {
    let failure = driver.with(|state| match state {
        State::Unavailable(key, failure) => Some((key.is_some(), failure.clone())),
        _ => None,
    });
    failure
        .map(|(has_key, failure)| {
            let retry = el("button")
                .attr("type", "button")
                .class("primary")
                .part("retry")
                .text(&say(Text::TryAgain))
                .on("click", move |_| driver.dispatch(Event::Refreshed))
                .successor();
            view! {
                <div class="notice" part="notice">
                    {alert(&say(Text::FailedTitle), &sentence(&failure)).in_view()}
                    {retry.in_view()}
                    {has_key.then(|| forget(driver))}
                    <slot></slot>
                </div>
            }
        })
        .into_any()
}

/// The shop's login has ended.
pub(super) fn logged_out(driver: Driver) -> AnyView {
    let way = el("button")
        .attr("type", "button")
        .class("primary")
        .part("retry")
        .text(&say(Text::Reload))
        .on("click", move |_| driver.dispatch(Event::ReloadWanted))
        .successor();
    view! {
        <div class="notice" part="notice">
            {alert(&say(Text::LoggedOut), &say(Text::LoggedOutHint)).in_view()}
            {way.in_view()}
        </div>
    }
    .into_any()
}

/// The button that forgets the key.
pub(super) fn forget(driver: Driver) -> AnyView {
    view! {
        <button type="button" class="quiet" part="forget"
            on:click=move |_| driver.dispatch(Event::KeyForgotten)>
            {say(Text::KeyForget)}
        </button>
    }
    .into_any()
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
