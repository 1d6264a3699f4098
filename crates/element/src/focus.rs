//! Keeps the keyboard focus inside the element when the control that had it is removed.
//!
//! The directives are written `use:restore_focus` and so on in `view!`.

use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement, ScrollIntoViewOptions, ScrollLogicalPosition};

/// Whether the user has interacted with the element: focused or clicked something in it (Safari does not focus a button
/// that is clicked). Until then the element never takes the focus. A context, provided when the element is mounted.
#[derive(Clone, Copy)]
pub struct FocusRestoration {
    has_interacted: StoredValue<bool>,
}

impl FocusRestoration {
    /// Belongs to the current owner.
    pub fn new(has_interacted: bool) -> Self {
        Self {
            has_interacted: StoredValue::new(has_interacted),
        }
    }

    /// The user has focused or clicked something in the element.
    pub fn set_interacted(self) {
        self.has_interacted.try_set_value(true);
    }

    /// Focuses the target's element if the focus was lost: see [`FocusTarget`].
    pub fn restore_to(self, target: FocusTarget) {
        if let Some(element) = target.0.try_get_value().flatten() {
            self.restore(&element);
        }
    }

    /// Focuses `element` if the focus was lost: the user has interacted, and nothing on the page has the focus.
    fn restore(self, element: &Element) {
        let focused = document().active_element();
        let is_lost = focused.is_none_or(|focused| focused.local_name() == "body");
        if is_lost && self.has_interacted.try_get_value() == Some(true) {
            focus(element);
        }
    }
}

/// Directive: when the element is shown, it takes the focus if the focused control was removed.
pub fn restore_focus(element: Element, (): ()) {
    let Some(restoration) = use_context::<FocusRestoration>() else {
        return;
    };
    // Effects run after the view is in the page.
    Effect::new(move || restoration.restore(&element));
}

/// An element that takes over the focus of a control that is removed: `use:focus_target=target` on the element,
/// `use:pass_focus=target` on the control. Belongs to the current owner.
#[derive(Clone, Copy)]
pub struct FocusTarget(StoredValue<Option<Element>, LocalStorage>);

impl FocusTarget {
    /// No element yet. Belongs to the current owner.
    #[expect(
        clippy::new_without_default,
        reason = "the value depends on the current owner"
    )]
    pub fn new() -> Self {
        Self(StoredValue::new_local(None))
    }
}

/// Directive: makes the element a [`FocusTarget`].
pub fn focus_target(element: Element, target: FocusTarget) {
    target.0.set_value(Some(element));
}

/// Directive: when the control is removed while it has the focus, the target takes the focus.
pub fn pass_focus(control: Element, target: FocusTarget) {
    let Some(restoration) = use_context::<FocusRestoration>() else {
        return;
    };
    let control = StoredValue::new_local(control);
    on_cleanup(move || {
        // Clean-ups run before the control is removed, so the focus is passed on afterwards.
        let had_focus = control.try_with_value(|control| control.matches(":focus") == Ok(true));
        let target = target.0.try_get_value().flatten();
        if let (Some(true), Some(target)) = (had_focus, target) {
            queue_microtask(move || restoration.restore(&target));
        }
    });
}

/// Directive: scrolls the element into view when it is shown, if the user has interacted, so that a question is not asked
/// below the window's edge.
pub fn scroll_into_view(element: Element, (): ()) {
    let Some(restoration) = use_context::<FocusRestoration>() else {
        return;
    };
    Effect::new(move || {
        if restoration.has_interacted.try_get_value() == Some(true) {
            let options = ScrollIntoViewOptions::new();
            options.set_block(ScrollLogicalPosition::Nearest);
            element.scroll_into_view_with_scroll_into_view_options(&options);
        }
    });
}

/// Focuses an element. An element that can't have the focus is left alone.
pub fn focus(element: &Element) {
    let _ = element.unchecked_ref::<HtmlElement>().focus();
}
