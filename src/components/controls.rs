//! Controls that several views use.

use leptos::prelude::*;
use tender_element::components::{DynamicText, WarningIcon};
use tender_element::focus::{self, restore_focus};
use tender_element::i18n::use_i18n;
use web_sys::Element;

use crate::driver::use_driver;
use crate::hosted::hosted_page;
use crate::press::Press;
use crate::text::Text;

/// A button.
#[component]
pub(super) fn ActionButton(
    text: Text,
    press: Press,
    class: &'static str,
    #[prop(optional)] part: Option<&'static str>,
    /// Whether the button takes the focus if the focused control was removed.
    #[prop(optional)]
    takes_focus: bool,
) -> AnyView {
    if let Some(hosted) = hosted_page() {
        return hosted.control(text, press, class, part);
    }
    let driver = use_driver();
    let i18n = use_i18n();
    view! {
        <button type="button" class=class part=part use:restore_focus_if=takes_focus
            on:click=move |_| driver.dispatch(press)>
            {move || i18n.t(text)}
        </button>
    }
    .into_any()
}

/// A button that repeats what failed.
#[component]
pub(super) fn RetryButton(#[prop(default = "primary")] class: &'static str) -> AnyView {
    view! {
        <ActionButton class part="retry" text=Text::TryAgain press=Press::Retry takes_focus=true/>
    }
    .into_any()
}

/// That the cancellation was sent.
#[component]
pub(super) fn CancelProgress() -> AnyView {
    let i18n = use_i18n();
    view! {
        <p role="status" tabindex="-1" use:restore_focus>{move || i18n.t(Text::CancelSending)}</p>
    }
    .into_any()
}

/// A warning that keeps the buyer from losing money.
#[component]
pub(super) fn Caution(
    #[prop(into)] text: Signal<String>,
    #[prop(optional)] role: Option<&'static str>,
    /// Whether it has a border, because it must be read before something else on the page.
    #[prop(optional)]
    is_boxed: bool,
) -> AnyView {
    view! { <p class="caution" class:boxed=is_boxed role=role><WarningIcon/><DynamicText text/></p> }.into_any()
}

/// An alert. Each number makes a new element, because screen readers announce an alert when it is added to the page.
pub(super) fn announced(number: u32, alert: AnyView) -> AnyView {
    if number.is_multiple_of(2) {
        alert
    } else {
        // Of another type, so that the elements are not used again.
        (alert, ()).into_any()
    }
}

/// Directive: [`restore_focus`] if `is_wanted`.
pub(super) fn restore_focus_if(element: Element, is_wanted: bool) {
    if is_wanted {
        restore_focus(element, ());
    }
}

/// Directive: focuses the element each time that `wanted` changes and is not `None`.
pub(super) fn focus_when(element: Element, wanted: Memo<Option<u32>>) {
    Effect::new(move |_| {
        if wanted.get().is_some() {
            focus::focus(&element);
        }
    });
}
