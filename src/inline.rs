//! The form in the HTML of a shop's page, inside a declarative shadow root. Until the loader is there it works as a form of
//! HTML, which leads to the payment page.

use leptos::prelude::*;

/// Where the form leads, and what it sends besides the chosen token. Components find it by [`inline_form`].
#[derive(Clone, Debug)]
pub struct InlineForm {
    /// The address of the payment page.
    pub action: String,
    /// Names and values: the order, and the attributes that the payment page knows. Nothing that the buyer types.
    pub fields: Vec<(&'static str, String)>,
}

/// The form that is rendered for a shop's page; `None` in the live element.
pub(crate) fn inline_form() -> Option<InlineForm> {
    if cfg!(target_arch = "wasm32") {
        None
    } else {
        use_context()
    }
}

impl InlineForm {
    /// The form around its content. It leads to the payment page by a navigation of the whole page, with `GET`, so that it
    /// can't be a write of another site.
    pub(crate) fn view(self, content: AnyView) -> AnyView {
        let fields = self.fields.into_iter();
        let fields =
            fields.map(|(name, value)| view! { <input type="hidden" name=name value=value/> });
        view! {
            <form class="form" method="get" action=self.action target="_top" novalidate>
                {fields.collect_view()}
                {content}
            </form>
        }
        .into_any()
    }
}
