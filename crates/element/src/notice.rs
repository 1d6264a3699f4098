//! Failures, in a plain sentence.

use leptos::prelude::*;

use crate::icon;

/// A failure, said at once.
#[must_use]
pub fn alert(title: String, sentence: String) -> impl IntoView {
    view! {
        <div class="alert" role="alert" part="alert">
            {icon::warning()}
            <div>
                <strong>{title}</strong>
                <p>{sentence}</p>
            </div>
        </div>
    }
}
