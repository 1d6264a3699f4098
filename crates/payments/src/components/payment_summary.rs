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

/// What the merchant calls the payment of a row or a dialog; empty once it is gone.
pub(super) fn name_of(payment: Memo<Option<Payment>>) -> Signal<String> {
    let locale = use_localization();
    Signal::derive(move || {
        let name = payment.with(|payment| Some(payment_name(locale, payment.as_ref()?)));
        name.unwrap_or_default()
    })
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
