use leptos::prelude::*;
use tender_element::components::{CheckIcon, ClockIcon, WarningIcon, dynamic_text};
use tender_payments_core::Event;
use tender_protocol::DeliveryState;

use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// Whether the shop's backend has been notified of a payment: a button that shows its details. Nothing without
/// notifications.
#[component]
pub(super) fn DeliverySummary(
    /// The payment's `transactionId`.
    id: String,
    /// What the merchant calls the payment.
    name: Signal<String>,
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let state = {
        let id = id.clone();
        driver.memo(move |dashboard| dashboard.deliveries.of(&id))
    };
    let text = Signal::derive(move || {
        l10n.t(match state.get() {
            Some(DeliveryState::Delivered) => Text::ShopNotified,
            Some(DeliveryState::Waiting | DeliveryState::SetAside) => Text::ShopNotNotifiedYet,
            Some(DeliveryState::GivenUp) => Text::ShopNotNotified,
            Some(DeliveryState::Unknown) | None => Text::Notifications,
        })
    });
    let open = StoredValue::new(Event::DetailsRequested(id));
    // The button stays while its text changes, and with it the focus.
    view! {
        <Show when=move || state.with(Option::is_some)>
            <button
                type="button"
                class="delivery-state"
                part="notifications"
                data-state=move || state.get().map(DeliveryState::as_str)
                aria-label=move || l10n.labelled(&text.get(), &name.get())
                aria-haspopup="dialog"
                on:click=move |_| driver.dispatch(open.get_value())
            >
                {move || state.get().map(state_icon)}
                <span use:dynamic_text=text></span>
            </button>
        </Show>
    }
    .into_any()
}

/// The icon of a state.
pub(super) fn state_icon(state: DeliveryState) -> AnyView {
    match state {
        DeliveryState::Delivered => view! { <CheckIcon/> }.into_any(),
        DeliveryState::GivenUp => view! { <WarningIcon/> }.into_any(),
        DeliveryState::Waiting | DeliveryState::SetAside => view! { <ClockIcon/> }.into_any(),
        DeliveryState::Unknown => ().into_any(),
    }
}
