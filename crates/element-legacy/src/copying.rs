//! A button that copies one value.

use leptos::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::dom::{El, el};
use crate::{Live, icon, task};

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
pub fn copy_button(label: &str, value: String, said: Said) -> El {
    let copy = Live::new(Copy::Idle);
    let owner = Owner::current().unwrap_or_default();
    let button = el("button")
        .attr("type", "button")
        .part("copy")
        .attr("aria-label", label)
        .class_while(move || copy.get() == Copy::Done, "done")
        .on("click", move |_| {
            let value = value.clone();
            owner.with(|| {
                task::spawn(Box::pin(async move {
                    copy.set(write(&value).await);
                }));
            });
        })
        .live_children(
            move || copy.get() == Copy::Done,
            |is_done| {
                [if *is_done {
                    icon::check()
                } else {
                    icon::copy()
                }]
            },
        );
    let said = el("span")
        .class("said")
        .attr("role", "status")
        .live_text(move || match copy.get() {
            Copy::Idle => String::new(),
            Copy::Done => said.copied.clone(),
            Copy::Failed => said.failed.clone(),
        });
    el("span").class("copy").child(button).child(said)
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
