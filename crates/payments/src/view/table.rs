//! The payments of a page.

use leptos::prelude::*;
use tender_element::speech::{fill, say};
use tender_merchant::text::Text;
use tender_merchant::{Event, Knowledge};

use super::row::{self, Row};
use crate::driver::Driver;

pub(super) fn table(driver: Driver) -> AnyView {
    let rows = Memo::new(move |_| {
        driver
            .desk(|desk| {
                let known = |id: &str| match &desk.knowledge {
                    Knowledge::Known(known) => known.payments.get(id).cloned(),
                    _ => None,
                };
                desk.shown()
                    .map(|payment| Row {
                        payment: payment.clone(),
                        known: known(&payment.transaction_id),
                    })
                    .collect::<Vec<_>>()
            })
            .unwrap_or_default()
    });
    let attend = move |is_attended| move || driver.dispatch(Event::Attended(is_attended));
    let [come, gone] = [attend(true), attend(false)];
    view! {
        <div class="sheet" role="region" aria-label=say(Text::Table) tabindex="0"
            on:pointerenter=move |_| come() on:pointerleave=move |_| gone()
            on:focusin=move |_| come() on:focusout=move |_| gone()>
            <table role="table" part="table" aria-label=say(Text::Table)>
                <thead role="rowgroup"><tr role="row">
                    <th role="columnheader" scope="col">{all(driver)}</th>
                    {heads()}
                </tr></thead>
                <tbody role="rowgroup">
                    <For each=move || rows.get() key=Row::key children=move |row| row::row(driver, row)/>
                </tbody>
            </table>
        </div>
        {selected(driver)}
    }
    .into_any()
}

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

fn heads() -> AnyView {
    let head = |text: Text| view! { <th role="columnheader" scope="col">{say(text)}</th> };
    let heads: Vec<_> = COLUMNS.into_iter().map(head).collect();
    view! {
        {heads}
        <th role="columnheader" scope="col"><span class="sr">{say(Text::Actions)}</span></th>
    }
    .into_any()
}

/// Selects the page.
fn all(driver: Driver) -> AnyView {
    let is_all = move || {
        driver.desk(|desk| {
            let mut shown = desk.shown().peekable();
            shown.peek().is_some() && shown.all(|row| desk.selected.contains(&row.transaction_id))
        }) == Some(true)
    };
    view! {
        <label class="pick">
            <input type="checkbox" prop:checked=is_all aria-label=say(Text::SelectAll)
                on:change=move |event| driver.dispatch(Event::AllSelected(event_target_checked(&event)))/>
        </label>
    }
    .into_any()
}

/// New payments that wait to be shown: not above the rows, as what comes there would move them.
pub(super) fn news(driver: Driver) -> AnyView {
    let held = Memo::new(move |_| driver.desk(|desk| desk.held.len()).unwrap_or(0));
    view! {
        <div class="news" role="status">
            {move || (held.get() > 0).then(|| view! {
                <button type="button" class="quiet" part="show-new"
                    on:click=move |_| driver.dispatch(Event::NewShown)>
                    {fill(Text::NewPayments, &[("count", &held.get().to_string())])}
                </button>
            })}
        </div>
    }
    .into_any()
}

/// What can be done with those that are selected.
fn selected(driver: Driver) -> AnyView {
    let count = Memo::new(move |_| driver.desk(|desk| desk.selected.len()).unwrap_or(0));
    view! {
        {move || (count.get() > 0).then(|| view! {
            <button type="button" class="danger" part="cancel-selected"
                on:click=move |_| driver.dispatch(Event::CancelSelectedWanted)>
                {fill(Text::CancelSelected, &[("count", &count.get().to_string())])}
            </button>
        })}
    }
    .into_any()
}
