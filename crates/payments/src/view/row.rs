//! One payment: a row of the table, a card on a phone.

use leptos::prelude::event_target_checked;
use tender_element_legacy::copying::{Said, copy_button};
use tender_element_legacy::dom::{El, el};
use tender_element_legacy::number;
use tender_element_legacy::speech::{fill, say};
use tender_payments_core::text::Text;
use tender_payments_core::{Dashboard, Event, LedgerState};
use tender_protocol::{Amount, KnownPayment, Payment};

use super::table::COLUMNS;
use super::{button, known};
use crate::driver::Driver;

/// Digits behind the point of an amount in US dollars.
const CENTS: usize = 2;

/// Whose row it is. As long as that is the same, its controls stay, and with them the focus.
#[derive(PartialEq)]
pub(super) struct Named {
    id: String,
    name: String,
}

impl Named {
    pub(super) fn of(payment: &Payment) -> Self {
        Self {
            id: payment.transaction_id.clone(),
            name: name(payment),
        }
    }
}

/// What a row shows.
#[derive(PartialEq)]
struct Row {
    payment: Payment,
    known: Option<KnownPayment>,
}

impl Row {
    fn of(desk: &Dashboard, id: &str) -> Option<Self> {
        let known = match &desk.ledger {
            LedgerState::Loaded(known) => known.payments.get(id).cloned(),
            _ => None,
        };
        let payment = desk.list.get(id)?.clone();
        Some(Self { payment, known })
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
pub(super) fn amount(driver: Driver, amount: &Amount, token: &str) -> El {
    let digits = el("b").attr("data-value", &amount.to_string());
    el("bdi")
        .attr("dir", "ltr")
        .child(grouped(driver, digits, amount, 0))
        .text(" ")
        .child(el("span").class("unit").text(token))
}

/// The amount, grouped, in this element.
pub(super) fn grouped(driver: Driver, place: El, amount: &Amount, min_places: usize) -> El {
    let amount = amount.clone();
    place.live_text(move || number::group(&amount, min_places, &driver.locale()))
}

/// A box to select something.
pub(super) fn checkbox(
    label: &str,
    is_checked: impl Fn() -> bool + 'static,
    check: impl Fn(bool) + 'static,
) -> El {
    let input = el("input")
        .attr("type", "checkbox")
        .attr("aria-label", label)
        .checked_while(is_checked)
        .on("change", move |event| check(event_target_checked(&event)));
    el("label").class("pick").child(input)
}

pub(super) fn row(driver: Driver, Named { id, name }: &Named) -> El {
    let invoice = [("invoice", name.as_str())];
    let [shown, selected, picked, wanted] = std::array::from_fn(|_| id.clone());
    let pick = checkbox(
        &fill(Text::Select, &invoice),
        move || driver.desk(|desk| desk.selected.contains(&selected)) == Some(true),
        move |is_selected| driver.dispatch(Event::SelectionChanged(picked.clone(), is_selected)),
    );
    let cancel = button("quiet", "cancel")
        .attr("aria-label", &fill(Text::CancelOne, &invoice))
        .text(&say(Text::Cancel))
        .on("click", move |_| {
            driver.dispatch(Event::CancelRequested(vec![wanted.clone()]));
        });
    let cell = |class: &str| el("td").attr("role", "cell").class(class);
    el("tr")
        .attr("role", "row")
        .part("row")
        .child(cell("pick-cell").child(pick))
        .live_children(
            move || driver.desk(|desk| Row::of(desk, &shown)).flatten(),
            move |row| row.as_ref().map_or_else(Vec::new, |row| cells(driver, row)),
        )
        .child(cell("do").child(cancel))
}

/// The cells behind the first.
fn cells(driver: Driver, Row { payment, known }: &Row) -> Vec<El> {
    let name = name(payment);
    let invoice = [("invoice", name.as_str())];
    let items = payment.item_number.as_ref().map(|items| {
        el("span")
            .class("hint")
            .text(&format!("{}: ", say(Text::Items)))
            .child(isolated(Some(items)))
    });
    let buyer = [&payment.purchase_name, &payment.purchase_email];
    let usd = payment.price_usd.as_ref().map(|usd| {
        let place = el("bdi")
            .attr("dir", "ltr")
            .attr("data-value", &usd.to_string());
        grouped(driver, place, usd, CENTS)
    });
    let status = el("span")
        .class("status")
        .part("status")
        .child(el("bdi").text(payment.status.text()));
    let contents: [Vec<El>; 9] = [
        [isolated(payment.invoice_number.as_ref())]
            .into_iter()
            .chain(items)
            .collect(),
        buyer
            .into_iter()
            .flatten()
            .map(|text| isolated(Some(text)))
            .collect(),
        vec![amount(driver, &payment.quantity, &payment.token)],
        vec![amount(
            driver,
            &payment.quantity_pay,
            &payment.payment_token,
        )],
        usd.into_iter().collect(),
        [status]
            .into_iter()
            .chain(
                known
                    .iter()
                    .flat_map(|known| known::of_payment(driver, known)),
            )
            .collect(),
        vec![isolated(payment.created_at.as_ref())],
        vec![code(&payment.wallet, &fill(Text::CopyWallet, &invoice))],
        vec![code(
            &payment.transaction_id,
            &fill(Text::CopyTransaction, &invoice),
        )],
    ];
    let cell = |(content, column)| {
        let label = el("span").class("label").attr("aria-hidden", "true");
        el("td")
            .attr("role", "cell")
            .child(label.text(&say(column)))
            .child(el("div").children(content))
    };
    contents.into_iter().zip(COLUMNS).map(cell).collect()
}

/// A text from elsewhere, which turns nothing beside it.
fn isolated(text: Option<&String>) -> El {
    el("bdi").text(text.map_or("", String::as_str))
}

/// A long code, whole, with a button that copies it.
fn code(value: &str, label: &str) -> El {
    let said = Said {
        copied: say(Text::Copied),
        failed: say(Text::CopyFailed),
    };
    el("span")
        .class("code")
        .child(el("bdi").attr("dir", "ltr").text(value))
        .child(copy_button(label, value.to_owned(), said))
}
