use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::focus::FocusTarget;
use tender_payments_core::{DeliveryRequest, Event, PaymentDeliveries};
use tender_protocol::DeliveryState;

use super::delivery_item::DeliveryItem;
use super::keyed_list::KeyedList;
use super::modal::{CloseButton, Modal};
use super::payment_summary::payment_name;
use crate::driver::{Driver, use_driver};
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// The dialog with the notifications of one payment to the shop's backend.
#[component]
pub(super) fn DeliveriesDialog(
    /// Takes the focus if the control that opened the dialog is gone when it closes.
    title: FocusTarget,
) -> AnyView {
    let driver = use_driver();
    let payment = Memo::new(move |_| read(driver, |open| open.transaction_id.clone()));
    let is_open = Memo::new(move |_| payment.with(Option::is_some));
    let dismiss = Callback::new(move |()| driver.dispatch(Event::DeliveriesClosed));
    view! {
        <Modal part="deliveries" heading="deliveries" is_open=is_open title=title on_dismiss=dismiss>
            {move || payment.get().map(|id| view! { <PaymentNotifications id=id/> })}
        </Modal>
    }
    .into_any()
}

/// Reads what the dialog shows; `None` while it is closed.
fn read<T>(driver: Driver, read: impl FnOnce(&PaymentDeliveries) -> T) -> Option<T> {
    driver
        .dashboard(|dashboard| dashboard.open_deliveries.as_ref().map(read))
        .flatten()
}

#[component]
fn PaymentNotifications(
    /// The payment's `transactionId`.
    id: String,
) -> AnyView {
    let driver = use_driver();
    let locale = use_localization();
    let name = untrack(|| {
        driver.dashboard(|dashboard| {
            let payment = dashboard.list.get(&id)?;
            Some(payment_name(locale, payment))
        })
    });
    let name = name.flatten().unwrap_or_default();
    let summary =
        Signal::derive(move || read(driver, |open| summary(locale, open)).unwrap_or_default());
    let failure = Memo::new(move |_| read(driver, |open| failure(locale, open)).flatten());
    let ids = Memo::new(move |_| {
        let ids = read(driver, |open| {
            let list = open.list.iter().flat_map(|list| &list.deliveries);
            list.map(|delivery| delivery.id.clone()).collect::<Vec<_>>()
        });
        ids.unwrap_or_default()
    });
    let has_more = Memo::new(move |_| {
        read(driver, |open| {
            open.list.as_ref().is_some_and(|list| list.more)
        }) == Some(true)
    });
    view! {
        <h3 id="deliveries">{locale.format(Text::NotificationsOf, &[("invoice", &name)])}</h3>
        <p class="hint" role="status" use:dynamic_text=summary></p>
        {move || failure.get().map(|text| view! { <p class="problem" role="alert">{text}</p> })}
        <ul class="delivery-list">
            <KeyedList
                keys=ids
                children=Callback::new(|id| view! { <DeliveryItem id=id/> }.into_any())
            />
        </ul>
        <Show when=move || has_more.get()>
            <p class="hint">{locale.t(Text::AndMore)}</p>
        </Show>
        <CloseButton class="quiet" event=Event::DeliveriesClosed/>
    }
    .into_any()
}

/// What became of all of them, in one sentence.
fn summary(locale: Localization, open: &PaymentDeliveries) -> String {
    if open.list.is_none() {
        // A failure is shown by itself.
        return match open.request {
            DeliveryRequest::Loading => locale.t(Text::NotificationsLoading),
            _ => String::new(),
        };
    }
    locale.t(match open.worst() {
        None => Text::NotificationsNone,
        Some(DeliveryState::GivenUp) => Text::NotificationsGivenUp,
        Some(DeliveryState::Waiting) => Text::NotificationsWaiting,
        Some(DeliveryState::Delivered | DeliveryState::Unknown) => Text::NotificationsDelivered,
    })
}

/// Why the last request failed.
fn failure(locale: Localization, open: &PaymentDeliveries) -> Option<String> {
    let (text, failure) = match &open.request {
        DeliveryRequest::LoadFailed(failure) => (Text::NotificationsFailed, failure),
        DeliveryRequest::ResendFailed(failure) => (Text::ResendFailed, failure),
        _ => return None,
    };
    Some(locale.format(text, &[("reason", &failure.message)]))
}
