//! The payments of a page.

use tender_element_legacy::dom::{El, el};
use tender_element_legacy::speech::say;
use tender_payments_core::text::Text;
use tender_payments_core::{Dashboard, Event};
use web_sys::Event as DomEvent;

use super::row::{self, Named, checkbox};
use super::{button, counted};
use crate::driver::Driver;

/// The columns behind the first.
pub(super) const COLUMNS: [Text; 9] = [
    Text::Invoice,
    Text::Buyer,
    Text::Price,
    Text::ToPay,
    Text::UsDollars,
    Text::Status,
    Text::Date,
    Text::Wallet,
    Text::Transaction,
];

pub(super) fn table(driver: Driver) -> El {
    let title = say(Text::Table);
    let head = el("tr")
        .attr("role", "row")
        .child(head().child(all(driver)))
        .children(COLUMNS.map(|column| head().text(&say(column))))
        .child(head().child(el("span").class("sr").text(&say(Text::Actions))));
    let rows = move || driver.desk(|desk| desk.shown().map(Named::of).collect());
    let body = el("tbody").attr("role", "rowgroup").live_list(
        move || rows().unwrap_or_default(),
        move |named| [row::row(driver, named)],
    );
    let table = el("table")
        .attr("role", "table")
        .part("table")
        .attr("aria-label", &title)
        .child(el("thead").attr("role", "rowgroup").child(head))
        .child(body);
    let attend = move |is_attended| {
        move |_: DomEvent| driver.dispatch(Event::InteractionChanged(is_attended))
    };
    el("div")
        .class("sheet")
        .attr("role", "region")
        .attr("aria-label", &title)
        .attr("tabindex", "0")
        .on("pointerenter", attend(true))
        .on("pointerleave", attend(false))
        .on("focusin", attend(true))
        .on("focusout", attend(false))
        .child(table)
}

fn head() -> El {
    el("th").attr("role", "columnheader").attr("scope", "col")
}

/// Selects the page.
fn all(driver: Driver) -> El {
    let are_selected = |desk: &Dashboard| {
        let mut shown = desk.shown().peekable();
        shown.peek().is_some() && shown.all(|row| desk.selected.contains(&row.transaction_id))
    };
    let name = say(Text::SelectAll);
    // ListedStatus where the other heads are not.
    let label = el("span").class("label").text(&name);
    checkbox(
        &name,
        move || driver.desk(are_selected) == Some(true),
        move |are_selected| driver.dispatch(Event::SelectAllChanged(are_selected)),
    )
    .child(label)
}

/// New payments that wait to be shown: not above the rows, as what comes there would move them. When the button is
/// gone, `heir` has its focus.
pub(super) fn news(driver: Driver, heir: El) -> El {
    let count = move || driver.desk(|desk| desk.hidden.len()).unwrap_or_default();
    let show = move || {
        button("quiet", "show-new")
            .live_text(move || counted(Text::NewPayments, count()))
            .on("click", move |_| driver.dispatch(Event::ShowNewRequested))
    };
    el("div")
        .class("news")
        .attr("role", "status")
        .passing(move || count() > 0, show, heir)
}

/// What can be done with those that are selected.
pub(super) fn selected(driver: Driver) -> El {
    let count = move || driver.desk(|desk| desk.selected.len()).unwrap_or_default();
    button("danger", "cancel-selected")
        .live_text(move || counted(Text::CancelSelected, count()))
        .on("click", move |_| {
            driver.dispatch(Event::CancelSelectedRequested);
        })
}
