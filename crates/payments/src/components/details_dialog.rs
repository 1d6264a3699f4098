use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::focus::FocusTarget;
use tender_payments_core::{DeliveryRequest, Event, PaymentDetails};
use tender_protocol::DeliveryState;

use super::modal::{CloseButton, Modal};
use super::order_actions::OrderActions;
use super::payment_fields::PaymentFields;
use super::payment_row::payment_memo;
use super::payment_summary::{name_of, naming};
use super::timeline_list::TimelineList;
use crate::driver::{Driver, use_driver};
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// The dialog with the details of one payment.
#[component]
pub(super) fn DetailsDialog(
    /// Takes the focus if the control that opened the dialog is gone when it closes.
    title: FocusTarget,
) -> AnyView {
    let driver = use_driver();
    let payment = Memo::new(move |_| read(driver, |open| open.transaction_id.clone()));
    let is_open = Memo::new(move |_| payment.with(Option::is_some));
    let dismiss = Callback::new(move |()| driver.dispatch(Event::DetailsClosed));
    view! {
        <Modal part="details-dialog" heading="details" is_open=is_open title=title on_dismiss=dismiss>
            {move || payment.get().map(|id| view! { <DetailsOfPayment id=id/> })}
        </Modal>
    }
    .into_any()
}

/// Reads what the dialog shows; `None` while it is closed.
fn read<T>(driver: Driver, read: impl FnOnce(&PaymentDetails) -> T) -> Option<T> {
    driver
        .dashboard(|dashboard| dashboard.details.as_ref().map(read))
        .flatten()
}

#[component]
fn DetailsOfPayment(
    /// The payment's `transactionId`.
    id: String,
) -> AnyView {
    let driver = use_driver();
    let locale = use_localization();
    let payment = payment_memo(id.clone());
    let name = name_of(payment);
    let heading = naming(Text::PaymentOf, name);
    let summary =
        Signal::derive(move || read(driver, |open| summary(locale, open)).unwrap_or_default());
    let failure = Memo::new(move |_| read(driver, |open| failure(locale, open)).flatten());
    let has_more = Memo::new(move |_| {
        read(driver, |open| {
            open.list.as_ref().is_some_and(|list| list.more)
        }) == Some(true)
    });
    view! {
        <h3 id="details">{move || heading.get()}</h3>
        <div class="scroll" tabindex="0" role="region" aria-labelledby="details">
            <PaymentFields id=id.clone() payment=payment name=name/>
            <OrderActions id=id.clone()/>
            <h4>{locale.t(Text::Timeline)}</h4>
            <p class="hint" role="status" use:dynamic_text=summary></p>
            {move || failure.get().map(|text| view! { <p class="problem" role="alert">{text}</p> })}
            <TimelineList id=id/>
            <Show when=move || has_more.get()>
                <p class="hint">{locale.t(Text::AndMore)}</p>
            </Show>
        </div>
        <CloseButton class="quiet" event=Event::DetailsClosed/>
    }
    .into_any()
}

/// What became of all notifications, in one sentence.
fn summary(locale: Localization, open: &PaymentDetails) -> String {
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
fn failure(locale: Localization, open: &PaymentDetails) -> Option<String> {
    let (text, failure) = match &open.request {
        DeliveryRequest::LoadFailed(failure) => (Text::NotificationsFailed, failure),
        DeliveryRequest::ResendFailed(failure) => (Text::ResendFailed, failure),
        _ => return None,
    };
    Some(locale.format(text, &[("reason", &failure.message)]))
}
