use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_payments_core::{DeliveryRequest, Event, PaymentDetails};
use tender_protocol::DeliveryState;

use super::modal::{CloseButton, Modal};
use super::order_actions::OrderActions;
use super::payment_fields::PaymentFields;
use super::payment_row::payment_memo;
use super::payment_summary::{name_of, naming};
use super::timeline_list::TimelineList;
use crate::driver::{latest, use_driver};
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// The dialog with the details of one payment.
#[component]
pub(super) fn DetailsDialog() -> AnyView {
    let driver = use_driver();
    let payment = driver.memo(|dashboard| Some(dashboard.details.as_ref()?.transaction_id.clone()));
    let is_open = Memo::new(move |_| payment.with(Option::is_some));
    view! {
        <Modal part="details-dialog" heading="details" is_open dismiss=Event::DetailsClosed>
            {move || payment.get().map(|id| view! { <DetailsOfPayment id=id/> })}
        </Modal>
    }
    .into_any()
}

#[component]
fn DetailsOfPayment(
    /// The payment's `transactionId`.
    id: String,
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let details = latest(move || driver.with_dashboard(|dashboard| dashboard.details.clone()));
    let (Some(details), Some(payment)) = (details, payment_memo(id.clone())) else {
        return view! { <CloseButton class="quiet" event=Event::DetailsClosed/> }.into_any();
    };
    let name = name_of(payment);
    let heading = naming(Text::PaymentOf, name);
    let summary = Signal::derive(move || details.with(|details| summary(l10n, details)));
    let failure = Memo::new(move |_| details.with(|details| failure(l10n, details)));
    let has_more = Memo::new(move |_| {
        details.with(|details| details.list.as_ref().is_some_and(|list| list.more))
    });
    view! {
        <h3 id="details" use:dynamic_text=heading></h3>
        <div class="scroll" tabindex="0" role="region" aria-labelledby="details">
            <PaymentFields id=id.clone() payment=payment name=name/>
            <OrderActions details/>
            <h4>{l10n.t(Text::Timeline)}</h4>
            <p class="hint" role="status" use:dynamic_text=summary></p>
            {move || failure.get().map(|text| view! { <p class="problem" role="alert">{text}</p> })}
            <TimelineList id=id details/>
            <Show when=move || has_more.get()>
                <p class="hint">{l10n.t(Text::AndMore)}</p>
            </Show>
        </div>
        <CloseButton class="quiet" event=Event::DetailsClosed/>
    }
    .into_any()
}

/// The state of all notifications, in one sentence.
fn summary(l10n: Localization, details: &PaymentDetails) -> String {
    if details.list.is_none() {
        // A failure is shown by itself.
        return match details.request {
            DeliveryRequest::Loading => l10n.t(Text::NotificationsLoading),
            _ => String::new(),
        };
    }
    l10n.t(match details.worst() {
        None => Text::NotificationsNone,
        Some(DeliveryState::GivenUp) => Text::NotificationsGivenUp,
        Some(DeliveryState::Waiting | DeliveryState::SetAside) => Text::NotificationsWaiting,
        Some(DeliveryState::Delivered | DeliveryState::Unknown) => Text::NotificationsDelivered,
    })
}

/// Why the last request failed.
fn failure(l10n: Localization, details: &PaymentDetails) -> Option<String> {
    let (text, failure) = match &details.request {
        DeliveryRequest::LoadFailed(failure) => (Text::NotificationsFailed, failure),
        DeliveryRequest::ResendFailed(failure) => (Text::ResendFailed, failure),
        _ => return None,
    };
    Some(l10n.format(text, &[("reason", &failure.message)]))
}
