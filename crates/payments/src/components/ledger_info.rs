use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_element::use_i18n;
use tender_payments_core::LedgerState;
use tender_protocol::KnownPayment;

use super::open_orders::format_time;
use crate::driver::use_driver;
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
    let driver = use_driver();
    let i18n = use_i18n();
    let notified_at = known.notified_at;
    let notified = Signal::derive(move || match &notified_at {
        Some(time) => {
            let time = format_time(time, &driver.locale());
            i18n.format(Text::Notified, &[("when", &time)])
        }
        None => i18n.t(Text::NotNotified),
    });
    let attempts = known.attempts.filter(|attempts| *attempts > 1);
    let attempts = attempts.map(|count| {
        let text =
            Signal::derive(move || i18n.format(Text::Attempts, &[("count", &count.to_string())]));
        view! { <span class="hint" use:dynamic_text=text></span> }
    });
    view! {
        <span class="hint" use:dynamic_text=notified></span>
        {attempts}
    }
    .into_any()
}
