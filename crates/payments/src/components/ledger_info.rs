use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_protocol::KnownPayment;

use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// That the service has not notified the proxy of a payment yet. This matters only as long as the payment is open; a
/// notification itself is no news.
#[component]
pub(super) fn ServiceNotification(
    /// The payment's `transactionId`.
    id: String,
    /// Whether the payment is neither paid nor closed.
    is_open: Memo<bool>,
) -> AnyView {
    let l10n = use_localization();
    let known = known_payment(id);
    let is_missing = Memo::new(move |_| {
        let is_missing = |known: &KnownPayment| known.notified_at.is_none();
        is_open.get() && known.with(|known| known.as_ref().is_some_and(is_missing))
    });
    view! {
        <Show when=move || is_missing.get()>
            <span class="hint service">{l10n.t(Text::NotNotified)}</span>
        </Show>
    }
    .into_any()
}

/// When the payment was created. The service's records have no time of day; the proxy knows the time of the order's first
/// attempt. After several attempts that is not the time of this payment, so it is shown beside the service's date.
#[component]
pub(super) fn CreatedAt(
    /// The payment's `transactionId`.
    id: String,
    /// The service's date.
    date: Signal<String>,
) -> AnyView {
    let l10n = use_localization();
    let known = known_payment(id);
    let texts = Memo::new(move |_| {
        let date = l10n.date(&date.get());
        known.with(|known| match known.as_ref().and_then(first_attempt) {
            None => (date, String::new()),
            Some((1, time)) => (l10n.time(time), String::new()),
            Some((count, time)) => {
                let values = [("count", &*count.to_string()), ("when", &*l10n.time(time))];
                (date, l10n.format(Text::Attempts, &values))
            }
        })
    });
    view! {
        <bdi class="when" use:dynamic_text=Signal::derive(move || texts.with(|(time, _)| time.clone()))></bdi>
        <span
            class="hint"
            use:dynamic_text=Signal::derive(move || texts.with(|(_, attempts)| attempts.clone()))
        ></span>
    }
    .into_any()
}

/// The number of attempts, and the time of the first one.
fn first_attempt(known: &KnownPayment) -> Option<(u32, &str)> {
    Some((known.attempts?, known.first_attempt_at.as_deref()?))
}

/// What the proxy knows about a payment.
pub(super) fn known_payment(id: String) -> Memo<Option<KnownPayment>> {
    use_driver().memo(move |dashboard| dashboard.known.get(&id).cloned())
}
