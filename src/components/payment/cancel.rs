//! Controls to switch to another token, and to cancel the payment.

use leptos::either::EitherOf3;
use leptos::prelude::*;
use tender_checkout_core::{Cancelling, CheckoutPayment};
use tender_element::focus::{restore_focus, scroll_into_view};
use tender_element::i18n::use_i18n;

use crate::components::controls::ActionButton;
use crate::components::with_payment;
use crate::driver::{Driver, use_driver};
use crate::press::Press;
use crate::text::Text;

#[component]
pub(super) fn CancelControls() -> AnyView {
    let driver = use_driver();
    let cancelling = driver.memo(cancelling);
    let is_held = driver.memo(is_held);
    view! {
        {move || is_held.get().then(|| view! { <Held/> })}
        {move || {
            let controls = match cancelling.get()? {
                Cancelling::Idle | Cancelling::Failed(_) => EitherOf3::A(view! { <CancelLinks/> }),
                Cancelling::Confirming => EitherOf3::B(view! { <CancelConfirmation/> }),
                Cancelling::Requested => EitherOf3::C(view! { <CancelProgress/> }),
                Cancelling::Unavailable(_) => return None,
            };
            Some(view! { <form class="cancel" part="cancel" method="post">{controls}</form> }.into_any())
        }}
    }
    .into_any()
}

/// Why the payment can't be cancelled or changed here.
#[component]
fn Held() -> AnyView {
    let i18n = use_i18n();
    let invoice = use_driver().invoice();
    view! {
        <p class="hint" role="status">{move || i18n.format(Text::Held, &[("invoice", &invoice)])}</p>
    }
    .into_any()
}

fn is_held(driver: Driver) -> bool {
    with_payment(driver, CheckoutPayment::is_held_by_mark).unwrap_or_default()
}

/// The progress of the cancellation, where it is offered or under way.
fn cancelling(driver: Driver) -> Option<Cancelling> {
    with_payment(driver, |payment| {
        let is_under_way = payment.cancelling == Cancelling::Requested;
        let is_shown = payment.may_cancel() || is_under_way && payment.transaction().is_none();
        is_shown.then(|| payment.cancelling.clone())
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
                <ActionButton class="link" part="change" text=Text::UseAnother press=Press::ChangeToken/>
            })}
            <ActionButton class="link" text=Text::Cancel press=Press::RequestCancel takes_focus=true/>
        </div>
    }
    .into_any()
}

/// Whether the buyer can pay with another token instead.
fn may_change(driver: Driver) -> bool {
    let accepts_one = driver.with_config(|config| config.accept.len() == 1);
    !accepts_one && with_payment(driver, CheckoutPayment::may_change).unwrap_or_default()
}

#[component]
fn CancelConfirmation() -> AnyView {
    let i18n = use_i18n();
    view! {
        <div class="question" use:scroll_into_view>
            <p role="alert">{move || i18n.t(Text::CancelSure)}</p>
            <div class="buttons">
                // The safe choice takes the focus.
                <ActionButton class="primary" text=Text::CancelNo press=Press::DismissCancel takes_focus=true/>
                <ActionButton class="danger" text=Text::CancelYes press=Press::ConfirmCancel/>
            </div>
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
