use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_payments_core::{Moment, What, timeline};

use super::delivery_item::DeliveryItem;
use super::keyed_list::KeyedList;
use super::ledger_info::known_payment;
use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// What is known to have happened to the payment in the dialog, newest first, with the notifications of it to the shop's backend.
#[component]
pub(super) fn TimelineList(
    /// The payment's `transactionId`.
    id: String,
) -> AnyView {
    let driver = use_driver();
    let locale = use_localization();
    let known = known_payment(id);
    let moments = Memo::new(move |_| {
        let moments = driver.dashboard(|dashboard| {
            let list = dashboard.details.as_ref()?.list.as_ref();
            Some(known.with(|known| timeline(known.as_ref(), list)))
        });
        moments.flatten().unwrap_or_default()
    });
    let keys =
        Memo::new(move |_| moments.with(|moments| moments.iter().map(Moment::key).collect()));
    view! {
        <Show when=move || keys.with(|keys: &Vec<String>| !keys.is_empty())>
            <p class="hint">{locale.t(Text::TimelineHint)}</p>
            <ol class="timeline">
                <KeyedList
                    keys=keys
                    children=Callback::new(move |key| view! { <MomentItem key=key moments=moments/> }.into_any())
                />
            </ol>
        </Show>
    }
    .into_any()
}

/// One moment. It stays when the others change.
#[component]
fn MomentItem(key: String, moments: Memo<Vec<Moment>>) -> AnyView {
    let locale = use_localization();
    let moment = Memo::new(move |_| {
        moments.with(|moments| moments.iter().find(|moment| moment.key() == key).cloned())
    });
    let time = Signal::derive(move || {
        let time = moment.with(|moment| Some(locale.time(&moment.as_ref()?.time)));
        time.unwrap_or_default()
    });
    let text = match moment.get_untracked().map(|moment| moment.what) {
        Some(What::Change(id)) => return view! { <DeliveryItem id=id/> }.into_any(),
        Some(What::FirstAttempt) => Text::FirstAttempt,
        Some(What::ServiceNotified) => Text::ServiceNotified,
        None => return ().into_any(),
    };
    view! {
        <li>
            <strong>{locale.t(text)}</strong>
            <bdi class="hint" use:dynamic_text=time></bdi>
        </li>
    }
    .into_any()
}
