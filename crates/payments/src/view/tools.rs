//! Search, filter and export: over what is loaded, and they say so.

use leptos::prelude::{event_target_value, untrack};
use tender_element_legacy::dom::{El, el};
use tender_element_legacy::speech::{fill, say};
use tender_payments_core::filter::statuses;
use tender_payments_core::text::Text;
use tender_payments_core::{Dashboard, Event, Goal, OlderPages};
use tender_protocol::Status;

use super::button;
use crate::driver::Driver;

pub(super) fn tools(driver: Driver) -> El {
    let export = move || {
        let found = driver.desk(|desk| desk.matching().count());
        let found = found.unwrap_or_default().to_string();
        fill(Text::Export, &[("count", &found)])
    };
    let hint = move || driver.desk(hint).unwrap_or_default();
    let text = driver.desk(|desk| desk.filter.text.clone());
    let search = el("input")
        .attr("id", "search")
        .attr("type", "search")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("value", &text.unwrap_or_default())
        .attr("aria-describedby", "found")
        .on("input", move |event| {
            driver.dispatch(Event::SearchChanged(event_target_value(&event)));
        });
    let export = button("quiet", "export")
        .live_text(export)
        .on("click", move |_| driver.dispatch(Event::ExportRequested));
    let hint = el("p")
        .class("hint")
        .attr("id", "found")
        .attr("role", "status")
        .live_text(hint);
    let search_on = search_on(driver, search.clone());
    el("div")
        .class("tools")
        .part("tools")
        .attr("role", "search")
        .child(field("search", Text::Search).child(search))
        .child(field("status", Text::Status).child(status(driver)))
        .child(export)
        .child(hint)
        .child(search_on)
}

fn field(id: &str, text: Text) -> El {
    let label = el("label").attr("for", id).text(&say(text));
    el("div").class("field").child(label)
}

/// How much is looked through, and how much of it is found.
fn hint(desk: &Dashboard) -> String {
    let (count, found) = (desk.visible().count(), desk.matching().count());
    let text = match (desk.filter.is_empty(), found) {
        (true, _) => Text::SearchHint,
        (false, 0) => Text::NothingFound,
        (false, _) => Text::Found,
    };
    fill(
        text.of(count),
        &[
            ("count", &*count.to_string()),
            ("found", &*found.to_string()),
        ],
    )
}

/// The statuses that occur: the service's own words.
fn status(driver: Driver) -> El {
    let known = move || {
        let known = driver.desk(|desk| statuses(desk.visible()));
        known.unwrap_or_default().into_iter().enumerate()
    };
    let option = move |(index, status): &(usize, Status)| {
        let own = status.clone();
        let chosen = move || driver.desk(|desk| desk.filter.status.clone()).flatten();
        [el("option")
            .attr("value", &index.to_string())
            .attr_while(move || chosen().as_ref() == Some(&own), "selected", "")
            .text(status.text())]
    };
    el("select")
        .attr("id", "status")
        .child(el("option").attr("value", "").text(&say(Text::StatusAll)))
        .live_list(move || known().collect(), option)
        .on("change", move |event| {
            let wanted = event_target_value(&event);
            let mut known = untrack(known);
            let chosen = known.find(|(index, _)| index.to_string() == wanted);
            driver.dispatch(Event::StatusFilterChanged(chosen.map(|(_, status)| status)));
        })
}

/// On through older pages, for as long as something is looked for. When the button is gone, `heir` has its focus.
fn search_on(driver: Driver, heir: El) -> El {
    let what = move || driver.desk(on_press).flatten();
    let text = move || match what() {
        Some(Event::SearchStopped) => say(Text::Stop),
        _ => say(Text::SearchOlder),
    };
    let go = move || {
        button("quiet", "search-older")
            .live_text(text)
            .on("click", move |_| {
                if let Some(event) = untrack(what) {
                    driver.dispatch(event);
                }
            })
    };
    let said = move || driver.desk(progress).unwrap_or_default();
    el("div")
        .class("search-on")
        .passing(move || what().is_some(), go, heir)
        .child(
            el("span")
                .class("hint")
                .attr("role", "status")
                .live_text(said),
        )
}

/// What the button does; `None` where there is nothing to do.
fn on_press(desk: &Dashboard) -> Option<Event> {
    match desk.older {
        _ if desk.filter.is_empty() => None,
        OlderPages::Queued(_) | OlderPages::Loading(_) | OlderPages::Verifying(..) => {
            Some(Event::SearchStopped)
        }
        OlderPages::AllLoaded => None,
        _ => Some(Event::SearchOlderRequested),
    }
}

/// How far the search is.
fn progress(desk: &Dashboard) -> String {
    let pages = |text: Text, pages: u32| {
        let text = text.of(pages.try_into().unwrap_or(usize::MAX));
        fill(text, &[("pages", &pages.to_string())])
    };
    match &desk.older {
        _ if desk.filter.is_empty() => String::new(),
        OlderPages::Loading(run) | OlderPages::Verifying(run, _) if run.goal != Goal::NextPage => {
            pages(Text::Searching, run.pages)
        }
        OlderPages::NoMatch(searched) => pages(Text::SearchedInVain, *searched),
        OlderPages::AllLoaded => say(Text::SearchedAll),
        _ => String::new(),
    }
}
