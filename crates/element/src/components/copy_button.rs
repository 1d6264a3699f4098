use gloo_timers::callback::Timeout;
use js_sys::{Promise, Reflect};
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use super::{CheckIcon, CopyIcon, dynamic_text};
use crate::i18n::{TextEntry, use_i18n};

/// How long a button says that its value was copied, in milliseconds.
const SHOWN_FOR: u32 = 2_000;

#[wasm_bindgen]
extern "C" {
    // The clipboard is missing outside secure contexts, and the page can replace it.
    #[wasm_bindgen(catch, js_namespace = ["navigator", "clipboard"], js_name = writeText)]
    fn write_text(text: &str) -> Result<JsValue, JsValue>;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum CopyState {
    Idle,
    Copied,
    /// The value is shown as text, and can be selected.
    Failed,
}

/// The button that was pressed last: only that one shows a result, because the clipboard holds one value. A context of
/// [`LocaleRoot`](super::LocaleRoot).
#[derive(Clone, Copy)]
pub(super) struct LatestCopy {
    copied: TextEntry,
    copy_failed: TextEntry,
    button: StoredValue<Option<RwSignal<CopyState>>>,
    reset: StoredValue<Option<Timeout>, LocalStorage>,
}

impl LatestCopy {
    /// Belongs to the current owner.
    pub(super) fn new(copied: TextEntry, copy_failed: TextEntry) -> Self {
        Self {
            copied,
            copy_failed,
            button: StoredValue::new(None),
            reset: StoredValue::new_local(None),
        }
    }

    /// The button is pressed. Its own earlier result goes as well, so that screen readers announce the next one.
    fn start(self, button: RwSignal<CopyState>) {
        // Dropped outside of the update, because that may run code of the page.
        drop(self.reset.try_update_value(Option::take));
        let earlier = self
            .button
            .try_update_value(|latest| latest.replace(button));
        if let Some(earlier) = earlier.flatten() {
            earlier.try_set(CopyState::Idle);
        }
    }

    /// Shows the result, unless another button was pressed meanwhile or the button is removed.
    fn finish(self, button: RwSignal<CopyState>, result: CopyState) {
        if self.button.try_get_value().flatten() != Some(button) {
            return;
        }
        button.try_set(result);
        let reset = (result == CopyState::Copied).then(|| {
            Timeout::new(SHOWN_FOR, move || {
                button.try_set(CopyState::Idle);
            })
        });
        drop(
            self.reset
                .try_update_value(|timer| std::mem::replace(timer, reset)),
        );
    }
}

/// A button that copies a value to the clipboard, and announces the result to screen readers.
#[component]
pub fn CopyButton(
    /// What is copied, for screen readers.
    #[prop(into)]
    label: Signal<String>,
    /// The text for the clipboard.
    #[prop(into)]
    value: Signal<String>,
    /// A text beside the icon: the label, or its beginning.
    #[prop(optional, into)]
    text: Option<Signal<String>>,
    /// The part of the button, for the page's style sheet.
    #[prop(default = "copy")]
    part: &'static str,
) -> AnyView {
    let i18n = use_i18n();
    let latest: LatestCopy = expect_context();
    let state = RwSignal::new(CopyState::Idle);
    let on_click = move |_| {
        let value = value.get_untracked();
        latest.start(state);
        spawn_local(async move { latest.finish(state, copy(&value).await) });
    };
    let is_copied = Memo::new(move |_| state.get() == CopyState::Copied);
    let is_failed = Memo::new(move |_| state.get() == CopyState::Failed);
    let status = Signal::derive(move || match state.get() {
        CopyState::Idle => String::new(),
        CopyState::Copied => i18n.t(latest.copied),
        CopyState::Failed => i18n.t(latest.copy_failed),
    });
    view! {
        <span class="copy">
            <button
                type="button"
                part=part
                aria-label=move || label.get()
                class:done=move || is_copied.get()
                on:click=on_click
            >
                {move || if is_copied.get() {
                    view! { <CheckIcon/> }
                } else {
                    view! { <CopyIcon/> }
                }}
                {text.map(|text| view! { <span class="copy-text">{move || text.get()}</span> }.into_any())}
            </button>
            // The check mark says to the eye that it was copied; what to do instead is a text.
            <span class="copy-status" class:sr=move || !is_failed.get() role="status" use:dynamic_text=status></span>
        </span>
    }
    .into_any()
}

async fn copy(value: &str) -> CopyState {
    let Ok(promise) = write_text(value) else {
        return CopyState::Failed;
    };
    // If the page has replaced `writeText` by a function that returns no promise, the result is unknown.
    let is_promise = Reflect::get(&promise, &"then".into()).is_ok_and(|then| then.is_function());
    if is_promise && JsFuture::from(Promise::resolve(&promise)).await.is_ok() {
        CopyState::Copied
    } else {
        CopyState::Failed
    }
}
