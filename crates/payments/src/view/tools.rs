//! Search, filter and export: over what is loaded, and they say so.

use leptos::prelude::*;
use tender_element::speech::{fill, say};
use tender_merchant::filter::statuses;
use tender_merchant::text::Text;
use tender_merchant::{Event, Goal, Older};

use crate::driver::Driver;

pub(super) fn tools(driver: Driver) -> AnyView {
    let counts = Memo::new(move |_| {
        driver.desk(|desk| {
            (
                desk.loaded().count(),
                desk.matching().count(),
                desk.filter.is_empty(),
            )
        })
    });
    let hint = move || {
        let (count, found, is_all) = counts.get().unwrap_or_default();
        let values = [
            ("count", &*count.to_string()),
            ("found", &*found.to_string()),
        ];
        match (is_all, found) {
            (true, _) => fill(Text::SearchHint, &values),
            (false, 0) => fill(Text::NothingFound, &values),
            (false, _) => fill(Text::Found, &values),
        }
    };
    let export = move || {
        let found = counts.get().map_or(0, |(_, found, _)| found);
        fill(Text::Export, &[("count", &found.to_string())])
    };
    let text = driver.desk(|desk| desk.filter.text.clone());
    view! {
        <div class="tools" part="tools" role="search">
            <div class="field">
                <label for="search">{say(Text::Search)}</label>
                <input id="search" type="search" autocomplete="off" spellcheck="false" value=text
                    aria-describedby="found"
                    on:input=move |event| driver.dispatch(Event::Searched(event_target_value(&event)))/>
            </div>
            {status(driver)}
            <button type="button" class="quiet" part="export"
                on:click=move |_| driver.dispatch(Event::Exported)>{export}</button>
            <p class="hint" id="found" role="status">{hint}</p>
            {search_on(driver)}
        </div>
    }
    .into_any()
}

/// The statuses that occur: the service's own words.
fn status(driver: Driver) -> AnyView {
    let known = Memo::new(move |_| {
        driver
            .desk(|desk| statuses(desk.loaded()))
            .unwrap_or_default()
    });
    let on_change = move |event| {
        let wanted = event_target_value(&event);
        let status = wanted
            .parse::<usize>()
            .ok()
            .and_then(|index| known.with_untracked(|known| known.get(index).cloned()));
        driver.dispatch(Event::StatusChosen(status));
    };
    let chosen = move || driver.desk(|desk| desk.filter.status.clone()).flatten();
    let options = move || {
        let chosen = chosen();
        let known = known.get().into_iter().enumerate();
        known
            .map(|(index, status)| {
                let is_chosen = chosen.as_ref() == Some(&status);
                let text = status.text().to_owned();
                view! { <option value=index.to_string() selected=is_chosen>{text}</option> }
            })
            .collect::<Vec<_>>()
    };
    view! {
        <div class="field">
            <label for="status">{say(Text::Status)}</label>
            <select id="status" on:change=on_change>
                <option value="">{say(Text::StatusAll)}</option>
                {options}
            </select>
        </div>
    }
    .into_any()
}

/// On through older pages, for as long as something is looked for.
fn search_on(driver: Driver) -> AnyView {
    let older = Memo::new(move |_| {
        driver.desk(|desk| {
            let is_wanted = !desk.filter.is_empty();
            is_wanted.then(|| desk.older.clone())
        })
    });
    let pages = |text, pages: u32| fill(text, &[("pages", &pages.to_string())]);
    let said = move || match older.get().flatten() {
        Some(Older::Reading(run) | Older::Checking(run, _)) if run.goal != Goal::Turn => {
            pages(Text::Searching, run.pages)
        }
        Some(Older::NotFound(searched)) => pages(Text::SearchedInVain, searched),
        Some(Older::End) => say(Text::SearchedAll),
        _ => String::new(),
    };
    let button = Memo::new(move |_| match older.get().flatten() {
        Some(Older::Waiting(_) | Older::Reading(_) | Older::Checking(..)) => {
            Some((Text::Stop, true))
        }
        None | Some(Older::End) => None,
        Some(_) => Some((Text::SearchOlder, false)),
    });
    view! {
        <div class="search-on">
            {move || button.get().map(|(text, stops)| view! {
                <button type="button" class="quiet" part="search-older" on:click=move |_| {
                    driver.dispatch(if stops { Event::Stopped } else { Event::SearchedOn });
                }>{say(text)}</button>
            })}
            <span class="hint" role="status">{said}</span>
        </div>
    }
    .into_any()
}
