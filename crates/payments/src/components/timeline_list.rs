use leptos::prelude::*;
use tender_payments_core::{EntryKind, Event, PaymentDetails, TimelineEntry, timeline};
use tender_protocol::{Delivery, DeliveryState};

use super::delivery_summary::state_icon;
use super::ledger_info::known_payment;
use crate::driver::{latest, use_driver};
use crate::localization::use_localization;
use crate::text::Text;

/// What is known to have happened to the payment in the dialog, newest first, with the notifications of it to the shop's backend.
#[component]
pub(super) fn TimelineList(
    /// The payment's `transactionId`.
    id: String,
    details: Memo<PaymentDetails>,
) -> AnyView {
    let l10n = use_localization();
    let known = known_payment(id);
    let entries = Memo::new(move |_| {
        details.with(|details| known.with(|known| timeline(known.as_ref(), details.list.as_ref())))
    });
    view! {
        <Show when=move || entries.with(|entries| !entries.is_empty())>
            <p class="hint">{l10n.t(Text::TimelineHint)}</p>
            <ol class="timeline">
                <For each=move || entries.get() key=TimelineEntry::clone let(entry)>
                    <TimelineItem entry=entry details=details/>
                </For>
            </ol>
        </Show>
    }
    .into_any()
}

/// One entry. It stays when the others change.
#[component]
fn TimelineItem(entry: TimelineEntry, details: Memo<PaymentDetails>) -> AnyView {
    let l10n = use_localization();
    let text = match entry.kind {
        EntryKind::Change(id) => return view! { <DeliveryItem id details/> }.into_any(),
        EntryKind::FirstAttempt => Text::FirstAttempt,
        EntryKind::ServiceNotified => Text::ServiceNotified,
    };
    view! {
        <li>
            <strong>{l10n.t(text)}</strong>
            <bdi class="hint">{l10n.time(&entry.time)}</bdi>
        </li>
    }
    .into_any()
}

/// One change and its notification to the shop's backend: its event, its state, and a button that sends it again. It
/// stays when the notification changes, and with it the focus.
#[component]
fn DeliveryItem(
    /// The id of the notification.
    id: String,
    details: Memo<PaymentDetails>,
) -> AnyView {
    let driver = use_driver();
    let l10n = use_localization();
    let id = StoredValue::new(id);
    let find = move |details: &PaymentDetails| id.with_value(|id| details.get(id).cloned());
    let Some(delivery) = latest(move || details.with(find)) else {
        return ().into_any();
    };
    let can_resend =
        Memo::new(move |_| details.with(|details| id.with_value(|id| details.can_resend(id))));
    let resend = move |_| {
        if can_resend.get_untracked() {
            driver.dispatch(Event::ResendRequested(id.get_value()));
        }
    };
    let kind = move || delivery.with(|delivery| delivery.kind.clone());
    let change = move || change_of(&kind()).map(|text| l10n.t(text));
    let label = move || l10n.labelled(&l10n.t(Text::Resend), &kind());
    view! {
        <li part="delivery">
            <strong>{change}</strong>
            <bdi class="hint" translate="no">{kind}</bdi>
            <button
                type="button"
                class="quiet"
                part="resend"
                aria-label=label
                aria-disabled=move || (!can_resend.get()).then_some("true")
                on:click=resend
            >
                {l10n.t(Text::Resend)}
            </button>
            {move || view! { <DeliveryDetails delivery=delivery.get()/> }}
        </li>
    }
    .into_any()
}

/// What a kind of event means.
fn change_of(kind: &str) -> Option<Text> {
    Some(match kind {
        "payment.created" => Text::ChangeCreated,
        "payment.updated" => Text::ChangeUpdated,
        "payment.pending" => Text::StatePending,
        "payment.underpaid" => Text::StateUnderpaid,
        "payment.paid" => Text::ChangePaid,
        "payment.closed" => Text::ChangeClosed,
        _ => return None,
    })
}

/// The state of a notification, its times, and the response of the shop.
#[component]
fn DeliveryDetails(delivery: Delivery) -> AnyView {
    let l10n = use_localization();
    let state = match delivery.state {
        DeliveryState::Delivered => Some(Text::DeliveryDelivered),
        DeliveryState::Waiting => Some(Text::DeliveryWaiting),
        DeliveryState::SetAside => Some(Text::DeliverySetAside),
        DeliveryState::GivenUp => Some(Text::DeliveryGivenUp),
        DeliveryState::Unknown => None,
    };
    let state = state.map(|text| {
        view! {
            <span class="delivery-state" data-state=delivery.state.as_str()>
                {state_icon(delivery.state)}
                <span>{l10n.t(text)}</span>
            </span>
        }
    });
    let answered_at = delivery.answered_at.map(|time| l10n.time(&time));
    let rows = [
        (Text::Date, Some(l10n.time(&delivery.written_at))),
        (
            Text::Tries,
            (delivery.tries > 0).then(|| delivery.tries.to_string()),
        ),
        (Text::LastAnswer, delivery.answer),
        (Text::AnsweredAt, answered_at),
        (Text::NextTry, delivery.due_at.map(|time| l10n.time(&time))),
    ];
    let rows = rows.into_iter().filter_map(|(label, value)| {
        let value = value?;
        Some(view! { <dt>{l10n.t(label)}</dt><dd><bdi>{value}</bdi></dd> })
    });
    view! {
        {state}
        <dl>{rows.collect_view()}</dl>
    }
    .into_any()
}
