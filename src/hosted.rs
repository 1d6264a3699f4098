//! What differs on the payment page that the proxy renders for browsers without JavaScript: buttons are links, or submit a
//! form.

use leptos::prelude::*;
use tender_checkout_core::Event;
use tender_element::i18n::use_i18n;

use crate::text::Text;

/// The page that is rendered. Components find it by [`hosted`].
#[derive(Clone, Debug)]
pub(crate) struct Hosted {
    /// The address of the payment, with a query. The parameter `view` is appended to it.
    pub(crate) address: String,
    /// The transaction hash as the buyer has entered it; `None` unless the page is for entering it.
    pub(crate) hash: Option<String>,
}

/// The page that is rendered for a browser without JavaScript; `None` in the live element.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn hosted() -> Option<Hosted> {
    use_context()
}

/// There is none in the browser.
#[cfg(target_arch = "wasm32")]
pub(crate) fn hosted() -> Option<Hosted> {
    None
}

/// Separates two texts in browsers without style sheets, such as text browsers. Nothing in the live element.
pub(crate) fn separator() -> Option<&'static str> {
    hosted().map(|_| " ")
}

/// Ends a line in browsers without style sheets. Nothing in the live element.
pub(crate) fn line_break() -> Option<AnyView> {
    hosted().map(|_| view! { <br/> }.into_any())
}

impl Hosted {
    /// The address of a view of the payment: `cancel`, `choose` or `sent`.
    pub(crate) fn view(&self, view: &str) -> String {
        format!("{}&view={view}", self.address)
    }

    /// What takes the place of a button that dispatches an event: a link where the event changes only what is shown,
    /// otherwise a button that submits the form around it.
    pub(crate) fn control(
        &self,
        text: Text,
        event: &Event,
        class: &'static str,
        part: Option<&'static str>,
    ) -> AnyView {
        let i18n = use_i18n();
        let address = match event {
            Event::CancelRequested => self.view("cancel"),
            Event::ChangeRequested | Event::Reset => self.view("choose"),
            Event::CancelDismissed | Event::Resumed => self.address.clone(),
            _ => {
                let action = match event {
                    Event::CancelConfirmed => "cancel",
                    Event::Retried => "retry",
                    _ => "back",
                };
                return view! {
                    <button type="submit" name="action" value=action class=class part=part>{i18n.t(text)}</button>
                }
                .into_any();
            }
        };
        view! { <a class=class part=part href=address>{i18n.t(text)}</a> {separator()} }.into_any()
    }
}
