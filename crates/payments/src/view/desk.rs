//! The list, and what goes with it.

use leptos::prelude::*;
use tender_element::dom::el;
use tender_element::speech::{fill, say};
use tender_merchant::text::Text;
use tender_merchant::{Event, Head, Older};

use super::failure::{forget, sentence};
use super::{ask, days, known, table, tools};
use crate::driver::Driver;

pub(super) fn desk(driver: Driver) -> AnyView {
    let is_empty = Memo::new(move |_| driver.desk(|desk| desk.book.payments().is_empty()));
    let has_key = Memo::new(move |_| driver.desk(|desk| desk.key.is_some()));
    let title = el("h2")
        .attr("id", "payments")
        .attr("tabindex", "-1")
        .text(&say(Text::Payments))
        .successor();
    view! {
        <section class="desk" part="desk" aria-labelledby="payments">
            <header class="heading">
                {title.in_view()}
                <div class="buttons">
                    {table::news(driver)}
                    <button type="button" class="quiet" part="refresh"
                        on:click=move |_| driver.dispatch(Event::Refreshed)>{say(Text::Refresh)}</button>
                    {move || (has_key.get() == Some(true)).then(|| forget(driver))}
                </div>
            </header>
            {trouble(driver)}
            {known::reconciling(driver)}
            {move || if is_empty.get() == Some(true) {
                view! {
                    <div class="ended">
                        <p><strong>{say(Text::Empty)}</strong></p>
                        <p class="hint">{say(Text::EmptyHint)}</p>
                    </div>
                }.into_any()
            } else {
                untrack(|| view! {
                    {days::days(driver)}
                    {tools::tools(driver)}
                    {table::table(driver)}
                    {pager(driver)}
                }.into_any())
            }}
            {ask::dialog(driver)}
        </section>
    }
    .into_any()
}

/// What could not be read, while the list stays.
fn trouble(driver: Driver) -> AnyView {
    let head = Memo::new(move |_| {
        driver.desk(|desk| match &desk.head {
            Head::Failed(failure) => Some(failure.clone()),
            _ => None,
        })
    });
    let unreadable = Memo::new(move |_| driver.desk(|desk| desk.book.unreadable()).unwrap_or(0));
    view! {
        {move || head.get().flatten().map(|failure| view! {
            <p class="problem" role="alert">{sentence(&failure)}</p>
        })}
        {move || (unreadable.get() > 0).then(|| view! {
            <p class="problem">{fill(Text::Unreadable, &[("count", &unreadable.get().to_string())])}</p>
        })}
    }
    .into_any()
}

/// Newer and older.
fn pager(driver: Driver) -> AnyView {
    let page = Memo::new(move |_| driver.desk(|desk| desk.page).unwrap_or(0));
    let has_older = Memo::new(move |_| driver.desk(tender_merchant::Desk::has_older) == Some(true));
    let older = Memo::new(move |_| driver.desk(|desk| desk.older.clone()));
    let is_reading = move || {
        older.with(|older| {
            matches!(
                older,
                Some(Older::Waiting(_) | Older::Reading(_) | Older::Checking(..))
            )
        })
    };
    let note = move || match older.get() {
        Some(Older::Waiting(_) | Older::Reading(_) | Older::Checking(..)) => {
            say(Text::ReadingOlder)
        }
        Some(Older::Failed(failure)) => {
            format!("{} {}", say(Text::OlderFailed), sentence(&failure))
        }
        Some(Older::End) => say(Text::SearchedAll),
        _ => String::new(),
    };
    view! {
        <nav class="pager" part="pager" aria-label=say(Text::Pages)>
            <button type="button" class="quiet" part="newer"
                aria-disabled=move || (page.get() == 0).then_some("true")
                on:click=move |_| driver.dispatch(Event::Newer)>{say(Text::Newer)}</button>
            <span aria-live="polite">
                {move || fill(Text::Page, &[("page", &(page.get() + 1).to_string())])}
            </span>
            <button type="button" class="quiet" part="older" class:busy=is_reading
                aria-disabled=move || (!has_older.get() || is_reading()).then_some("true")
                on:click=move |_| driver.dispatch(Event::Older)>{say(Text::Older)}</button>
            <p class="hint" role="status">{note}</p>
        </nav>
    }
    .into_any()
}
