//! The form: the token choice, the fields for the buyer, and the submit button.

mod failure;
mod fields;
mod open_payment;
mod submit;
mod tokens;
mod total;

use leptos::prelude::*;
use tender_checkout_core::{Choosing, FailureCode, FormProblem, Phase};
use wasm_bindgen::JsCast as _;
use web_sys::{Element, Event};

use self::failure::CreateFailure;
use self::fields::BuyerFields;
use self::open_payment::OpenPayment;
use self::submit::{SubmitButton, SubmitNote};
use self::tokens::TokenPicker;
use self::total::OrderTotal;
use crate::driver::{Driver, use_driver};
use crate::inline::inline_form;
use crate::text::Text;

#[component]
pub(super) fn TokenForm() -> AnyView {
    let driver = use_driver();
    let failure = driver.memo(failure);
    let content = view! {
        <OrderTotal/>
        <OpenPayment/>
        <TokenPicker/>
        <BuyerFields/>
        <div class="actions">
            {move || match failure.get() {
                Some(code) => view! { <CreateFailure code/> }.into_any(),
                None => view! { <SubmitNote/> <SubmitButton/> }.into_any(),
            }}
        </div>
    }
    .into_any();
    match inline_form() {
        Some(inline) => inline.view(content),
        None => view! {
            <form class="form" method="post" novalidate on:submit=submit(driver)>{content}</form>
        }
        .into_any(),
    }
}

/// An event listener that submits the form.
fn submit<E: AsRef<Event>>(driver: Driver) -> impl FnMut(E) + 'static {
    // A function of its own, because this closure is compiled for each type of event.
    move |event| submit_by(driver, event.as_ref())
}

fn submit_by(driver: Driver, event: &Event) {
    event.prevent_default();
    let pressed: Option<Element> = event.target().and_then(|it| it.dyn_into().ok());
    let form = pressed.and_then(|pressed| pressed.closest("form").ok().flatten());
    if let Some(form) = form {
        fields::read(driver, &form);
    }
    driver.submit();
}

/// Reads the tokens of the form, in every phase that shows the form.
fn choosing<T>(driver: Driver, read: impl FnOnce(&Choosing) -> T) -> Option<T> {
    driver.with(|state| state.choosing().map(read))
}

/// The problem that prevents the form from being submitted.
fn problem(driver: Driver) -> Option<FormProblem> {
    choosing(driver, |choosing| choosing.problem).flatten()
}

/// The number of the submit that was prevented by such a problem. What depends on it is shown or focused again with each submit.
fn prevented(driver: Driver, is_wanted: impl FnOnce(FormProblem) -> bool) -> Option<u32> {
    choosing(driver, |choosing| {
        choosing
            .problem
            .filter(|it| is_wanted(*it))
            .map(|_| choosing.submits)
    })
    .flatten()
}

/// The sentence for a problem.
fn problem_text(problem: FormProblem) -> Text {
    match problem {
        FormProblem::AmountMissing => Text::AmountMissing,
        FormProblem::AmountInvalid => Text::AmountInvalid,
        FormProblem::NoToken => Text::ChooseToken,
        FormProblem::EmailMissing => Text::EmailMissing,
        FormProblem::EmailInvalid => Text::EmailInvalid,
        FormProblem::NameMissing => Text::NameMissing,
        FormProblem::OpenPayment => Text::AnswerFirst,
        FormProblem::LookUpFailed => Text::LookUpFailed,
    }
}

/// Why the payment was not created.
fn failure(driver: Driver) -> Option<FailureCode> {
    driver.with(|state| match &state.phase {
        Phase::Failed(_, _, failure) => Some(failure.code),
        _ => None,
    })
}
