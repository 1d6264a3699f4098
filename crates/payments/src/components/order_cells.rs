use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_protocol::Payment;

use super::amount::{TokenAmount, UsdAmount};
use super::cell::Cell;
use crate::localization::use_localization;
use crate::text::Text;

/// The cells that describe the order: invoice, buyer and amounts.
#[component]
pub(super) fn OrderCells(payment: Memo<Option<Payment>>) -> AnyView {
    let locale = use_localization();
    let items = Memo::new(move |_| payment.with(|payment| payment.as_ref()?.item_number.clone()));
    let usd = Memo::new(move |_| payment.with(|payment| payment.as_ref()?.price_usd.clone()));
    let buyer = move || {
        let buyer = payment.with(|payment| {
            let payment = payment.as_ref()?;
            Some((
                payment.purchase_name.clone(),
                payment.purchase_email.clone(),
            ))
        });
        let (name, email) = buyer.unwrap_or_default();
        view! {
            {name.map(|name| view! { <bdi class="name" title=name.clone()>{name.clone()}</bdi> })}
            {email.map(|email| view! { <Email address=email/> })}
        }
    };
    let price = Signal::derive(move || {
        payment.with(|payment| payment.as_ref().map(|payment| payment.quantity.clone()))
    });
    let to_pay = Signal::derive(move || {
        payment.with(|payment| payment.as_ref().map(|payment| payment.quantity_pay.clone()))
    });
    view! {
        <Cell>
            <bdi
                class="name"
                title=text_of(payment, |payment| payment.invoice_number.as_deref())
                use:dynamic_text=text_of(payment, |payment| payment.invoice_number.as_deref())
            ></bdi>
            {move || items.get().map(|items| view! {
                <span class="hint">{locale.t(Text::Items)}": "<bdi>{items}</bdi></span>
            })}
        </Cell>
        <Cell>{buyer}</Cell>
        <Cell is_detail=true>
            <TokenAmount
                amount=Signal::derive(move || price.get().unwrap_or_default())
                token=text_of(payment, |payment| Some(&payment.token))
            />
        </Cell>
        <Cell>
            <TokenAmount
                amount=Signal::derive(move || to_pay.get().unwrap_or_default())
                token=text_of(payment, |payment| Some(&payment.payment_token))
                shows_network=true
            />
        </Cell>
        <Cell is_detail=true>
            {move || usd.get().map(|usd| view! { <UsdAmount amount=usd/> })}
        </Cell>
    }
    .into_any()
}

/// An e-mail address. If it is too long for a line, it is broken before the `@`.
#[component]
fn Email(address: String) -> AnyView {
    let at = address.rfind('@').unwrap_or(address.len());
    let (name, domain) = address.split_at(at);
    view! { <bdi class="email" title=address.clone()><span>{name.to_owned()}</span><span>{domain.to_owned()}</span></bdi> }
        .into_any()
}

/// A text of the payment; empty if it has none.
pub(super) fn text_of(
    payment: Memo<Option<Payment>>,
    read: fn(&Payment) -> Option<&str>,
) -> Signal<String> {
    Signal::derive(move || {
        payment.with(|payment| {
            let text = payment.as_ref().and_then(read);
            text.unwrap_or_default().to_owned()
        })
    })
}
