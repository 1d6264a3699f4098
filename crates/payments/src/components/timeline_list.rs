use leptos::prelude::*;
use tender_payments_core::{EntryKind, PaymentDetails, TimelineEntry, timeline};

use super::delivery_item::DeliveryItem;
use super::ledger_info::known_payment;
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
