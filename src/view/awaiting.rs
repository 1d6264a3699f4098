//! What to pay, where, and where the payment stands.

use tender_checkout_core::{
    Awaiting, Cancelling, Event, Failure, FailureCode, PaymentProgress, State,
};
use tender_element::dom::{El, el};
use tender_element::focus::Succession;
use tender_element::{icon, number};

use super::copy::copy_button;
use super::{action, scan, transaction, wallets};
use crate::driver::Driver;
use crate::text::payment::Text;
use crate::text::{fill, say};

/// Digits behind the point in which US dollars are read, at the least.
const CENTS: usize = 2;

pub(super) fn awaiting(driver: Driver) -> Option<El> {
    let focus = Succession::new();
    read(driver, |awaiting| {
        let payment = el("section")
            .class("payment")
            .attr("role", "region")
            .attr("aria-labelledby", "payment")
            .part("payment")
            .child(heading(driver))
            .child(amount(driver, awaiting))
            .child(wallet(driver, awaiting));
        let payment = scan::scan(driver, awaiting, payment);
        wallets::wallets(driver, awaiting, payment)
            .child(details(driver, awaiting))
            .child(transaction::transaction(driver))
            .live_children(
                move || cancelling(driver),
                move |cancelling| ways_out(driver, cancelling, focus),
            )
    })
}

/// Reads the payment, for as long as there is one to wait for.
pub(super) fn read<T>(driver: Driver, read: impl FnOnce(&Awaiting) -> T) -> Option<T> {
    driver.with(|state| match state {
        State::Awaiting(awaiting) => Some(read(awaiting)),
        _ => None,
    })
}

/// Whether there is still something to pay. Only while it is open may anything ask for money.
fn progress(driver: Driver) -> PaymentProgress {
    read(driver, |awaiting| awaiting.progress.clone()).unwrap_or(PaymentProgress::Open)
}

/// See [`standing`].
pub(super) fn is_open(driver: Driver) -> bool {
    progress(driver) == PaymentProgress::Open
}

/// Whether the buyer decides in a wallet at this moment.
pub(super) fn is_wallet_asked(driver: Driver) -> bool {
    read(driver, Awaiting::is_wallet_asked).unwrap_or_default()
}

/// The name of the region, and the service's own word for the status. The focus comes here: the
/// button that had it is gone.
fn heading(driver: Driver) -> El {
    let status = move || {
        read(driver, |awaiting| awaiting.payment.status.text().to_owned()).unwrap_or_default()
    };
    let title = el("h2")
        .attr("id", "payment")
        .attr("tabindex", "-1")
        .text(&say(Text::Payment))
        .successor();
    let status = el("p")
        .class("status")
        .attr("role", "status")
        .child(
            el("span")
                .class("sr")
                .text(&format!("{}: ", say(Text::Status))),
        )
        .child(el("span").part("status").live_text(status));
    el("header").class("heading").child(title).child(status)
}

fn amount(driver: Driver, awaiting: &Awaiting) -> El {
    let exact = awaiting.send.amount.to_string();
    let amount = awaiting.send.amount.clone();
    let choice = &awaiting.choice;
    let rounded = awaiting.send.rounding.as_ref().map(|rounding| {
        let values = [
            ("asked", &*rounding.asked.to_string()),
            ("symbol", &choice.symbol),
            ("decimals", &rounding.decimals.to_string()),
        ];
        el("p")
            .class("hint")
            .part("rounding")
            .text(&fill(Text::Rounded, &values))
    });
    let figure = el("p")
        .class("amount")
        .part("amount")
        .attr("data-value", &exact)
        .child(
            el("b")
                .attr("dir", "ltr")
                .live_text(move || number::group(&amount, 0, &driver.locale())),
        )
        .text(" ")
        .child(el("span").class("unit").text(&choice.symbol));
    let line = el("div")
        .class("line")
        .child(figure)
        .child(copy_button(&say(Text::CopyAmount), exact));
    let network = fill(Text::OnNetwork, &[("network", &choice.network)]);
    el("div")
        .class("send")
        .live_children(move || progress(driver), stand)
        .child(line)
        .child(el("p").class("network").part("network").text(&network))
        .child(rounded)
}

/// What is said above the amount.
fn stand(progress: &PaymentProgress) -> Vec<El> {
    let label = |text| el("span").class("label").text(&say(text));
    match progress {
        PaymentProgress::Sent(_) => vec![
            el("p")
                .class("sent")
                .attr("role", "status")
                .attr("tabindex", "-1")
                .child(icon::check())
                .text(&say(Text::YouSent))
                .successor(),
        ],
        PaymentProgress::StatusChanged => vec![
            caution(&say(Text::StatusMoved)).attr("role", "status"),
            label(Text::Amount),
        ],
        PaymentProgress::Open => vec![label(Text::SendExactly)],
    }
}

