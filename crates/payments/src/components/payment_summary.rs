use leptos::prelude::*;
use tender_protocol::Payment;

use super::amount::TokenAmount;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// What the merchant calls a payment.
pub(super) fn payment_name(l10n: Localization, payment: &Payment) -> String {
    let invoice = payment.invoice_number.clone();
    invoice.unwrap_or_else(|| l10n.t(Text::NoInvoice))
}

/// What the merchant calls the payment of a row or a dialog.
pub(super) fn name_of(payment: Memo<Payment>) -> Signal<String> {
    let l10n = use_localization();
    Signal::derive(move || payment.with(|payment| payment_name(l10n, payment)))
}

/// A text that names a payment.
pub(super) fn naming(text: Text, name: Signal<String>) -> Signal<String> {
    let l10n = use_localization();
    Signal::derive(move || l10n.format(text, &[("invoice", &name.get())]))
}

/// A payment by its invoice and amount.
#[component]
pub(super) fn PaymentSummary(payment: Payment) -> AnyView {
    let l10n = use_localization();
    view! {
        <strong><bdi>{payment_name(l10n, &payment)}</bdi></strong>
        " "
        <span><TokenAmount amount=payment.quantity_pay token=payment.payment_token shows_network=true/></span>
    }
    .into_any()
}
