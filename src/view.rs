//! What the buyer sees: one frame, and in it one view for each kind of state.
//!
//! Views read the state and send events. They never call the network.

mod awaiting;
mod cancelled;
mod copy;
mod fields;
mod form;
mod notice;
mod open;
mod scan;
mod skeleton;
mod tokens;
mod transaction;
mod wallets;

use tender_checkout_core::{Event, State};
use tender_element::dom::{El, el};
use tender_element::speech::spoken;

use crate::driver::Driver;
use crate::later;

/// Which view a state has. While it stays the same, the view stays: what the buyer typed, and
/// the focus, survive a failure.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Scene {
    Skeleton,
    Unavailable,
    Form,
    Awaiting,
    Cancelled,
}

impl From<&State> for Scene {
    fn from(state: &State) -> Self {
        match state {
            State::Loading(_) => Self::Skeleton,
            State::Unavailable(..) => Self::Unavailable,
            State::Choosing(_) | State::Submitting(..) | State::Failed(..) => Self::Form,
            State::Awaiting(_) => Self::Awaiting,
            State::Cancelled(..) => Self::Cancelled,
        }
    }
}

/// The inside of the card; `has_focus` says whether the focus is in what it replaces.
///
/// A view is made once for its scene and follows the state by itself from then on.
pub(crate) fn checkout(driver: Driver, has_focus: bool) -> El {
    let scene = move || driver.with(|state| Scene::from(state));
    let view = move |scene| match scene {
        Scene::Skeleton => Some(skeleton::skeleton()),
        Scene::Unavailable => notice::unavailable(driver),
        Scene::Form => Some(form::form(driver)),
        Scene::Awaiting | Scene::Cancelled => {
            later::loaded().and_then(|later| (later.view)(driver, scene))
        }
    };
    spoken(driver.speech(), has_focus, Scene::Skeleton, scene, view)
}

/// The views of a payment. They come with the later part of the module.
pub(crate) fn of_payment(driver: Driver, scene: Scene) -> Option<El> {
    match scene {
        Scene::Awaiting => awaiting::awaiting(driver),
        Scene::Cancelled => Some(cancelled::cancelled(driver)),
        Scene::Skeleton | Scene::Unavailable | Scene::Form => None,
    }
}

/// A button that sends an event.
fn action(driver: Driver, class: &str, label: &str, event: Event) -> El {
    el("button")
        .attr("type", "button")
        .class(class)
        .text(label)
        .on("click", move |_| driver.dispatch(event.clone()))
}

/// The picture of a token or a wallet, `side` pixels wide; in its place, where it can't be had, the first
/// letter of the name.
fn picture(name: &str, source: Option<&str>, side: &str) -> El {
    let monogram: String = name.chars().take(1).collect();
    let place = el("span").class("logo").attr("aria-hidden", "true");
    let Some(source) = source else {
        return place.text(&monogram);
    };
    let image = el("img");
    let broken = image.clone();
    let image = image
        .attr("alt", "")
        .attr("loading", "lazy")
        .attr("decoding", "async")
        .attr("referrerpolicy", "no-referrer")
        .attr("width", side)
        .attr("height", side)
        .on("error", move |_| {
            if let Some(place) = broken.element().parent_node() {
                place.set_text_content(Some(&monogram));
            }
        })
        .attr("src", source);
    place.child(image)
}
