//! What the buyer types: an amount where the payer chooses it, an e-mail address, a name.

use leptos::prelude::event_target_value;
use tender_checkout_core::{Ask, Choosing, Event, FormProblem};
use tender_element::dom::{El, el};
use tender_element::focus;

use super::form::{choosing, problem};
use crate::driver::Driver;
use crate::text::{Text, fill, say};

/// What makes one field differ from another.
struct Field {
    id: &'static str,
    label: String,
    ask: Ask,
    kind: &'static str,
    input_mode: &'static str,
    autocomplete: &'static str,
    value: String,
    typed: fn(String) -> Event,
    problems: &'static [FormProblem],
}

/// The field for the amount, where the payer chooses it.
pub(super) fn amount(driver: Driver) -> El {
    let read = |choosing: &Choosing| (choosing.price_symbol.clone(), choosing.form.amount.clone());
    let (symbol, value) = choosing(driver, read).unwrap_or_default();
    let field = Field {
        id: "amount",
        label: fill(Text::AmountIn, &[("symbol", &symbol)]),
        ask: Ask::Required,
        kind: "text",
        input_mode: "decimal",
        autocomplete: "transaction-amount",
        value,
        typed: Event::AmountTyped,
        problems: &[FormProblem::AmountMissing, FormProblem::AmountInvalid],
    };
    input(driver, field)
}

/// The fields for what the shop asks of the buyer.
pub(super) fn buyer(driver: Driver) -> impl Iterator<Item = El> {
    let (ask_email, ask_name) = driver.with_config(|config| (config.ask_email, config.ask_name));
    let form = choosing(driver, |choosing| choosing.form.clone()).unwrap_or_default();
    let fields = [
        Field {
            id: "email",
            label: say(Text::Email),
            ask: ask_email,
            kind: "email",
            input_mode: "email",
            autocomplete: "email",
            value: form.email,
            typed: Event::EmailTyped,
            problems: &[FormProblem::EmailMissing, FormProblem::EmailInvalid],
        },
        Field {
            id: "name",
            label: say(Text::Name),
            ask: ask_name,
            kind: "text",
            input_mode: "text",
            autocomplete: "name",
            value: form.name,
            typed: Event::NameTyped,
            problems: &[FormProblem::NameMissing],
        },
    ];
    let shown = fields.into_iter().filter(|field| field.ask != Ask::No);
    shown.map(move |field| input(driver, field))
}

fn input(driver: Driver, field: Field) -> El {
    let Field {
        id,
        label,
        ask,
        kind,
        input_mode,
        autocomplete,
        value,
        typed,
        problems,
    } = field;
    let is_wrong = move || problem(driver).is_some_and(|problem| problems.contains(&problem));
    let is_fixed = move || !driver.is_choosing();
    let is_required = ask == Ask::Required;
    let optional =
        (ask == Ask::Optional).then(|| el("span").class("optional").text(&say(Text::Optional)));
    let label = el("label").attr("for", id).text(&label);
    let label = match optional {
        Some(optional) => label.text(" ").child(optional),
        None => label,
    };
    let input = el("input")
        .attr("id", id)
        .attr("type", kind)
        .attr("inputmode", input_mode)
        .attr("autocomplete", autocomplete)
        .attr("value", &value)
        .attr("spellcheck", "false")
        .attr("autocapitalize", "off")
        .attr_while(is_fixed, "readonly", "")
        .attr_while(move || is_required, "aria-required", "true")
        .attr_while(is_wrong, "aria-invalid", "true")
        .live(move |input| {
            if is_wrong() {
                focus::give_to(input);
            }
        })
        .on("input", move |event| {
            driver.dispatch(typed(event_target_value(&event)));
        });
    el("div")
        .class("field")
        .part("field")
        .child(label)
        .child(input)
}
