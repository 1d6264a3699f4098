//! What keeps the buyer from losing money: which coin to send, that it was sent, and that nothing may be sent.

use leptos::prelude::*;
use tender_checkout_core::{Cancelling, CheckoutPayment, PaymentProgress};
use tender_element::components::{Alert, DynamicText, WarningIcon};
use tender_element::focus::restore_focus;
use tender_element::i18n::use_i18n;

use super::PaymentSnapshot;
use crate::components::contact::ShopContact;
use crate::components::controls::{Caution, restore_focus_if};
use crate::components::{payment_is, payment_memo};
use crate::driver::use_driver;
use crate::text::Text;

/// The token and its network, before the address. In test mode nothing is to be sent.
#[component]
pub(super) fn OnlyThis(snapshot: PaymentSnapshot) -> AnyView {
    let (is_test, has_one_name) =
        snapshot.with(|it| (it.choice.test_mode, it.choice.is_named_as_its_network()));
    let text = if has_one_name {
        Text::OnlyThisCoin
    } else {
        Text::OnlyThis
    };
    (!is_test)
        .then(|| view! { <Caution text=snapshot.text(text) is_boxed=true/> })
        .into_any()
}

/// That the order already had this payment, when the buyer chose another token.
#[component]
pub(super) fn OtherToken() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    untrack(|| payment_is(driver, |payment| payment.facts.is_other_token))
        .then(|| view! { <Caution text=i18n.signal(Text::OtherToken) role="alert" is_boxed=true/> })
        .into_any()
}

/// Money may have been sent: what is known, what to do, and whom to ask.
#[component]
pub(super) fn Progress() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let texts = payment_memo(driver, |payment| Some(progress_texts(payment)));
    view! {
        {move || texts.get().map(|(title, hint)| {
            let hint = Signal::derive(move || i18n.format(hint, &[("invoice", &driver.invoice())]));
            view! {
            // It takes over the focus of the field for the hash, which may be hidden now.
            <div class="ended" role="status" tabindex="-1" use:restore_focus>
                <WarningIcon/>
                <h3>{move || i18n.t(title)}</h3>
                <p class="hint"><DynamicText text=hint/></p>
            </div>
            }.into_any()
        })}
        <ShopContact/>
    }
    .into_any()
}

/// The title and the text.
fn progress_texts(payment: &CheckoutPayment) -> (Text, Text) {
    match payment.facts.progress() {
        PaymentProgress::Sent if payment.is_confirmation_slow() => {
            (Text::YouSentTitle, Text::NotConfirmed)
        }
        PaymentProgress::Sent => (Text::YouSentTitle, Text::YouSent),
        PaymentProgress::Marked | PaymentProgress::SaidSent => (Text::MarkedTitle, Text::Marked),
        PaymentProgress::Open | PaymentProgress::StatusChanged => {
            (Text::StatusMovedTitle, Text::StatusMoved)
        }
    }
}

/// The latest record contradicts the payment, so that neither amount nor address is shown.
#[component]
pub(super) fn Contradiction() -> AnyView {
    let i18n = use_i18n();
    let invoice = use_driver().invoice();
    view! {
        <Alert
            title=i18n.signal(Text::DoNotPay)
            message=Signal::derive(move || i18n.format(Text::RecordChanged, &[("invoice", &invoice)]))
        />
        <ShopContact/>
    }
    .into_any()
}

/// That the payment was not, or may not have been, cancelled. At the top, because it decides whether to pay.
#[component]
pub(super) fn CancelNotice() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let failure = payment_memo(driver, failure);
    view! {
        {move || failure.get().map(|(text, takes_focus)| {
            view! {
                <p class="caution boxed" role="alert" tabindex="-1" use:restore_focus_if=takes_focus>
                    <WarningIcon/>
                    {move || i18n.t(text)}
                </p>
            }
            .into_any()
        })}
    }
    .into_any()
}

/// What the failed cancellation means, and whether the notice takes the focus, because there are no controls to cancel.
fn failure(payment: &CheckoutPayment) -> Option<(Text, bool)> {
    if !payment.may_cancel() {
        return None;
    }
    let takes_focus = matches!(payment.cancelling, Cancelling::Unavailable(_));
    match &payment.cancelling {
        Cancelling::Requested => None,
        _ if payment.facts.is_cancel_unclear => Some((Text::CancelUnclear, takes_focus)),
        Cancelling::Failed(_) | Cancelling::Unavailable(_) => {
            Some((Text::CancelRefused, takes_focus))
        }
        Cancelling::Idle | Cancelling::Confirming => None,
    }
}