/// A sentence that keeps from losing money.
pub(super) fn caution(sentence: &str) -> El {
    el("p")
        .class("caution")
        .child(icon::warning())
        .text(sentence)
}

fn wallet(driver: Driver, awaiting: &Awaiting) -> El {
    let choice = &awaiting.choice;
    let network = [("network", choice.network.as_str())];
    let wallet = &awaiting.payment.wallet;
    let only = [
        ("symbol", choice.symbol.as_str()),
        ("network", choice.network.as_str()),
    ];
    let only = fill(Text::OnlyThis, &only);
    let address = el("code")
        .class("wallet")
        .part("wallet")
        .attr("dir", "ltr")
        .text(wallet);
    let line = el("div").class("line").child(address).child(copy_button(
        &fill(Text::CopyWallet, &network),
        wallet.clone(),
    ));
    el("div")
        .class("to")
        .child(
            el("span")
                .class("label")
                .text(&fill(Text::ToWallet, &network)),
        )
        .child(line)
        .live_children(
            move || is_open(driver),
            move |is_open| is_open.then(|| caution(&only)),
        )
}

fn details(driver: Driver, awaiting: &Awaiting) -> El {
    let payment = &awaiting.payment;
    let usd = payment.price_usd.clone().map(|usd| {
        move || {
            let amount = number::group(&usd, CENTS, &driver.locale());
            fill(Text::InUsDollars, &[("amount", &amount)])
        }
    });
    let invoice = payment.invoice_number.as_deref();
    let date = payment.created_at.as_deref();
    el("dl")
        .class("details")
        .child(invoice.map(|invoice| detail(Text::Invoice, value("invoice", invoice))))
        .child(usd.map(|usd| detail(Text::Price, el("dd").part("price-usd").live_text(usd))))
        .child(date.map(|date| detail(Text::Date, value("date", date))))
}

fn detail(label: Text, value: El) -> El {
    el("div").child(el("dt").text(&say(label))).child(value)
}

/// Words of others keep their own order in a line that is written from right to left.
fn value(part: &str, text: &str) -> El {
    el("dd").part(part).child(el("bdi").text(text))
}

/// Only a refusal says that the payment stands. After any other failure nobody knows.
fn cancel_failed(failure: &Failure) -> Text {
    match failure.code {
        FailureCode::RequestRefused => Text::CancelRefused,
        _ => Text::CancelUnclear,
    }
}

/// Where the wish to cancel stands, where there may be one: not while the money is, or may be, on its
/// way, from a wallet that the buyer decides in or in a transaction that is known.
fn cancelling(driver: Driver) -> Cancelling {
    let is_on_its_way =
        |awaiting: &Awaiting| awaiting.is_wallet_asked() || awaiting.transaction().is_some();
    read(driver, |awaiting| {
        (!is_on_its_way(awaiting)).then(|| awaiting.cancelling.clone())
    })
    .flatten()
    .unwrap_or(Cancelling::Unavailable)
}

/// The ways out: another token, or none.
fn ways_out(driver: Driver, cancelling: &Cancelling, focus: Succession) -> Option<El> {
    let ways = el("div").class("cancel").part("cancel");
    Some(match cancelling {
        Cancelling::Unavailable => return None,
        Cancelling::Idle => ways.child(links(driver, focus)),
        Cancelling::Confirming => {
            let no = action(
                driver,
                "quiet",
                &say(Text::CancelNo),
                Event::CancelDismissed,
            );
            let yes = action(
                driver,
                "danger",
                &say(Text::CancelYes),
                Event::CancelConfirmed,
            );
            ways.child(el("p").attr("role", "alert").text(&say(Text::CancelSure)))
                .child(el("div").class("buttons").child(focus.next(no)).child(yes))
        }
        Cancelling::Requested => {
            let sending = el("p")
                .attr("role", "status")
                .attr("tabindex", "-1")
                .text(&say(Text::CancelSending));
            ways.child(focus.next(sending))
        }
        Cancelling::Failed(failure) => {
            let problem = say(cancel_failed(failure));
            ways.child(
                el("p")
                    .class("problem")
                    .attr("role", "alert")
                    .text(&problem),
            )
            .child(links(driver, focus))
        }
    })
}

fn links(driver: Driver, focus: Succession) -> El {
    let may_change = move || {
        let is_only = driver.with_config(|config| config.accept.len() == 1);
        !is_only && read(driver, Awaiting::may_change).unwrap_or_default()
    };
    let change = move |may_change: &bool| {
        may_change.then(|| {
            action(
                driver,
                "link",
                &say(Text::UseAnother),
                Event::ChangeRequested,
            )
            .part("change")
        })
    };
    let cancel = action(driver, "link", &say(Text::Cancel), Event::CancelRequested);
    el("div")
        .class("links")
        .live_children(may_change, change)
        .child(focus.next(cancel))
}
