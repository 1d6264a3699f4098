use leptos::prelude::*;
use tender_protocol::Payment;

use super::amount::TokenAmount;
use crate::localization::{Localization, use_localization};
use crate::text::Text;

/// What the merchant calls a payment.
pub(super) fn payment_name(locale: Localization, payment: &Payment) -> String {
    let invoice = payment.invoice_number.clone();
    invoice.unwrap_or_else(|| locale.t(Text::NoInvoice))
}

/// What the merchant calls the payment of a row or a dialog.
pub(super) fn name_of(payment: Memo<Payment>) -> Signal<String> {
    let locale = use_localization();
    Signal::derive(move || payment.with(|payment| payment_name(locale, payment)))
}

/// A text that names a payment.
pub(super) fn naming(text: Text, name: Signal<String>) -> Signal<String> {
    let locale = use_localization();
    Signal::derive(move || locale.format(text, &[("invoice", &name.get())]))
}

/// A payment by its invoice and amount.
#[component]
pub(super) fn PaymentSummary(payment: Payment) -> AnyView {
    let locale = use_localization();
    view! {
        <strong><bdi>{payment_name(locale, &payment)}</bdi></strong>
        " "
        <span><TokenAmount amount=payment.quantity_pay token=payment.payment_token shows_network=true/></span>
    }
    .into_any()
}
