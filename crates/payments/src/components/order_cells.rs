use leptos::prelude::*;
use tender_element::components::dynamic_text;
use tender_protocol::{Amount, Payment};

use super::amount::{TokenAmount, UsdAmount};
use crate::localization::use_localization;
use crate::text::Text;

/// The cells that describe the order: invoice, buyer and amounts.
#[component]
pub(super) fn OrderCells(payment: Memo<Payment>) -> AnyView {
    let l10n = use_localization();
    let items = Memo::new(move |_| payment.with(|payment| payment.item_number.clone()));
    let usd = Memo::new(move |_| payment.with(|payment| payment.price_usd.clone()));
    let buyer = move || {
        let (name, email) = payment.with(|payment| {
            (
                payment.purchase_name.clone(),
                payment.purchase_email.clone(),
            )
        });
        view! {
            {name.map(|name| view! { <bdi class="name" title=name.clone()>{name.clone()}</bdi> })}
            {email.map(|email| view! { <Email address=email/> })}
        }
    };
    view! {
        <Cell>
            <bdi
                class="name"
                title=text_of(payment, |payment| payment.invoice_number.as_deref())
                use:dynamic_text=text_of(payment, |payment| payment.invoice_number.as_deref())
            ></bdi>
            {move || items.get().map(|items| view! {
                <span class="hint">{l10n.labelled(&l10n.t(Text::Items), "")}<bdi>{items}</bdi></span>
            })}
        </Cell>
        <Cell>{buyer}</Cell>
        <Cell is_detail=true>
            <TokenAmount
                amount=amount_of(payment, |payment| &payment.quantity)
                token=text_of(payment, |payment| Some(&payment.token))
            />
        </Cell>
        <Cell>
            <TokenAmount
                amount=amount_of(payment, |payment| &payment.quantity_pay)
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

/// A cell of a payment's row.
#[component]
pub(super) fn Cell(
    /// Whether a phone leaves it to the dialog with the details.
    #[prop(optional)]
    is_detail: bool,
    children: Children,
) -> AnyView {
    view! {
        <td role="cell" class:detail=is_detail>
            <div>{children()}</div>
        </td>
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
    payment: Memo<Payment>,
    read: fn(&Payment) -> Option<&str>,
) -> Signal<String> {
    Signal::derive(move || payment.with(|payment| read(payment).unwrap_or_default().to_owned()))
}

/// An amount of the payment.
pub(super) fn amount_of(payment: Memo<Payment>, read: fn(&Payment) -> &Amount) -> Signal<Amount> {
    Signal::derive(move || payment.with(|payment| read(payment).clone()))
}
