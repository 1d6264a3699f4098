use leptos::prelude::*;
use tender_element::components::{CopyButton, dynamic_text};
use tender_element::focus::{FocusTarget, pass_focus};
use tender_payments_core::Event;
use tender_protocol::Payment;

use super::amount::{TokenAmount, UsdAmount};
use super::checkbox::Checkbox;
use super::delivery_summary::DeliverySummary;
use super::ledger_info::LedgerInfo;
use super::payment_summary::payment_name;
use super::status_pill::StatusPill;
use crate::driver::use_driver;
use crate::localization::use_localization;
use crate::text::Text;

/// One payment: a row of the table, or a card on a phone. It stays when the payment changes, and with
/// it the focus.
#[component]
pub(super) fn PaymentRow(
    /// The payment's `transactionId`.
    id: String,
) -> AnyView {
    let driver = use_driver();
    let locale = use_localization();
    let payment = {
        let id = id.clone();
        Memo::new(move |_| {
            let payment = driver.dashboard(|dashboard| dashboard.list.get(&id).cloned());
            payment.flatten()
        })
    };
    let is_selected = {
        let id = id.clone();
        Memo::new(move |_| {
            driver.dashboard(|dashboard| dashboard.selected.contains(&id)) == Some(true)
        })
    };
    let select = {
        let id = id.clone();
        Callback::new(move |is_selected| {
            driver.dispatch(Event::SelectionChanged(id.clone(), is_selected));
        })
    };
    let cancel = {
        let id = id.clone();
        move |_| driver.dispatch(Event::CancelRequested(vec![id.clone()]))
    };
    let name = Signal::derive(move || {
        let name = payment.with(|payment| Some(payment_name(locale, payment.as_ref()?)));
        name.unwrap_or_default()
    });
    // A label that names the payment.
    let label =
        move |text: Text| Signal::derive(move || locale.format(text, &[("invoice", &name.get())]));
    let cancel_label = label(Text::CancelOne);
    let is_open = Memo::new(move |_| {
        payment.with(|payment| payment.as_ref().is_some_and(|payment| !payment.has_ended()))
    });
    let status = FocusTarget::new();
    let transaction_id = Signal::stored(id.clone());
    view! {
        <tr role="row" part="row">
            <td role="cell" class="pick-cell">
                <Checkbox label=label(Text::Select) checked=is_selected on_change=select/>
            </td>
            <OrderCells payment=payment/>
            <Cell column=Text::Status>
                <StatusPill payment=payment target=status/>
                <LedgerInfo id=id.clone() is_open=is_open/>
                <DeliverySummary id=id name=name/>
            </Cell>
            <Cell column=Text::Date>
                <bdi use:dynamic_text=text_of(payment, |payment| payment.created_at.as_deref())></bdi>
            </Cell>
            <Cell column=Text::Wallet>
                <Code
                    value=text_of(payment, |payment| Some(&payment.wallet))
                    copy_label=label(Text::CopyWallet)
                />
            </Cell>
            <Cell column=Text::Transaction>
                <Code value=transaction_id copy_label=label(Text::CopyTransaction)/>
            </Cell>
            <td role="cell" class="do">
                {move || is_open.get().then(|| view! {
                    <button
                        type="button"
                        class="quiet"
                        part="cancel"
                        aria-label=move || cancel_label.get()
                        use:pass_focus=status
                        on:click=cancel.clone()
                    >
                        {locale.t(Text::Cancel)}
                    </button>
                })}
            </td>
        </tr>
    }
    .into_any()
}

/// The cells that describe the order: invoice, buyer and amounts.
#[component]
fn OrderCells(payment: Memo<Option<Payment>>) -> AnyView {
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
            {name.map(|name| view! { <bdi>{name}</bdi> })}
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
        <Cell column=Text::Invoice>
            <bdi use:dynamic_text=text_of(payment, |payment| payment.invoice_number.as_deref())></bdi>
            {move || items.get().map(|items| view! {
                <span class="hint">{locale.t(Text::Items)}": "<bdi>{items}</bdi></span>
            })}
        </Cell>
        <Cell column=Text::Buyer>{buyer}</Cell>
        <Cell column=Text::Price>
            <TokenAmount
                amount=Signal::derive(move || price.get().unwrap_or_default())
                token=text_of(payment, |payment| Some(&payment.token))
            />
        </Cell>
        <Cell column=Text::ToPay>
            <TokenAmount
                amount=Signal::derive(move || to_pay.get().unwrap_or_default())
                token=text_of(payment, |payment| Some(&payment.payment_token))
            />
        </Cell>
        <Cell column=Text::UsDollars>
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
    view! { <bdi class="email"><span>{name.to_owned()}</span><span>{domain.to_owned()}</span></bdi> }
        .into_any()
}

/// A cell with the name of its column, which is shown on a phone.
#[component]
pub(super) fn Cell(column: Text, children: Children) -> AnyView {
    let locale = use_localization();
    view! {
        <td role="cell">
            <span class="label" aria-hidden="true">{locale.t(column)}</span>
            <div>{children()}</div>
        </td>
    }
    .into_any()
}

/// A wallet address or `transactionId`, with a button that copies it.
#[component]
fn Code(value: Signal<String>, copy_label: Signal<String>) -> AnyView {
    view! {
        <span class="code">
            <bdi dir="ltr" translate="no" use:dynamic_text=value></bdi>
            <CopyButton label=copy_label value=value/>
        </span>
    }
    .into_any()
}

/// A text of the payment; empty if it has none.
fn text_of(payment: Memo<Option<Payment>>, read: fn(&Payment) -> Option<&str>) -> Signal<String> {
    Signal::derive(move || {
        payment.with(|payment| {
            let text = payment.as_ref().and_then(read);
            text.unwrap_or_default().to_owned()
        })
    })
}
