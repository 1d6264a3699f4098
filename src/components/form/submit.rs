//! The submit button, and the sentence above it: what happens next, or what is missing.

use leptos::prelude::*;
use tender_checkout_core::{Choice, FormProblem};
use tender_element::components::{DynamicText, dynamic_text, first_text};
use tender_element::focus::restore_focus;
use tender_element::i18n::{I18n, use_i18n};

use super::total::{Price, price};
use super::{prevented, problem, problem_text, submit};
use crate::components::controls::{announced, focus_when};
use crate::driver::{Driver, use_driver};
use crate::hosted::hosted_page;
use crate::inline::inline_form;
use crate::text::Text;

/// Why the form was not submitted, or else a hint about what happens next.
#[component]
pub(super) fn SubmitNote() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let prevented = driver.memo(|driver| prevented(driver, is_own));
    let problem = Signal::derive(move || {
        let problem = problem(driver).map(problem_text);
        problem.map(|text| i18n.t(text)).unwrap_or_default()
    });
    let hint = Signal::derive(move || hint(driver, i18n));
    view! {
        <div>
            {move || if let Some(submit) = prevented.get() {
                let problem = view! { <p class="note problem" role="alert"><DynamicText text=problem/></p> };
                announced(submit, problem.into_any())
            } else {
                view! { <p class="note hint"><DynamicText text=hint/></p> }.into_any()
            }}
        </div>
    }
    .into_any()
}

/// Whether a problem is not of a field, as those are shown beside the field.
fn is_own(problem: FormProblem) -> bool {
    match problem {
        FormProblem::NoToken | FormProblem::OpenPayment | FormProblem::LookUpFailed => true,
        FormProblem::AmountMissing
        | FormProblem::AmountInvalid
        | FormProblem::EmailMissing
        | FormProblem::EmailInvalid
        | FormProblem::NameMissing => false,
    }
}

#[component]
pub(super) fn SubmitButton() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let is_busy = driver.memo(Driver::is_submitting);
    let busy = Memo::new(move |_| is_busy.get().then_some(0));
    let text = Signal::derive(move || label(driver, i18n));
    view! {
        <button type="submit" class="primary" part="submit" class:busy=move || is_busy.get()
            // What the loader shows if it is pressed before the module is there.
            data-busy=move || i18n.t(Text::Creating)
            aria-disabled=move || is_busy.get().then_some("true")
            // The radio button in which Enter was pressed loses the focus, because it is disabled now.
            use:restore_focus use:focus_when=busy
            // In a frame that is sandboxed without `allow-forms`, the browser submits no form, so the click handler does it.
            // The Enter key in a field also clicks the button.
            on:click=submit(driver)>
            <span aria-live="polite" use:dynamic_text=text>{first_text(&text.get_untracked())}</span>
        </button>
    }
    .into_any()
}

/// The chosen token, for the texts that name it. `None` in HTML of the proxy, which does not change when the buyer chooses
/// another token.
fn shown_choice(driver: Driver) -> Option<Choice> {
    if hosted_page().is_some() || inline_form().is_some() {
        return None;
    }
    driver.with(|state| state.chosen().cloned())
}

/// Whether the buyer chose the token that the order is priced in, so that nothing is converted.
fn pays_in_price_token(driver: Driver) -> bool {
    let code = driver.with_config(|config| config.order.claims().token.clone());
    driver.with(|state| state.context.form.payment_token.as_ref() == Some(&code))
}

fn label(driver: Driver, i18n: I18n) -> String {
    if driver.is_submitting() {
        return i18n.t(Text::Creating);
    }
    let Some(chosen) = shown_choice(driver) else {
        return i18n.t(Text::Pay);
    };
    let price = price(driver).filter(|_| pays_in_price_token(driver));
    let text = match (&price, chosen.is_named_as_its_network()) {
        (Some(_), true) => Text::PayAmount,
        (Some(_), false) => Text::PayAmountOn,
        (None, true) => Text::PayIn,
        (None, false) => Text::PayInOn,
    };
    let (amount, symbol) = match price {
        Some(Price { amount, symbol }) => (amount, symbol),
        None => (String::new(), chosen.symbol.clone()),
    };
    let values = [
        ("amount", amount.as_str()),
        ("symbol", &symbol),
        ("network", &chosen.network_and_standard()),
    ];
    i18n.format(text, &values)
}

fn hint(driver: Driver, i18n: I18n) -> String {
    let Some(chosen) = shown_choice(driver) else {
        return i18n.t(Text::ChooseFirst);
    };
    let other = ("other", chosen.symbol.as_str());
    let network = chosen.network_and_standard();
    let network = ("network", network.as_str());
    match price(driver) {
        Some(Price { amount, symbol })
            if !pays_in_price_token(driver) && symbol != chosen.symbol =>
        {
            let price = [("amount", &*amount), ("symbol", &*symbol), other, network];
            i18n.format(Text::PayEquivalent, &price)
        }
        _ => i18n.format(Text::PaySame, &[other, network]),
    }
}
