//! Where the focus goes when the control that had it is gone.

use leptos::html::ElementType;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

/// Controls that take each other's place, and with it the focus.
#[derive(Clone, Copy)]
pub(super) struct Succession {
    has_begun: StoredValue<bool>,
}

impl Succession {
    pub(super) fn new() -> Self {
        Self {
            has_begun: StoredValue::new(false),
        }
    }

    /// A reference for the control that is shown next. The first one has no predecessor, and a
    /// page that is just being shown keeps its focus.
    pub(super) fn next<E>(self) -> NodeRef<E>
    where
        E: ElementType,
        E::Output: JsCast + Clone + 'static,
    {
        if self.has_begun.get_value() {
            return successor();
        }
        self.has_begun.set_value(true);
        NodeRef::new()
    }
}

/// A reference for an element that takes the focus when it is shown, unless the buyer has it
/// somewhere: only a focus that went with its control comes here.
pub(super) fn successor<E>() -> NodeRef<E>
where
    E: ElementType,
    E::Output: JsCast + Clone + 'static,
{
    let node = NodeRef::<E>::new();
    Effect::new(move || {
        let Some(element) = node.get() else { return };
        let focused = document().active_element();
        if focused.is_none_or(|focused| focused.local_name() == "body") {
            // Where the focus can't go, the element is there all the same.
            let _ = element.unchecked_into::<HtmlElement>().focus();
        }
    });
    node
}
