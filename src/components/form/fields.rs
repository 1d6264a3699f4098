//! Text fields: the amount if the payer chooses it, an e-mail address, a name.

use leptos::prelude::*;
use tender_checkout_core::{BuyerField as Presence, Edit, Form, FormProblem};
use tender_element::components::DynamicText;
use tender_element::i18n::use_i18n;
use tender_element::number;
use wasm_bindgen::JsCast as _;
use web_sys::{Element, HtmlInputElement};

use super::{choosing, prevented, problem, problem_text};
use crate::components::controls::{announced, focus_when};
use crate::driver::{Driver, use_driver};
use crate::hosted::hosted_page;
use crate::inline::inline_form;
use crate::text::Text;

/// The properties of one text field.
#[derive(Clone, Copy)]
struct Field {
    id: &'static str,
    problem_id: &'static str,
    kind: &'static str,
    input_mode: &'static str,
    autocomplete: &'static str,
    /// Reads the initial value.
    value: fn(&Form) -> &str,
    /// The event of a changed value.
    typed: fn(String) -> Edit,
    /// The problems that make this field invalid.
    problems: &'static [FormProblem],
}

const AMOUNT: Field = Field {
    id: "amount",
    problem_id: "amount-problem",
    kind: "text",
    input_mode: "decimal",
    autocomplete: "transaction-amount",
    value: |form| &form.amount,
    typed: Edit::Amount,
    problems: &[FormProblem::AmountMissing, FormProblem::AmountInvalid],
};

const EMAIL: Field = Field {
    id: "email",
    problem_id: "email-problem",
    kind: "email",
    input_mode: "email",
    autocomplete: "email",
    value: |form| &form.email,
    typed: Edit::Email,
    problems: &[FormProblem::EmailMissing, FormProblem::EmailInvalid],
};

const NAME: Field = Field {
    id: "name",
    problem_id: "name-problem",
    kind: "text",
    input_mode: "text",
    autocomplete: "name",
    value: |form| &form.name,
    typed: Edit::Name,
    problems: &[FormProblem::NameMissing],
};

/// The field for the amount.
#[component]
pub(super) fn AmountField() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let label = Signal::derive(move || {
        let symbol = choosing(driver, |choosing| choosing.price_symbol.clone()).unwrap_or_default();
        i18n.format(Text::AmountIn, &[("symbol", &symbol)])
    });
    view! { <TextField field=AMOUNT label presence=Presence::Required/> }.into_any()
}

/// The fields that the shop asks of the buyer.
#[component]
pub(super) fn BuyerFields() -> AnyView {
    let driver = use_driver();
    let email = driver.memo(|driver| driver.with_config(|config| config.ask_email));
    let name = driver.memo(|driver| driver.with_config(|config| config.ask_name));
    view! {
        <BuyerField field=EMAIL label=Text::Email presence=email/>
        <BuyerField field=NAME label=Text::Name presence=name/>
    }
    .into_any()
}

/// A field, as long as the shop asks for it.
#[component]
fn BuyerField(field: Field, label: Text, presence: Memo<Presence>) -> AnyView {
    let i18n = use_i18n();
    let is_asked = Memo::new(move |_| presence.get() != Presence::Hidden);
    view! {
        {move || is_asked.get().then(|| view! {
            <TextField field label=i18n.signal(label) presence/>
        }.into_any())}
    }
    .into_any()
}

#[component]
fn TextField(
    field: Field,
    label: Signal<String>,
    /// Whether it must be filled in.
    #[prop(into)]
    presence: Signal<Presence>,
) -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    // What the buyer types is in the field already; only changed attributes fill in something else.
    let value = Memo::new(move |_| {
        driver.with_config(|_| ());
        untrack(|| value_of(driver, field))
    });
    let is_hosted = hosted_page().is_some();
    // What the buyer types is not sent to another page, whose address it would be part of.
    let name = inline_form().is_none().then_some(field.id);
    let invalid =
        Memo::new(move |_| prevented(driver, |problem| field.problems.contains(&problem)));
    let is_invalid = move || invalid.get().is_some();
    let problem_text = Signal::derive(move || {
        let text = problem(driver).map(problem_text);
        let values = [("example", &*example(&driver.locale()))];
        text.map(|text| i18n.format(text, &values))
            .unwrap_or_default()
    });
    let optional = move || {
        (presence.get() == Presence::Optional).then(|| {
            view! { " "<span class="optional">{move || i18n.t(Text::Optional)}</span> }.into_any()
        })
    };
    view! {
        <div class="field" part="field">
            <label for=field.id><span>{move || label.get()}</span>{optional}</label>
            <input id=field.id name=name type=field.kind inputmode=field.input_mode autocomplete=field.autocomplete
                // The attribute is for a view that is rendered as HTML.
                value=value.get_untracked() prop:value=move || value.get() spellcheck="false" autocapitalize="off"
                readonly=move || !is_hosted && driver.is_submitting()
                aria-required=move || (presence.get() == Presence::Required).then_some("true")
                aria-invalid=move || is_invalid().then_some("true")
                aria-describedby=move || is_invalid().then_some(field.problem_id)
                use:focus_when=invalid
                on:input=move |event| driver.dispatch((field.typed)(event_target_value(&event)))/>
            {move || invalid.get().map(|submit| announced(submit, view! {
                <p class="problem" role="alert" id=field.problem_id><DynamicText text=problem_text/></p>
            }.into_any()))}
        </div>
    }
    .into_any()
}

/// Reads the fields of `form`: a browser or a password manager may have filled them without an event.
pub(super) fn read(driver: Driver, form: &Element) {
    for field in [AMOUNT, EMAIL, NAME] {
        let input = form.query_selector(&format!("#{}", field.id));
        let input = input.ok().flatten().and_then(|it| it.dyn_into().ok());
        let value = input.map(|input: HtmlInputElement| input.value());
        let known = value_of(driver, field);
        if let Some(value) = value.filter(|value| *value != known) {
            driver.dispatch((field.typed)(value));
        }
    }
}

fn value_of(driver: Driver, field: Field) -> String {
    driver.with(|state| (field.value)(&state.context.form).to_owned())
}

/// An amount as the buyer writes it.
fn example(locale: &str) -> String {
    let amount = "12.50".parse();
    let amount = amount.map(|amount| number::format(&amount, 0, locale));
    amount.unwrap_or_default()
}
