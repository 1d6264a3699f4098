//! Controls to switch to another token, and to cancel the payment.

use leptos::either::EitherOf5;
use leptos::prelude::*;
use tender_checkout_core::{Awaiting, Cancelling, Event, FailureCode};
use tender_element::focus::restore_focus;
use tender_element::i18n::use_i18n;

use super::awaiting;
use crate::components::controls::{ActionButton, restore_focus_if};
use crate::driver::{Driver, use_driver};
use crate::text::Text;

#[component]
pub(super) fn CancelControls() -> AnyView {
    let driver = use_driver();
    let cancelling = driver.memo(cancelling);
    view! {
        {move || {
            let controls = match cancelling.get()? {
                Cancelling::Idle => EitherOf5::A(view! { <CancelLinks/> }),
                Cancelling::Confirming => EitherOf5::B(view! { <CancelConfirmation/> }),
                Cancelling::Requested => EitherOf5::C(view! { <CancelProgress/> }),
                Cancelling::Failed(failure) => EitherOf5::D(view! {
                    <CancelFailure code=failure.code/>
                    <CancelLinks/>
                }),
                Cancelling::Unavailable(failure) => EitherOf5::E(view! {
                    <CancelFailure code=failure.code takes_focus=true/>
                }),
            };
            Some(view! { <form class="cancel" part="cancel" method="post">{controls}</form> })
        }}
    }
    .into_any()
}

/// The progress of the cancellation. `None` while the payment may be on its way: while a wallet request is open, and once
/// a transaction is known.
fn cancelling(driver: Driver) -> Option<Cancelling> {
    awaiting(driver, |awaiting| {
        let is_on_its_way = awaiting.is_wallet_asked() || awaiting.transaction().is_some();
        (!is_on_its_way).then(|| awaiting.cancelling.clone())
    })
    .flatten()
}

#[component]
fn CancelLinks() -> AnyView {
    let driver = use_driver();
    let may_change = driver.memo(may_change);
    view! {
        <div class="links">
            {move || may_change.get().then(|| view! {
                <ActionButton class="link" part="change" text=Text::UseAnother event=Event::ChangeRequested/>
            })}
            <ActionButton class="link" text=Text::Cancel event=Event::CancelRequested takes_focus=true/>
        </div>
    }
    .into_any()
}

/// Whether the buyer can pay with another token instead.
fn may_change(driver: Driver) -> bool {
    let accepts_one = driver.with_config(|config| config.accept.len() == 1);
    !accepts_one && awaiting(driver, Awaiting::may_change).unwrap_or_default()
}

#[component]
fn CancelConfirmation() -> AnyView {
    let i18n = use_i18n();
    view! {
        <p role="alert">{move || i18n.t(Text::CancelSure)}</p>
        <div class="buttons">
            // The safe choice takes the focus.
            <ActionButton class="quiet" text=Text::CancelNo event=Event::CancelDismissed takes_focus=true/>
            <ActionButton class="danger" text=Text::CancelYes event=Event::CancelConfirmed/>
        </div>
    }
    .into_any()
}

#[component]
fn CancelProgress() -> AnyView {
    let i18n = use_i18n();
    view! {
        <p role="status" tabindex="-1" use:restore_focus>{move || i18n.t(Text::CancelSending)}</p>
    }
    .into_any()
}

#[component]
fn CancelFailure(
    code: FailureCode,
    /// Whether the sentence takes the focus of the removed controls, if it is shown without others.
    #[prop(optional)]
    takes_focus: bool,
) -> AnyView {
    let i18n = use_i18n();
    // Only a refusal proves that the payment was not cancelled. After any other failure the outcome is unknown.
    let text = match code {
        FailureCode::RequestRefused => Text::CancelRefused,
        _ => Text::CancelUnclear,
    };
    view! {
        <p class="problem" role="alert" tabindex="-1" use:restore_focus_if=takes_focus>
            {move || i18n.t(text)}
        </p>
    }
    .into_any()
}
