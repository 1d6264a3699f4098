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

use leptos::prelude::*;
use tender_core::State;
use tender_element::speech::spoken;
use tender_element::{focus, icon};

use crate::driver::Driver;

/// Which view a state has. While it stays the same, the view stays: what the buyer typed, and
/// the focus, survive a failure.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Scene {
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
/// A view is made once for its scene and follows the state by itself from then on. What it reads
/// while it is made is not tracked: it would be made again at each change, and take the focus.
pub(crate) fn checkout(driver: Driver, has_focus: bool) -> AnyView {
    let speech = driver.speech();
    let scene = Memo::new(move |_| {
        // Nothing is said before its language is known: else the buyer would see two.
        if speech.is_known() {
            driver.with(|state| Scene::from(state))
        } else {
            Scene::Skeleton
        }
    });
    spoken(speech, has_focus, move || {
        speech.track();
        let scene = scene.get();
        untrack(|| match scene {
            Scene::Skeleton => skeleton::skeleton().into_any(),
            Scene::Unavailable => notice::unavailable(driver).into_any(),
            Scene::Form => form::form(driver).into_any(),
            Scene::Awaiting => awaiting::awaiting(driver).into_any(),
            Scene::Cancelled => cancelled::cancelled(driver).into_any(),
        })
    })
}
