//! The door: a merchant key.

use tender_element_legacy::dom::{El, el};
use tender_element_legacy::speech::say;
use tender_payments_core::text::Text;
use tender_payments_core::{Event, KeyPrompt, State};
use wasm_bindgen::JsCast;
use web_sys::HtmlInputElement;

use crate::driver::Driver;

pub(super) fn entry(driver: Driver) -> El {
    let problem = move || {
        driver.with(|state| match state {
            State::KeyRequired(KeyPrompt::Rejected) => Some(Text::KeyRefused),
            State::KeyRequired(KeyPrompt::Invalid) => Some(Text::KeyUnfit),
            _ => None,
        })
    };
    let input = el("input")
        .attr("id", "key")
        .attr("type", "password")
        .attr("autocomplete", "off")
        .attr("spellcheck", "false")
        .attr("autocapitalize", "off")
        .attr("aria-required", "true")
        .attr("aria-describedby", "key-hint")
        .attr_while(move || problem().is_some(), "aria-invalid", "true")
        .successor();
    let typed_in: HtmlInputElement = input.element().clone().unchecked_into();
    let hint = el("p").class("hint").attr("id", "key-hint");
    let field = el("div")
        .class("field")
        .part("field")
        .child(el("label").attr("for", "key").text(&say(Text::KeyTitle)))
        .child(input)
        .child(hint.text(&say(Text::KeyHint)));
    let submit = el("button")
        .attr("type", "submit")
        .class("primary")
        .part("submit")
        .text(&say(Text::KeyOpen));
    el("form")
        .class("entry")
        .part("entry")
        .attr("novalidate", "")
        .attr("autocomplete", "off")
        .on("submit", move |event| {
            event.prevent_default();
            // What is typed is read once and stays in no attribute.
            let typed = typed_in.value();
            typed_in.set_value("");
            driver.dispatch(Event::KeySubmitted(typed));
        })
        .child(el("h2").text(&say(Text::Payments)))
        .child(field)
        .live_children(problem, |problem| {
            let problem = problem.as_ref();
            problem.map(|text| {
                el("p")
                    .class("problem")
                    .attr("role", "alert")
                    .text(&say(*text))
            })
        })
        .child(submit)
}
