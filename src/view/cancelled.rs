//! After a cancellation.

use leptos::prelude::*;
use tender_core::{Event, State};

use super::{focus, icon};
use crate::driver::Driver;
use crate::text::{Text, say};

pub(super) fn cancelled(driver: Driver) -> impl IntoView {
    let invoice = driver.with(|state| match state {
        State::Cancelled(_, payment) => payment.invoice_number.clone(),
        _ => None,
    });
    view! {
        <div class="notice" part="notice">
            <div class="ended" role="status">
                {icon::check()}
                <h2 tabindex="-1" node_ref=focus::successor()>{say(Text::Cancelled)}</h2>
                {invoice.map(|invoice| view! { <p>{say(Text::Invoice)}" "{invoice}</p> })}
                <p class="hint">{say(Text::CancelledHint)}</p>
            </div>
            <button type="button" class="primary" on:click=move |_| driver.dispatch(Event::Reset)>
                {say(Text::StartAgain)}
            </button>
        </div>
    }
}
