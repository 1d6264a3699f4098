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
            .map(|known| view! { <KnownPaymentInfo known=known/> })
    })
    .into_any()
}

#[component]
fn KnownPaymentInfo(known: KnownPayment) -> AnyView {
    let locale = use_localization();
    let notified = match &known.notified_at {
        Some(time) => locale.format(Text::Notified, &[("when", &locale.time(time))]),
        None => locale.t(Text::NotNotified),
    };
    let attempts = known.attempts.filter(|attempts| *attempts > 1);
    let attempts = attempts.map(|count| {
        let text = locale.format(Text::Attempts, &[("count", &count.to_string())]);
        view! { <span class="hint">{text}</span> }
    });
    view! {
        <span class="hint">{notified}</span>
        {attempts}
    }
    .into_any()
}
