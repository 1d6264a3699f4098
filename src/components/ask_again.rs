//! A button whose press risks something, so that one more question comes first.

use leptos::prelude::*;
use tender_element::focus::scroll_into_view;
use tender_element::i18n::use_i18n;

use super::controls::restore_focus_if;
use crate::hosted::{ASKED, FormAction, HostedPage, separator};
use crate::text::Text;

/// What the button and the question say.
#[derive(Clone, Copy)]
pub(super) struct Question {
    /// The button.
    pub(super) button: Text,
    /// What it risks.
    pub(super) risk: Text,
    /// The safe answer.
    pub(super) no: Text,
    /// The answer that acts.
    pub(super) yes: Text,
}

#[component]
pub(super) fn AskAgain(question: Question, part: &'static str, act: Callback<()>) -> AnyView {
    let i18n = use_i18n();
    let asks = RwSignal::new(false);
    view! {
        {move || if asks.get() {
            view! {
                <div class="question" use:scroll_into_view>
                    <p role="alert">{move || i18n.t(question.risk)}</p>
                    <div class="buttons">
                        // The safe choice takes the focus.
                        <button type="button" class="primary" use:restore_focus_if=true on:click=move |_| asks.set(false)>
                            {move || i18n.t(question.no)}
                        </button>
                        <button type="button" class="danger" on:click=move |_| act.run(())>
                            {move || i18n.t(question.yes)}
                        </button>
                    </div>
                </div>
            }
            .into_any()
        } else {
            view! {
                <button type="button" class="link" part=part use:restore_focus_if=true on:click=move |_| asks.set(true)>
                    {move || i18n.t(question.button)}
                </button>
            }
            .into_any()
        }}
    }
    .into_any()
}

/// The same on the payment page: a link to the view that asks, and there the question.
#[component]
pub(super) fn HostedAskAgain(question: Question, hosted: HostedPage) -> AnyView {
    let i18n = use_i18n();
    if !hosted.asks_to_remove {
        return view! {
            <a class="link" href=hosted.view("remove")>{i18n.t(question.button)}</a>
            {separator()}
        }
        .into_any();
    }
    view! {
        <form method="post" class="question" id=ASKED>
            <p role="alert">{i18n.t(question.risk)}</p>
            <div class="buttons">
                <a class="primary" href=hosted.address>{i18n.t(question.no)}</a>
                <button class="danger" name="action" value=FormAction::Remove.as_str()>{i18n.t(question.yes)}</button>
            </div>
        </form>
    }
    .into_any()
}
