//! What the buyer sees.

use leptos::prelude::*;
use tender_element::components::LocaleRoot;

/// The checkout.
#[component]
pub(crate) fn Checkout() -> AnyView {
    view! { <LocaleRoot>{()}</LocaleRoot> }.into_any()
}
