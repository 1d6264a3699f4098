//! The door: a merchant key.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use tender_element::dom::el;
use tender_element::speech::say;
use tender_merchant::text::Text;
use tender_merchant::{Entry, Event, State};

use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::driver::Driver;

pub(super) fn entry(driver: Driver) -> AnyView {
    let problem = Memo::new(move |_| {
        driver.with(|state| match state {
            State::Locked(Entry::Refused) => Some(Text::KeyRefused),
            State::Locked(Entry::Unfit) => Some(Text::KeyUnfit),
            _ => None,
        })
    });
    let input = el("input")
        .attr("id", "key")
        .attr("type", "password")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("autocapitalize", "off")
        .attr("aria-required", "true")
        .attr("aria-describedby", "key-hint")
        .attr_while(move || problem.get().is_some(), "aria-invalid", "true")
        .successor();
    let typed_in: HtmlInputElement = input.element().clone().unchecked_into();
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        // What is typed is read once and stays in no attribute.
        let typed = typed_in.value();
        typed_in.set_value("");
        driver.dispatch(Event::KeyEntered(typed));
    };
    view! {
        <form class="entry" part="entry" novalidate autocomplete="off" on:submit=on_submit>
            <h2>{say(Text::Payments)}</h2>
            <div class="field" part="field">
                <label for="key">{say(Text::KeyTitle)}</label>
                {input.in_view()}
                <p class="hint" id="key-hint">{say(Text::KeyHint)}</p>
            </div>
            {move || problem.get().map(|text| view! {
                <p class="problem" role="alert">{say(text)}</p>
            })}
            <button type="submit" class="primary" part="submit">{say(Text::KeyOpen)}</button>
        </form>
    }
    .into_any()
}
