//! Controls to switch to another token, and to cancel the payment.

use leptos::either::EitherOf3;
use leptos::prelude::*;
use tender_checkout_core::{Cancelling, CheckoutPayment};
use tender_element::components::DynamicText;
use tender_element::focus::scroll_into_view;
use tender_element::i18n::use_i18n;

use crate::components::controls::{ActionButton, CancelProgress};
use crate::components::{is_transaction_known, payment_is, payment_memo};
use crate::driver::{Driver, use_driver};
use crate::hosted::ASKED;
use crate::press::Press;
use crate::text::Text;

#[component]
pub(super) fn CancelControls() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let invoice = driver.invoice();
    let held = Signal::derive(move || i18n.format(Text::Held, &[("invoice", &invoice)]));
    let cancelling = payment_memo(driver, cancelling);
    let is_held = payment_memo(driver, CheckoutPayment::is_held_by_mark);
    view! {
        // Why the payment can't be cancelled or changed here.
        {move || is_held.get().then(|| view! { <p class="hint" role="status"><DynamicText text=held/></p> }.into_any())}
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

/// The progress of the cancellation, where it is offered or under way.
fn cancelling(payment: &CheckoutPayment) -> Option<Cancelling> {
    let is_under_way = payment.cancelling == Cancelling::Requested;
    let is_shown = payment.may_cancel() || is_under_way && !is_transaction_known(payment);
    is_shown.then(|| payment.cancelling.clone())
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
    !accepts_one && payment_is(driver, CheckoutPayment::may_change)
}

#[component]
fn CancelConfirmation() -> AnyView {
    let i18n = use_i18n();
    view! {
        <div class="question" id=ASKED use:scroll_into_view>
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
