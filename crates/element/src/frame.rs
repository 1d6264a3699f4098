//! What a mounted element holds, and the end of it.

use std::cell::Cell;

use any_spawner::Executor;
use leptos::prelude::Owner;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot};

use crate::dom::El;

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// How many elements hold resources at the moment.
#[must_use]
pub fn live() -> usize {
    LIVE.get()
}

/// What an element holds while it is shown.
pub struct Frame<Driver> {
    view: El,
    /// Holds the element's state.
    pub driver: Driver,
    owner: Owner,
}

impl<Driver: Copy + 'static> Frame<Driver> {
    /// Makes a driver, and shows its view in `card` in the place of what was there; the view hears
    /// whether the focus was in that.
    pub fn new(
        card: &HtmlElement,
        driver: impl FnOnce() -> Driver,
        view: impl FnOnce(Driver, bool) -> El,
    ) -> Self {
        // Effects are tasks of the browser. An error says that they are already.
        let _ = Executor::init_wasm_bindgen();
        LIVE.set(LIVE.get() + 1);
        let has_focus = has_focus(card);
        let owner = Owner::new();
        let (driver, view) = owner.with(|| {
            let driver = driver();
            (driver, view(driver, has_focus))
        });
        card.replace_children_with_node(&js_sys::Array::of1(view.element()));
        Self {
            view,
            driver,
            owner,
        }
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
