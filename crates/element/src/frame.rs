//! What a mounted element holds, and the end of it.

use std::any::Any;
use std::cell::Cell;

use leptos::mount::mount_to_renderer;
use leptos::prelude::{Owner, Render};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot};

thread_local! {
    static LIVE: Cell<usize> = const { Cell::new(0) };
}

/// How many elements hold resources at the moment.
#[must_use]
pub fn live() -> usize {
    LIVE.get()
}

/// What an element holds while it is shown. Fields are dropped in their order: the views first,
/// then what they refer to.
pub struct Frame<Driver> {
    _view: Box<dyn Any>,
    /// Holds the element's state.
    pub driver: Driver,
    owner: Owner,
}

impl<Driver: Copy + 'static> Frame<Driver> {
    /// Makes a driver, and shows its view in `card` in the place of what was there; the view hears
    /// whether the focus was in that.
    pub fn new<View: Render>(
        card: &HtmlElement,
        driver: impl FnOnce() -> Driver,
        view: impl FnOnce(Driver, bool) -> View + 'static,
    ) -> Self
    where
        View::State: 'static,
    {
        LIVE.set(LIVE.get() + 1);
        let has_focus = has_focus(card);
        card.replace_children_with_node(&js_sys::Array::new());
        let owner = Owner::new();
        let (driver, view) = owner.with(|| {
            let driver = driver();
            let view = mount_to_renderer(card, move || view(driver, has_focus));
            (driver, view)
        });
        Self {
            _view: Box::new(view),
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
        self.owner.cleanup();
    }
}
