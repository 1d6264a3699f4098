//! Invoice, price in US dollars, date, and the service's status text unless the heading has it. Folded while there is
//! something to send, which needs the room.

use leptos::prelude::*;
use tender_element::i18n::use_i18n;
use tender_element::{date, number};

use super::{PaymentSnapshot, is_open, warns_not_to_pay};
use crate::components::detail::{Detail, StatusDetail, is_waiting_for_payment};
use crate::driver::use_driver;
use crate::text::Text;

/// Fractional digits of an amount in US dollars, at least.
const CENTS: usize = 2;

#[component]
pub(super) fn PaymentDetails(snapshot: PaymentSnapshot) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    // Elsewhere it is in the heading.
    let has_status = driver.memo(|driver| {
        !is_open(driver) || warns_not_to_pay(driver) || is_waiting_for_payment(driver)
    });
    let is_folded = driver.memo(|driver| is_open(driver) && !warns_not_to_pay(driver));
    let details = move || view! { <DetailList snapshot has_status/> };
    view! {
        {move || if is_folded.get() {
            view! {
                <details class="look-up">
                    <summary>{move || i18n.t(Text::PaymentDetails)}</summary>
                    {details()}
                </details>
            }
            .into_any()
        } else {
            details().into_any()
        }}
    }
    .into_any()
}

#[component]
fn DetailList(snapshot: PaymentSnapshot, has_status: Memo<bool>) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let payment = snapshot.with(|it| it.record.clone());
    let in_us_dollars = payment.price_usd.map(|price| {
        Signal::derive(move || {
            let amount = number::format(&price, CENTS, &driver.locale());
            i18n.format(Text::InUsDollars, &[("amount", &amount)])
        })
    });
    view! {
        <dl class="details">
            {payment.invoice_number.map(|invoice| view! {
                // `bdi` keeps the order of the characters in a text that runs from right to left.
                <Detail label=Text::Invoice part="invoice"><bdi translate="no">{invoice}</bdi></Detail>
            })}
            {in_us_dollars.map(|amount| view! {
                <Detail label=Text::Price part="price-usd">{amount}</Detail>
            })}
            {payment.created_at.map(|created| view! {
                <Detail label=Text::Date part="date">
                    <bdi translate="no">{move || date::date(&created, &[("dateStyle", "medium")], &driver.locale())}</bdi>
                </Detail>
            })}
            {move || has_status.get().then(|| view! { <StatusDetail/> })}
        </dl>
    }
    .into_any()
}
