use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_payments_core::{EntryKind, PaymentDetails, TimelineEntry, timeline};

use super::delivery_item::DeliveryItem;
use super::keyed_list::KeyedList;
use super::ledger_info::known_payment;
use crate::loaded::latest;
use crate::localization::use_localization;
use crate::text::Text;

/// What is known to have happened to the payment in the dialog, newest first, with the notifications of it to the shop's backend.
#[component]
pub(super) fn TimelineList(
    /// The payment's `transactionId`.
    id: String,
    details: Memo<PaymentDetails>,
) -> AnyView {
    let locale = use_localization();
    let known = known_payment(id);
    let entries = Memo::new(move |_| {
        details.with(|details| known.with(|known| timeline(known.as_ref(), details.list.as_ref())))
    });
    let keys = Memo::new(move |_| {
        entries.with(|entries| entries.iter().map(TimelineEntry::key).collect())
    });
    view! {
        <Show when=move || keys.with(|keys: &Vec<String>| !keys.is_empty())>
            <p class="hint">{locale.t(Text::TimelineHint)}</p>
            <ol class="timeline">
                <KeyedList
                    keys=keys
                    children=Callback::new(move |key| view! { <TimelineItem key entries details/> }.into_any())
                />
            </ol>
        </Show>
    }
    .into_any()
}

/// One entry. It stays when the others change.
#[component]
fn TimelineItem(
    key: String,
    entries: Memo<Vec<TimelineEntry>>,
    details: Memo<PaymentDetails>,
) -> AnyView {
    let locale = use_localization();
    let entry = latest(move || {
        entries.with(|entries| entries.iter().find(|entry| entry.key() == key).cloned())
    });
    let Some(entry) = entry else {
        return ().into_any();
    };
    let time = Signal::derive(move || entry.with(|entry| locale.time(&entry.time)));
    let text = match entry.get_untracked().kind {
        EntryKind::Change(id) => return view! { <DeliveryItem id details/> }.into_any(),
        EntryKind::FirstAttempt => Text::FirstAttempt,
        EntryKind::ServiceNotified => Text::ServiceNotified,
    };
    view! {
        <li>
            <strong>{locale.t(text)}</strong>
            <bdi class="hint" use:dynamic_text=time></bdi>
        </li>
    }
    .into_any()
}
