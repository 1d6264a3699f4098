//! A cancelled payment.

use leptos::prelude::*;
use tender_checkout_core::{Event, State};
use tender_element::components::CheckIcon;
use tender_element::focus::restore_focus;
use tender_element::i18n::use_i18n;

use super::controls::ActionButton;
use crate::driver::use_driver;
use crate::text::Text;

#[component]
pub(super) fn CancelledNotice() -> AnyView {
    let i18n = use_i18n();
    let driver = use_driver();
    let invoice = untrack(|| {
        driver.with(|state| match state {
            State::Cancelled(_, payment) => payment.invoice_number.clone(),
            _ => None,
        })
    });
    view! {
        <div class="notice" part="notice">
            <div class="ended" role="status">
                <CheckIcon/>
                <h2 tabindex="-1" use:restore_focus>{move || i18n.t(Text::Cancelled)}</h2>
                {invoice.map(|invoice| view! {
                    <p>{move || i18n.t(Text::Invoice)}" "<bdi translate="no">{invoice}</bdi></p>
                })}
                <p class="hint">{move || i18n.t(Text::CancelledHint)}</p>
            </div>
            <ActionButton class="primary" text=Text::StartAgain event=Event::Reset/>
        </div>
    }
    .into_any()
}
