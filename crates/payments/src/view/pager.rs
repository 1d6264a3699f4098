//! Newer and older payments, page by page.

use tender_element_legacy::dom::{El, el};
use tender_element_legacy::speech::{fill, say};
use tender_payments_core::text::Text;
use tender_payments_core::{Dashboard, Event, OlderPages};

use super::action;
use super::failure::sentence;
use crate::driver::Driver;

pub(super) fn pager(driver: Driver) -> El {
    let page = move || driver.desk(|desk| desk.page).unwrap_or_default();
    let is_reading = move || driver.desk(|desk| is_reading(&desk.older)) == Some(true);
    let has_older = move || driver.desk(Dashboard::has_older) == Some(true);
    let number = move || fill(Text::Page, &[("page", &(page() + 1).to_string())]);
    let newer = action(
        driver,
        "quiet",
        "newer",
        Text::Newer,
        Event::NewerPageRequested,
    )
    .attr_while(move || page() == 0, "aria-disabled", "true");
    let older = action(
        driver,
        "quiet",
        "older",
        Text::Older,
        Event::OlderPageRequested,
    )
    .class_while(is_reading, "busy")
    .attr_while(
        move || !has_older() || is_reading(),
        "aria-disabled",
        "true",
    );
    let note = move || driver.desk(|desk| note(&desk.older));
    el("nav")
        .class("pager")
        .part("pager")
        .attr("aria-label", &say(Text::Pages))
        .child(newer)
        .child(el("span").attr("aria-live", "polite").live_text(number))
        .child(older)
        .child(
            el("p")
                .class("hint")
                .attr("role", "status")
                .live_text(move || note().unwrap_or_default()),
        )
}

fn is_reading(older: &OlderPages) -> bool {
    matches!(
        older,
        OlderPages::Queued(_) | OlderPages::Loading(_) | OlderPages::Verifying(..)
    )
}

fn note(older: &OlderPages) -> String {
    match older {
        OlderPages::Failed(failure) => format!("{} {}", say(Text::OlderFailed), sentence(failure)),
        OlderPages::AllLoaded => say(Text::SearchedAll),
        older if is_reading(older) => say(Text::ReadingOlder),
        _ => String::new(),
    }
}
