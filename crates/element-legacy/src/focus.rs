//! Where the focus goes when the control that had it is gone.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use leptos::prelude::document;
use wasm_bindgen::JsCast;
use web_sys::{Element, HtmlElement};

use crate::dom::{El, when_shown};
use crate::{Kept, scope};

/// Whether someone is at work in this element: has had the focus in it, or has pressed something
/// in it (Safari gives a button that is clicked no focus). Until then the focus is the page's own.
#[derive(Clone, Copy)]
pub(crate) struct Attended(pub(crate) Kept<Cell<bool>>);

/// Controls that take each other's place, and with it the focus.
#[derive(Clone, Copy)]
pub struct Succession {
    has_begun: Kept<Cell<bool>>,
}

impl Succession {
    /// No control yet.
    #[must_use]
    #[expect(clippy::new_without_default, reason = "there is an owner to be under")]
    pub fn new() -> Self {
        Self {
            has_begun: Kept::new(Cell::new(false)),
        }
    }

    /// The control that is shown next. The first one has no predecessor.
    #[must_use]
    pub fn next(self, control: El) -> El {
        match self.has_begun.get() {
            Some(has_begun) if !has_begun.replace(true) => control,
            _ => control.successor(),
        }
    }
}

impl El {
    /// Appends a control that comes and goes. Where it goes with the focus, `heir` takes that.
    #[must_use]
    pub fn passing(
        self,
        is_there: impl Fn() -> bool + 'static,
        control: impl Fn() -> El + 'static,
        heir: El,
    ) -> Self {
        let shown = Rc::new(RefCell::new(None::<El>));
        let leaves_focus = Rc::new(Cell::new(false));
        let (before, left) = (Rc::clone(&shown), Rc::clone(&leaves_focus));
        let is_there = move || {
            let is_there = is_there();
            // When it is gone the focus is nowhere.
            if !is_there && let Some(control) = before.take() {
                left.set(control.element().matches(":focus") == Ok(true));
            }
            is_there
        };
        self.live_children(is_there, move |is_there| {
            if leaves_focus.take() {
                when_shown(heir.heir());
            }
            let control = is_there.then(&control);
            shown.replace(control.clone());
            control
        })
    }

    /// Takes the focus when it is shown, where the focus went with the control that had it: it is
    /// nowhere else then.
    #[must_use]
    pub fn successor(self) -> Self {
        when_shown(Box::new(self.heir()));
        self
    }

    /// Gives it the focus, where the focus went with the control that had it: it is nowhere else then.
    #[must_use]
    pub fn heir(&self) -> Box<dyn Fn()> {
        let scope = scope::current();
        let element = self.element().clone();
        Box::new(move || {
            let attended = scope.and_then(|scope| scope.attended.0.get());
            let is_attended = attended.is_some_and(|attended| attended.get());
            let focused = document().active_element();
            if is_attended && focused.is_none_or(|focused| focused.local_name() == "body") {
                give_to(&element);
            }
        })
    }
}

/// Gives the focus to an element. Where it can't go, the element is there all the same.
pub fn give_to(element: &Element) {
    let _ = element.unchecked_ref::<HtmlElement>().focus();
}
