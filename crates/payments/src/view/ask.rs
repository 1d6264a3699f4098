//! The dialog around cancelling: whether it is meant, how far it is, and what became of it.

use leptos::prelude::Effect;
use tender_element_legacy::dom::{El, el, when_shown};
use tender_element_legacy::speech::{fill, say};
use tender_element_legacy::{focus, icon};
use tender_payments_core::text::Text;
use tender_payments_core::{CancelOutcome, Cancellation, Event, ListedStatus};
use tender_protocol::Payment;
use wasm_bindgen::JsCast;
use web_sys::HtmlDialogElement;

use super::row::{amount, name};
use super::{action, counted};
use crate::driver::Driver;

/// What the dialog says. While it stays the same, what says it stays, and with it the focus.
#[derive(PartialEq)]
enum Phase {
    /// Nothing: it is closed.
    Closed,
    Asking(Vec<Payment>),
    UnderWay,
    Done(Vec<CancelOutcome>),
}

impl From<&Cancellation> for Phase {
    fn from(cancelling: &Cancellation) -> Self {
        match cancelling {
            Cancellation::Idle => Self::Closed,
            Cancellation::Confirming(payments) => Self::Asking(payments.clone()),
            Cancellation::Requesting(_) | Cancellation::Verifying(_) => Self::UnderWay,
            Cancellation::Finished(outcomes) => Self::Done(outcomes.clone()),
        }
    }
}

/// `closed` is called when it has given the focus back to where that was, if it could.
pub(super) fn dialog(driver: Driver, closed: Box<dyn Fn()>) -> El {
    let phase = move || {
        let phase = driver.desk(|desk| Phase::from(&desk.cancellation));
        phase.unwrap_or(Phase::Closed)
    };
    let dialog = el("dialog")
        .class("ask")
        .part("dialog")
        .attr("aria-labelledby", "ask")
        // Escape: what is under way can't be taken back.
        .on("cancel", move |event| {
            event.prevent_default();
            driver.dispatch(Event::CancelDismissed);
        })
        // A browser lets a page refuse that once: the next Escape closes the dialog all the same.
        .on("close", move |event| match phase() {
            Phase::Closed => closed(),
            _ => reopen(&event),
        })
        .live_children(phase, move |phase| match phase {
            Phase::Closed => Vec::new(),
            Phase::Asking(payments) => asking(driver, payments),
            Phase::UnderWay => vec![under_way(driver)],
            Phase::Done(outcomes) => done(driver, outcomes),
        });
    let modal: HtmlDialogElement = dialog.element().clone().unchecked_into();
    // An effect of this kind runs once the dialog is in the page.
    Effect::new(move || match (phase() != Phase::Closed, modal.open()) {
        // Where it can't be modal it is not shown, and nothing is cancelled.
        (true, false) => drop(modal.show_modal()),
        (false, true) => modal.close(),
        _ => {}
    });
    dialog
}

fn reopen(event: &web_sys::Event) {
    let dialog = event.current_target();
    if let Some(dialog) = dialog.and_then(|dialog| dialog.dyn_into::<HtmlDialogElement>().ok()) {
        // It was modal a moment ago.
        let _ = dialog.show_modal();
    }
}

fn title(text: &str) -> El {
    el("h3").attr("id", "ask").text(text)
}

/// A payment by its invoice and its amount.
fn named(driver: Driver, payment: &Payment) -> El {
    let name = el("bdi").text(&name(payment));
    el("li")
        .child(el("strong").child(name))
        .text(" ")
        .child(amount(
            driver,
            &payment.quantity_pay,
            &payment.payment_token,
        ))
}

fn asking(driver: Driver, payments: &[Payment]) -> Vec<El> {
    let question = counted(Text::CancelTitleMany, payments.len());
    let warning = el("p")
        .class("caution")
        .child(icon::warning())
        .child(el("span").text(&say(Text::CancelWarning)));
    let [no, yes] = [Event::CancelDismissed, Event::CancelConfirmed];
    let keep = action(driver, "quiet", "keep", Text::CancelNo, no);
    let buttons = el("div").class("buttons").child(first(keep)).child(action(
        driver,
        "danger",
        "confirm",
        Text::CancelYes,
        yes,
    ));
    let payments = payments.iter().map(|payment| named(driver, payment));
    vec![
        title(&question),
        el("ul").children(payments),
        warning,
        buttons,
    ]
}

/// What has the focus first, whether the dialog is opened before it is in there or after it: what had it goes
/// with what was there.
fn first(control: El) -> El {
    let element = control.element().clone();
    when_shown(Box::new(move || focus::give_to(&element)));
    control.attr("autofocus", "")
}

fn under_way(driver: Driver) -> El {
    let progress = move || {
        let progress = driver.desk(|desk| match &desk.cancellation {
            Cancellation::Requesting(batch) => {
                let done = batch.outcomes.len();
                let count = done + batch.remaining.len();
                let values = [("done", &*done.to_string()), ("count", &*count.to_string())];
                fill(Text::CancelProgress, &values)
            }
            _ => say(Text::CancelLooking),
        });
        progress.unwrap_or_default()
    };
    // Not a status by its role: that would have no name, and the dialog none by it.
    let title = title("").attr("tabindex", "-1");
    first(title.attr("aria-live", "polite").live_text(progress))
}

fn done(driver: Driver, outcomes: &[CancelOutcome]) -> Vec<El> {
    let told = outcomes.iter().map(|outcome| {
        let became = el("p").part("outcome").text(&became(outcome));
        named(driver, &outcome.before).child(became)
    });
    let close = action(
        driver,
        "primary",
        "close",
        Text::Close,
        Event::CancelResultsClosed,
    );
    [title(&say(Text::CancelDone))]
        .into_iter()
        .chain(summary(outcomes))
        .chain([
            el("ul").children(told),
            el("div").class("buttons").child(first(close)),
        ])
        .collect()
}

/// How many were not taken, of several.
fn summary(outcomes: &[CancelOutcome]) -> Option<El> {
    let refused = outcomes.iter().filter(|outcome| outcome.error.is_some());
    let refused = refused.count();
    (refused > 0 && outcomes.len() > 1).then(|| {
        let values = [
            ("count", &*refused.to_string()),
            ("all", &*outcomes.len().to_string()),
        ];
        el("p")
            .class("problem")
            .attr("role", "status")
            .text(&fill(Text::CancelFailures.of(refused), &values))
    })
}

/// What became of a payment: what the list says, and nothing that it does not.
fn became(outcome: &CancelOutcome) -> String {
    let reason = outcome
        .error
        .as_ref()
        .map(|failure| failure.message.clone());
    match (&outcome.listed, reason) {
        (ListedStatus::Status(status), Some(reason)) => fill(
            Text::CancelRefused,
            &[("reason", &reason), ("status", status.text())],
        ),
        (ListedStatus::Status(status), None) if *status == outcome.before.status => {
            fill(Text::CancelUnchanged, &[("status", status.text())])
        }
        (ListedStatus::Status(status), None) => {
            fill(Text::CancelChanged, &[("status", status.text())])
        }
        (ListedStatus::NotFound, Some(reason)) => {
            fill(Text::CancelRefusedMissing, &[("reason", &reason)])
        }
        (ListedStatus::NotFound, None) => say(Text::CancelMissing),
        (ListedStatus::Unreadable(_) | ListedStatus::Pending(_), _) => say(Text::CancelUnread),
    }
}
