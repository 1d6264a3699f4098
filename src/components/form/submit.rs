//! The submit button, and the sentence above it: what happens next, or what is missing.

use leptos::ev::MouseEvent;
use leptos::prelude::*;
use tender_checkout_core::FormProblem;
use tender_element::components::{DynamicText, dynamic_text};
use tender_element::focus::restore_focus;
use tender_element::i18n::{I18n, use_i18n};

use super::order::{Chosen, Price, chosen_token, pays_in_price_token, price};
use super::{problem, problem_text};
use crate::components::controls::focus_when;
use crate::driver::{Driver, use_driver};
use crate::hosted::hosted_page;
use crate::inline::inline_form;
use crate::text::Text;

/// Why the form was not submitted, or else a hint about what happens next.
#[component]
pub(super) fn SubmitNote() -> AnyView {
    let driver = use_driver();
    let has_problem = driver.memo(|driver| own_problem(driver).is_some());
    view! {
        <div>
            {move || has_problem.get().then(|| view! { <SubmitProblem/> })}
            {move || (!has_problem.get()).then(|| view! { <SubmitHint/> })}
        </div>
    }
    .into_any()
}

/// A problem that is not of a field, as those are shown beside the field.
fn own_problem(driver: Driver) -> Option<FormProblem> {
    problem(driver).filter(|problem| match problem {
        FormProblem::NoToken | FormProblem::OpenPayment | FormProblem::LookUpFailed => true,
        FormProblem::AmountMissing
        | FormProblem::AmountInvalid
        | FormProblem::EmailMissing
        | FormProblem::EmailInvalid
        | FormProblem::NameMissing => false,
    })
}

#[component]
fn SubmitProblem() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let text = Signal::derive(move || {
        let problem = own_problem(driver).map(problem_text);
        problem.map(|text| i18n.t(text)).unwrap_or_default()
    });
    view! { <p class="note problem" role="alert"><DynamicText text/></p> }.into_any()
}

/// The equivalent of the price in the chosen token, before the buyer submits.
#[component]
fn SubmitHint() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let text = Signal::derive(move || hint(driver, i18n));
    view! { <p class="note hint"><DynamicText text/></p> }.into_any()
}

#[component]
pub(super) fn SubmitButton() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let is_busy = driver.memo(Driver::is_submitting);
    let text = Signal::derive(move || label(driver, i18n));
    // In a frame that is sandboxed without `allow-forms`, the browser submits no form, so the click handler does it.
    // The Enter key in a field also clicks the button.
    let on_click = move |event: MouseEvent| {
        event.prevent_default();
        driver.submit();
    };
    view! {
        <button type="submit" class="primary" part="submit" class:busy=move || is_busy.get()
            // What the loader shows if it is pressed before the module is there.
            data-busy=move || i18n.t(Text::Creating)
            aria-disabled=move || is_busy.get().then_some("true")
            // The radio button in which Enter was pressed loses the focus, because it is disabled now.
            use:restore_focus use:focus_when=is_busy
            on:click=on_click>
            <span aria-live="polite" use:dynamic_text=text>{text.get_untracked()}</span>
        </button>
    }
    .into_any()
}

/// The chosen token, for the texts that name it. `None` in HTML of the proxy, which does not change when the buyer chooses
/// another token.
fn shown_choice(driver: Driver) -> Option<Chosen> {
    if hosted_page().is_some() || inline_form().is_some() {
        return None;
    }
    chosen_token(driver)
}

fn label(driver: Driver, i18n: I18n) -> String {
    if driver.is_submitting() {
        return i18n.t(Text::Creating);
    }
    let Some(chosen) = shown_choice(driver) else {
        return i18n.t(Text::Pay);
    };
    let price = price(driver).filter(|_| pays_in_price_token(driver));
    let text = match (&price, chosen.is_named_as_its_network) {
        (Some(_), true) => Text::PayAmount,
        (Some(_), false) => Text::PayAmountOn,
        (None, true) => Text::PayIn,
        (None, false) => Text::PayInOn,
    };
    let (amount, symbol) = match price {
        Some(Price { amount, symbol }) => (amount, symbol),
        None => (String::new(), chosen.symbol),
    };
    let values = [
        ("amount", amount.as_str()),
        ("symbol", &symbol),
        ("network", &chosen.network),
    ];
    i18n.format(text, &values)
}

fn hint(driver: Driver, i18n: I18n) -> String {
    let Some(Chosen {
        symbol: other,
        network,
        ..
    }) = shown_choice(driver)
    else {
        return i18n.t(Text::ChooseFirst);
    };
    let chosen = [("other", other.as_str()), ("network", network.as_str())];
    match price(driver) {
        Some(Price { amount, symbol }) if !pays_in_price_token(driver) && symbol != other => {
            let [other, network] = chosen;
            let price = [
                ("amount", amount.as_str()),
                ("symbol", symbol.as_str()),
                other,
                network,
            ];
            i18n.format(Text::PayEquivalent, &price)
        }
        _ => i18n.format(Text::PaySame, &chosen),
    }
}
