use leptos::ev;
use leptos::html::Dialog;
use leptos::prelude::*;
use tender_element::focus::{FocusRestoration, FocusTarget, focus};
use tender_payments_core::Event;
use web_sys::Element;

use super::controls::ActionButton;
use crate::driver::use_driver;
use crate::text::Text;

/// A modal dialog. It opens and closes with the state, and never by itself.
#[component]
pub(super) fn Modal(
    /// How the page's stylesheet can style it, as `::part(...)`.
    part: &'static str,
    /// The id of its heading.
    heading: &'static str,
    /// Whether it is open.
    is_open: Memo<bool>,
    /// Dispatched for Escape.
    dismiss: Event,
    /// Its content while it is open.
    children: Children,
) -> AnyView {
    let driver = use_driver();
    let restoration: FocusRestoration = expect_context();
    let title: FocusTarget = expect_context();
    let dialog = NodeRef::<Dialog>::new();
    Effect::new(move || {
        let Some(dialog) = dialog.get() else { return };
        match (is_open.get(), dialog.open()) {
            // If the browser can't show it as modal, nothing is shown and nothing is done.
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    // The state decides whether Escape closes the dialog.
    let on_cancel = move |event: ev::Event| {
        event.prevent_default();
        driver.dispatch(dismiss.clone());
    };
    let on_close = move |_| {
        if !is_open.get_untracked() {
            // The browser has returned the focus to the control that opened the dialog, if it can.
            restoration.restore_to(title);
        } else if let Some(dialog) = dialog.get_untracked() {
            // A second Escape closes a dialog although its `cancel` event was prevented.
            let _ = dialog.show_modal();
        }
    };
    view! {
        <dialog
            class="ask"
            part=part
            aria-labelledby=heading
            node_ref=dialog
            on:cancel=on_cancel
            on:close=on_close
        >
            {children()}
        </dialog>
    }
    .into_any()
}

/// Directive: focuses the element when it is shown. (`autofocus` works only if the element is there
/// before the dialog opens.)
pub(super) fn initial_focus(element: Element) {
    Effect::new(move || focus(&element));
}

/// The button that closes a dialog. It has the focus when the dialog opens.
#[component]
pub(super) fn CloseButton(
    /// How the element's own stylesheet styles it.
    class: &'static str,
    event: Event,
) -> AnyView {
    view! {
        <div class="buttons">
            <ActionButton
                class=class
                part="close"
                text=Text::Close
                event=event
                attr:autofocus=""
                use:initial_focus
            />
        </div>
    }
    .into_any()
}
