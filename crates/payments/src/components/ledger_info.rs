use leptos::prelude::*;
use tender_payments_core::LedgerState;
use tender_protocol::KnownPayment;

use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// Whether the service has notified the proxy of a payment, and how many attempts the order took.
#[component]
pub(super) fn LedgerInfo(
    /// The payment's `transactionId`.
    id: String,
    /// Whether the payment is neither paid nor closed. Only then a missing notification matters.
    is_open: Memo<bool>,
) -> AnyView {
    let driver = use_driver();
    let known = Memo::new(move |_| {
        let known = driver.dashboard(|dashboard| match &dashboard.ledger {
            LedgerState::Loaded(ledger) => ledger.payments.get(&id).cloned(),
            _ => None,
        });
        known.flatten()
    });
    (move || {
        known
            .get()
            .map(|known| view! { <KnownPaymentInfo known=known is_open=is_open/> })
    })
    .into_any()
}

#[component]
fn KnownPaymentInfo(known: KnownPayment, is_open: Memo<bool>) -> AnyView {
    let locale = use_localization();
    let notified = move || match &known.notified_at {
        Some(time) => Some(locale.format(Text::Notified, &[("when", &locale.time(time))])),
        None => is_open.get().then(|| locale.t(Text::NotNotified)),
    };
    let notified = move || notified().map(|text| view! { <span class="hint">{text}</span> });
    let attempts = known.attempts.filter(|attempts| *attempts > 1);
    let attempts = attempts.map(|count| {
        let text = locale.format(Text::Attempts, &[("count", &count.to_string())]);
        view! { <span class="hint">{text}</span> }
    });
    view! {
        {notified}
        {attempts}
    }
    .into_any()
}
