//! What a mounted element holds, and the end of it.

use std::cell::Cell;

use any_spawner::Executor;
use leptos::prelude::Owner;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot};

use crate::dom::El;
use crate::focus;
use crate::speech::Speech;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// How many elements hold resources at the moment.
#[must_use]
pub fn live() -> usize {
    LIVE.get()
}

/// What an element holds from when it is made.
pub(crate) struct Frame<Driver> {
    view: El,
    is_shown: Cell<bool>,
    pub(crate) speech: Speech,
    /// Holds the element's state.
    pub(crate) driver: Driver,
    owner: Owner,
}

impl<Driver: Copy> Frame<Driver> {
    /// Makes a driver, and its view for `card`; the view hears whether the focus is in what is there.
    pub(crate) fn new(
        card: &HtmlElement,
        driver: impl FnOnce(Speech) -> Driver,
        view: fn(Driver, bool) -> El,
    ) -> Self {
        // Effects are tasks of the browser. An error says that they are already.
        let _ = Executor::init_wasm_bindgen();
        LIVE.set(LIVE.get() + 1);
        let has_focus = has_focus(card);
        let owner = Owner::new();
        let (speech, driver, view) = owner.with(|| {
            let speech = Speech::new();
            let driver = driver(speech);
            (speech, driver, view(driver, has_focus))
        });
        Self {
            view,
            is_shown: Cell::new(false),
            speech,
            driver,
            owner,
        }
    }

    /// What is to be shown for the first time, and its driver; `None` where it is shown already.
    pub(crate) fn unshown(&self) -> Option<(El, Driver)> {
        (!self.is_shown.replace(true)).then(|| (self.view.clone(), self.driver))
    }
}

/// Shows the view in the card, in the place of what was there. A focus that was in that goes on to it.
pub(crate) fn show(view: &El, card: &HtmlElement) {
    let view = view.element();
    let has_focus = has_focus(card);
    card.replace_children_with_node(&js_sys::Array::of1(view));
    if let Some(first) = view.first_element_child().filter(|_| has_focus) {
        focus::give_to(&first);
    }
}

/// Whether the focus is in the card.
fn has_focus(card: &HtmlElement) -> bool {
    let root = card.get_root_node().dyn_into::<ShadowRoot>();
    let focused = root.ok().and_then(|root| root.active_element());
    focused.is_some_and(|focused| card.contains(Some(&focused)))
}

impl<Driver> Drop for Frame<Driver> {
    fn drop(&mut self) {
        LIVE.set(LIVE.get() - 1);
        self.view.element().remove();
        self.owner.cleanup();
    }
}
