//! What the merchant sees: one frame, and in it one view for each kind of state.
//!
//! Views read the state and send events. They never call the network.

mod ask;
mod days;
mod desk;
mod entry;
mod failure;
mod known;
mod pager;
mod row;
mod table;
mod tools;

use tender_element_legacy::dom::{El, el};
use tender_element_legacy::speech::{fill, say, spoken};
use tender_payments_core::text::Text;
use tender_payments_core::{Event, State};

use crate::driver::Driver;

/// Which view a state has. While it stays the same, the view stays, and with it the focus.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scene {
    Skeleton,
    Entry,
    LoggedOut,
    Unavailable,
    Desk,
}

impl From<&State> for Scene {
    fn from(state: &State) -> Self {
        match state {
            State::Loading(_) => Self::Skeleton,
            State::KeyRequired(_) => Self::Entry,
            State::LoggedOut => Self::LoggedOut,
            State::Failed(..) => Self::Unavailable,
            State::Ready(_) => Self::Desk,
        }
    }
}

/// The inside of the card; `has_focus` says whether the focus is in what it replaces.
///
/// A view is made once for its scene and follows the state by itself from then on.
pub(crate) fn payments(driver: Driver, has_focus: bool) -> El {
    let scene = move || driver.with(|state| Scene::from(state));
    let view = move |scene| match scene {
        Scene::Skeleton => Some(skeleton()),
        Scene::Entry => Some(entry::entry(driver)),
        Scene::LoggedOut => Some(failure::logged_out(driver)),
        Scene::Unavailable => failure::unavailable(driver),
        Scene::Desk => Some(desk::desk(driver)),
    };
    spoken(driver.speech(), has_focus, Scene::Skeleton, scene, view)
}

/// A text about so many.
fn counted(text: Text, count: usize) -> String {
    fill(text.of(count), &[("count", &count.to_string())])
}

/// A button. It is styled by its class, and from outside by its part.
fn button(class: &str, part: &str) -> El {
    el("button").attr("type", "button").class(class).part(part)
}

/// A button that sends an event.
fn action(driver: Driver, class: &str, part: &str, text: Text, event: Event) -> El {
    button(class, part)
        .text(&say(text))
        .on("click", move |_| driver.dispatch(event.clone()))
}

/// The frame while the list is on its way: the same marks that the loader shows before.
fn skeleton() -> El {
    el("div")
        .class("skeleton")
        .attr("role", "status")
        .attr("aria-busy", "true")
        .attr("aria-label", &say(Text::Loading))
        .attr("tabindex", "-1")
        .children((0..8).map(|_| el("i")))
        .successor()
}
