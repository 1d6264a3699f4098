//! A label with its value, in a list of details.

use leptos::prelude::*;
use tender_checkout_core::choice::display_name;
use tender_element::components::dynamic_text;
use tender_element::i18n::use_i18n;
use tender_protocol::{PaymentState, Status};

use super::{payment_is, with_payment};
use crate::driver::{Driver, use_driver};
use crate::text::Text;

#[component]
pub(super) fn Detail(label: Text, part: &'static str, children: Children) -> AnyView {
    let i18n = use_i18n();
    view! {
        <div>
            <dt>{move || i18n.t(label)}</dt>
            <dd part=part>{children()}</dd>
        </div>
    }
    .into_any()
}

/// The service's status text.
#[component]
pub(super) fn StatusDetail() -> AnyView {
    let text = status_text(use_driver());
    view! {
        <Detail label=Text::Status part="status">
            <span translate="no" use:dynamic_text=text>{text.get_untracked()}</span>
        </Detail>
    }
    .into_any()
}

/// Whether the page's language has a text for the status: the proxy says that the payment is open, and the status is the
/// documented one of an unpaid payment (the service's document, "States and transitions").
pub(super) fn is_waiting_for_payment(driver: Driver) -> bool {
    payment_is(driver, |it| {
        it.record.state == Some(PaymentState::Open)
            && it.record.status == Status::Created
            && it.asks_for_money()
    })
}

/// The service's status text.
pub(super) fn status_text(driver: Driver) -> Signal<String> {
    Signal::derive(move || {
        with_payment(driver, |it| display_name(&it.record.status.shown())).unwrap_or_default()
    })
}
