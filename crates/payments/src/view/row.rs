//! One payment: a row of the table, a card on a phone.

use leptos::prelude::*;
use tender_element::copying::{Said, copy_button};
use tender_element::number;
use tender_element::speech::{fill, say};
use tender_merchant::Event;
use tender_merchant::text::Text;
use tender_protocol::{Amount, KnownPayment, Payment};

use super::known;
use super::table::COLUMNS;
use crate::driver::Driver;

/// Digits behind the point of an amount in US dollars.
const CENTS: usize = 2;

/// What a row shows. One that shows something else is another row; the others stay as they are.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Row {
    pub(super) payment: Payment,
    pub(super) known: Option<KnownPayment>,
}

impl Row {
    /// What tells this row from every other, and from the same payment's before it changed.
    pub(super) fn key(&self) -> String {
        let Payment {
            transaction_id,
            quantity,
            quantity_pay,
            status,
            ..
        } = &self.payment;
        let known = self.known.as_ref();
        let notified = known.and_then(|known| known.notified_at.as_deref());
        let attempts = known.and_then(|known| known.attempts);
        format!(
            "{transaction_id} {quantity} {quantity_pay} {} {} {notified:?} {attempts:?}",
            status.id(),
            status.text()
        )
    }
}

/// How a payment is called where it is named.
pub(super) fn name(payment: &Payment) -> String {
    match &payment.invoice_number {
        Some(invoice) => invoice.clone(),
        None => say(Text::NoInvoice),
    }
}

/// An amount in a token.
pub(super) fn amount(amount: &Amount, token: &str, locale: &str) -> AnyView {
    let digits = amount.to_string();
    let shown = number::group(amount, 0, locale);
    let token = token.to_owned();
    view! { <bdi dir="ltr"><b data-value=digits>{shown}</b>" "<span class="unit">{token}</span></bdi> }
        .into_any()
}

pub(super) fn row(driver: Driver, row: Row) -> AnyView {
    let Row { payment, known } = row;
    let locale = driver.locale();
    let name = name(&payment);
    let invoice = [("invoice", name.as_str())];
    let id = payment.transaction_id.clone();
    let (selected, wanted, picked) = (id.clone(), id.clone(), id.clone());
    let is_selected = move || driver.desk(|desk| desk.selected.contains(&selected)) == Some(true);
    let usd = payment.price_usd.as_ref().map(|usd| {
        let digits = usd.to_string();
        view! { <bdi dir="ltr" data-value=digits>{number::group(usd, CENTS, &locale)}</bdi> }
    });
    let buyer = [&payment.purchase_name, &payment.purchase_email]
        .into_iter()
        .flatten()
        .map(|text| view! { <bdi>{text.clone()}</bdi> })
        .collect::<Vec<_>>();
    let items = payment.item_number.as_ref().map(|items| {
        view! { <span class="hint">{say(Text::Items)}": "<bdi>{items.clone()}</bdi></span> }
    });
    let status = payment.status.text().to_owned();
    let cells: [AnyView; 9] = [
        view! { <bdi>{payment.invoice_number.clone()}</bdi>{items} }.into_any(),
        buyer.into_any(),
        amount(&payment.quantity, &payment.token, &locale),
        amount(&payment.quantity_pay, &payment.payment_token, &locale),
        usd.into_any(),
        view! {
            <span class="status" part="status"><bdi>{status}</bdi></span>
            {known.map(|known| known::of_payment(&known, &locale))}
        }
        .into_any(),
        view! { <bdi>{payment.created_at.clone()}</bdi> }.into_any(),
        code(payment.wallet.clone(), &fill(Text::CopyWallet, &invoice)),
        code(id, &fill(Text::CopyTransaction, &invoice)),
    ];
    let cells = cells.into_iter().zip(COLUMNS);
    let cells = cells
        .map(|(content, column)| {
            view! {
                <td role="cell"><span class="label" aria-hidden="true">{say(column)}</span>
                    <div>{content}</div></td>
            }
        })
        .collect::<Vec<_>>();
    view! {
        <tr role="row" part="row">
            <td role="cell" class="pick-cell"><label class="pick">
                <input type="checkbox" prop:checked=is_selected aria-label=fill(Text::Select, &invoice)
                    on:change=move |event| driver.dispatch(
                        Event::Selected(picked.clone(), event_target_checked(&event)))/>
            </label></td>
            {cells}
            <td role="cell" class="do">
                <button type="button" class="quiet" part="cancel" aria-label=fill(Text::CancelOne, &invoice)
                    on:click=move |_| driver.dispatch(Event::CancelWanted(vec![wanted.clone()]))>
                    {say(Text::Cancel)}
                </button>
            </td>
        </tr>
    }
    .into_any()
}

/// A long code, whole, with a button that copies it.
fn code(value: String, label: &str) -> AnyView {
    let said = Said {
        copied: say(Text::Copied),
        failed: say(Text::CopyFailed),
    };
    view! {
        <span class="code"><bdi dir="ltr">{value.clone()}</bdi>{copy_button(label, value, said).in_view()}</span>
    }
    .into_any()
}
