//! The list, and what goes with it.

use tender_client::Failure;
use tender_element_legacy::dom::{El, el};
use tender_element_legacy::speech::say;
use tender_payments_core::text::Text;
use tender_payments_core::{Dashboard, Event, LedgerState, Refresh};
use tender_protocol::Reconciling;

use super::failure::{forget, sentence};
use super::{action, ask, counted, days, known, pager, table, tools};
use crate::driver::Driver;

/// What stands on the desk.
#[derive(PartialEq)]
enum Part {
    /// What could not be read, while the list stays.
    Trouble(Failure),
    /// So many records can't be read.
    Unreadable(usize),
    /// Orders whose outcome is not known yet, and whether there are more of them.
    Reconciling(Vec<Reconciling>, bool),
    /// There is no payment.
    Empty,
    Days,
    Tools,
    Table,
    /// What can be done with those that are selected.
    Selected,
    Pager,
}

/// From top to bottom. A part that goes on to be there stays as it is.
fn parts(desk: &Dashboard) -> Vec<Part> {
    let trouble = match &desk.refresh {
        Refresh::Failed(failure) => Some(Part::Trouble(failure.clone())),
        _ => None,
    };
    let unreadable = desk.list.unreadable();
    let unreadable = (unreadable > 0).then_some(Part::Unreadable(unreadable));
    let reconciling = match &desk.ledger {
        LedgerState::Loaded(known) if !known.reconciling.is_empty() => {
            Some(Part::Reconciling(known.reconciling.clone(), known.more))
        }
        _ => None,
    };
    let list = if desk.list.payments().is_empty() {
        [Some(Part::Empty), None, None, None, None]
    } else {
        [
            days::are_known(desk).then_some(Part::Days),
            Some(Part::Tools),
            Some(Part::Table),
            (!desk.selected.is_empty()).then_some(Part::Selected),
            Some(Part::Pager),
        ]
    };
    let parts = [trouble, unreadable, reconciling].into_iter().chain(list);
    parts.flatten().collect()
}

pub(super) fn desk(driver: Driver) -> El {
    let title = el("h2")
        .attr("id", "payments")
        .attr("tabindex", "-1")
        .text(&say(Text::Payments))
        .successor();
    // What opened it may be gone when the dialog closes.
    let dialog = ask::dialog(driver, title.heir());
    el("section")
        .class("desk")
        .part("desk")
        .attr("aria-labelledby", "payments")
        .child(heading(driver, title))
        .live_list(
            move || driver.desk(parts).unwrap_or_default(),
            move |part| [show(driver, part)],
        )
        .child(dialog)
}

fn heading(driver: Driver, title: El) -> El {
    let has_key = move || driver.desk(|desk| desk.key.is_some()) == Some(true);
    let refresh = action(
        driver,
        "quiet",
        "refresh",
        Text::Refresh,
        Event::RefreshRequested,
    );
    let buttons = el("div")
        .class("buttons")
        .child(table::news(driver, title.clone()))
        .child(refresh)
        .live_children(has_key, move |has_key| has_key.then(|| forget(driver)));
    el("header").class("heading").child(title).child(buttons)
}

fn show(driver: Driver, part: &Part) -> El {
    match part {
        Part::Trouble(failure) => problem(&sentence(failure)).attr("role", "alert"),
        Part::Unreadable(count) => problem(&counted(Text::Unreadable, *count)),
        Part::Reconciling(orders, more) => known::reconciling(driver, orders, *more),
        Part::Empty => el("div")
            .class("ended")
            .child(el("p").child(el("strong").text(&say(Text::Empty))))
            .child(el("p").class("hint").text(&say(Text::EmptyHint))),
        Part::Days => days::days(driver),
        Part::Tools => tools::tools(driver),
        Part::Table => table::table(driver),
        Part::Selected => table::selected(driver),
        Part::Pager => pager::pager(driver),
    }
}

fn problem(sentence: &str) -> El {
    el("p").class("problem").text(sentence)
}
