//! What the buyer types: an amount where the payer chooses it, an e-mail address, a name.

use leptos::prelude::*;
use tender_core::{Ask, Choosing, Event, FormProblem, State};

use super::form::choosing;
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
pub(super) fn amount(driver: Driver, problem: Memo<Option<FormProblem>>) -> impl IntoView {
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
    input(driver, field, problem)
}

/// The fields for what the shop asks of the buyer.
pub(super) fn buyer(driver: Driver, problem: Memo<Option<FormProblem>>) -> impl IntoView {
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
    shown
        .map(|field| input(driver, field, problem))
        .collect::<Vec<_>>()
}

fn input(driver: Driver, field: Field, problem: Memo<Option<FormProblem>>) -> impl IntoView {
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
    let is_wrong = move || {
        problem
            .get()
            .is_some_and(|problem| problems.contains(&problem))
    };
    let is_fixed = move || driver.with(|state| !matches!(state, State::Choosing(_)));
    let is_required = (ask == Ask::Required).then_some("true");
    let node = NodeRef::<leptos::html::Input>::new();
    Effect::new(move || {
        if let (true, Some(input)) = (is_wrong(), node.get()) {
            // Where the focus can't go, the alert has said it all the same.
            let _ = input.focus();
        }
    });
    view! {
        <div class="field" part="field">
            <label for=id>
                {label}
                {(ask == Ask::Optional).then(|| view! {
                    " "<span class="optional">{say(Text::Optional)}</span>
                })}
            </label>
            <input id=id type=kind inputmode=input_mode autocomplete=autocomplete value=value
                node_ref=node spellcheck="false" autocapitalize="off"
                readonly=is_fixed aria-required=is_required
                aria-invalid=move || is_wrong().then_some("true")
                on:input=move |event| driver.dispatch(typed(event_target_value(&event)))/>
        </div>
    }
}
