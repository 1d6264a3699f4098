//! A button that copies one value.

use leptos::prelude::*;
use leptos::task::spawn_local_scoped_with_cancellation;
use wasm_bindgen_futures::JsFuture;

use crate::icon;

/// Where a copy stands; it is said aloud politely.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Copy {
    Idle,
    Done,
    /// The browser refused: the value stands there as text, to be selected.
    Failed,
}

/// What is said of a copy.
#[derive(Clone)]
pub struct Said {
    /// It is in the clipboard.
    pub copied: String,
    /// The browser refused.
    pub failed: String,
}

/// `label` names what is copied; `value` is what the clipboard gets, digit for digit.
#[must_use]
pub fn copy_button(label: String, value: String, said: Said) -> impl IntoView {
    let copy = RwSignal::new(Copy::Idle);
    let owner = Owner::current().unwrap_or_default();
    let on_click = move |_| {
        let value = value.clone();
        owner.with(|| {
            spawn_local_scoped_with_cancellation(async move {
                copy.set(write(&value).await);
            });
        });
    };
    let said = move || match copy.get() {
        Copy::Idle => String::new(),
        Copy::Done => said.copied.clone(),
        Copy::Failed => said.failed.clone(),
    };
    let is_done = move || copy.get() == Copy::Done;
    view! {
        <span class="copy">
            <button type="button" part="copy" aria-label=label on:click=on_click class:done=is_done>
                {move || if is_done() { icon::check().into_any() } else { icon::copy().into_any() }}
            </button>
            <span class="said" role="status">{said}</span>
        </span>
    }
}

async fn write(value: &str) -> Copy {
    // The clipboard is missing outside secure contexts, whatever the types say.
    let clipboard = window().navigator().clipboard();
    if clipboard.is_undefined() {
        return Copy::Failed;
    }
    match JsFuture::from(clipboard.write_text(value)).await {
        Ok(_) => Copy::Done,
        Err(_) => Copy::Failed,
    }
}
