//! A label with its value, in a list of details.

use leptos::prelude::*;
use tender_element::i18n::use_i18n;

use crate::text::Text;

#[component]
pub(super) fn Detail(label: Text, part: &'static str, children: Children) -> AnyView {
    let i18n = use_i18n();
    view! {
        <div>
            <dt>{move || i18n.t(label)}</dt>
            <dd part=part>{children()}</dd>
        </div>
    }
    .into_any()
}
