//! What differs on the payment page that the proxy renders for browsers without JavaScript: buttons are links, or submit a
//! form.

use leptos::prelude::*;
use tender_element::i18n::use_i18n;

use crate::press::Press;
use crate::text::Text;

/// What a form of the payment page asks for: the value of its submit button, whose name is `action`. The form that creates a
/// payment has no such button.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormAction {
    /// Creates the payment again.
    Retry,
    /// Cancels the payment.
    Cancel,
    /// Stores the transaction hash that was entered.
    EnterHash,
    /// Removes the transaction hash and the mark: nothing was sent.
    Remove,
    /// Marks that money was sent.
    SaySent,
    /// Shows the order's page again.
    Back,
}

impl FormAction {
    /// The value of the button.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Retry => "retry",
            Self::Cancel => "cancel",
            Self::EnterHash => "sent",
            Self::Remove => "remove",
            Self::SaySent => "mark",
            Self::Back => "back",
        }
    }
}

/// The `id` of what a view asks, at which browsers show it: it may be below the screen.
pub(crate) const ASKED: &str = "asked";

/// The page that is rendered. Components find it by [`hosted_page`].
#[derive(Clone, Debug)]
pub(crate) struct HostedPage {
    /// The address of the order, with a query. The parameter `view` is appended to it.
    pub(crate) address: String,
    /// The transaction hash as the buyer has entered it; `None` unless the page is for entering it.
    pub(crate) hash: Option<String>,
    /// Whether the page asks whether to remove the transaction hash, or the mark.
    pub(crate) asks_to_remove: bool,
    /// Whether browsers load the page again while it waits for the payment.
    pub(crate) is_refreshed: bool,
}

/// The page that is rendered for a browser without JavaScript; `None` in the live element.
pub(crate) fn hosted_page() -> Option<HostedPage> {
    if cfg!(target_arch = "wasm32") {
        None
    } else {
        use_context()
    }
}

/// Separates two texts in browsers without style sheets, such as text browsers. Nothing in the live element.
pub(crate) fn separator() -> Option<AnyView> {
    hosted_page().map(|_| " ".into_any())
}

/// Ends a line in browsers without style sheets. Nothing in the live element.
pub(crate) fn line_break() -> Option<AnyView> {
    hosted_page().map(|_| view! { <br/> }.into_any())
}

impl HostedPage {
    /// The address of a view of the order: `cancel`, `choose`, `unsent`, `sent` or `remove`.
    pub(crate) fn view(&self, view: &str) -> String {
        format!("{}&view={view}#{ASKED}", self.address)
    }

    /// What takes the place of a button: a link where a press changes only what is shown, otherwise a button that submits the
    /// form around it.
    pub(crate) fn control(
        &self,
        text: Text,
        press: Press,
        class: &'static str,
        part: Option<&'static str>,
    ) -> AnyView {
        let i18n = use_i18n();
        let link = |href: String| {
            view! { <a class=class part=part href=href>{i18n.t(text)}</a> {separator()} }.into_any()
        };
        let button = |action: FormAction| {
            let action = action.as_str();
            view! { <button type="submit" name="action" value=action class=class part=part>{i18n.t(text)}</button> }
                .into_any()
        };
        match press {
            Press::RequestCancel => link(self.view("cancel")),
            Press::ChangeToken | Press::StartAgain => link(self.view("choose")),
            Press::AnswerSent(false) => link(self.view("unsent")),
            // No wallet is asked on this page.
            Press::DismissCancel | Press::Resume | Press::AbandonWallet => {
                link(self.address.clone())
            }
            Press::ConfirmCancel => button(FormAction::Cancel),
            Press::Retry => button(FormAction::Retry),
            Press::AnswerSent(true) => button(FormAction::SaySent),
            Press::DismissFailure => button(FormAction::Back),
        }
    }
}
