//! From the choice of a token to the wish to pay.

use leptos::ev::SubmitEvent;
use leptos::prelude::*;
use tender_core::{Choosing, Config, Event, Failure, FormProblem, State};

use super::{fields, notice, tokens};
use crate::driver::Driver;
use crate::number;
use crate::text::{Text, fill, say};

pub(super) fn form(driver: Driver) -> impl IntoView {
    let on_submit = move |event: SubmitEvent| {
        event.prevent_default();
        driver.submit();
    };
    let problem = Memo::new(move |_| choosing(driver, |choosing| choosing.problem).flatten());
    view! {
        <form class="form" novalidate on:submit=on_submit>
            {price(driver)}
            {tokens::tokens(driver)}
            {fields::fields(driver, problem)}
            <div class="actions">
                {move || conversion(driver).map(|text| view! { <p class="hint">{text}</p> })}
                {move || problem.get().map(|problem| view! {
                    <p class="problem" role="alert">{describe(problem)}</p>
                })}
                {outcome(driver)}
            </div>
        </form>
    }
}

/// Reads what is being chosen, in each state in which the form is shown.
pub(super) fn choosing<T>(driver: Driver, read: impl FnOnce(&Choosing) -> T) -> Option<T> {
    driver.with(|state| match state {
        State::Choosing(choosing)
        | State::Submitting(choosing, _)
        | State::Failed(choosing, ..) => Some(read(choosing)),
        _ => None,
    })
}

/// The symbol of the token that the order is priced in: the listing's, else its code.
pub(super) fn price_symbol(config: &Config, choosing: &Choosing) -> String {
    let code = &config.order.claims().token;
    let listed = choosing.choices.iter().find(|choice| choice.code == *code);
    listed.map_or_else(
        || code.as_str().to_ascii_uppercase(),
        |choice| choice.symbol.clone(),
    )
}

/// The price of the order, grouped, and its symbol; `None` where the payer chooses the amount.
fn priced(driver: Driver) -> Option<(String, String)> {
    let locale = driver.locale();
    driver.with_config(|config| {
        let quantity = config.order.claims().quantity.as_ref();
        let price = quantity.filter(|_| !config.order.payer_chooses())?;
        let symbol = choosing(driver, |choosing| price_symbol(config, choosing))?;
        Some((number::group(price, &locale), symbol))
    })
}

fn price(driver: Driver) -> impl IntoView {
    view! {
        <header class="price">
            {move || match priced(driver) {
                Some((amount, symbol)) => view! {
                    <span class="label">{say(Text::Total)}</span>
                    <span class="figure" part="price">
                        <b>{amount}</b>" "<span class="unit">{symbol}</span>
                    </span>
                }.into_any(),
                None => view! { <span class="label">{say(Text::YouChoose)}</span> }.into_any(),
            }}
        </header>
    }
}

/// Said before the buyer submits, where the token chosen is not the one of the price.
fn conversion(driver: Driver) -> Option<String> {
    let (amount, symbol) = priced(driver)?;
    let other = other_symbol(driver)?;
    let values = [
        ("amount", amount.as_str()),
        ("symbol", &symbol),
        ("other", &other),
    ];
    Some(fill(Text::Conversion, &values))
}

/// The symbol of the token chosen, with its network where the symbol alone says too little;
/// `None` where it is the token of the price.
fn other_symbol(driver: Driver) -> Option<String> {
    driver.with_config(|config| {
        let code = &config.order.claims().token;
        choosing(driver, |choosing| {
            let chosen = choosing.chosen().filter(|choice| choice.code != *code)?;
            let twins = choosing
                .choices
                .iter()
                .filter(|choice| choice.symbol == chosen.symbol);
            Some(if twins.count() > 1 {
                format!("{} ({})", chosen.symbol, chosen.network)
            } else {
                chosen.symbol.clone()
            })
        })
        .flatten()
    })
}

/// The buttons at the foot, and what went wrong, where something did.
fn outcome(driver: Driver) -> impl IntoView {
    let failure = Memo::new(move |_| {
        driver.with(|state| match state {
            State::Failed(_, _, failure) => Some(failure.clone()),
            _ => None,
        })
    });
    move || match failure.get() {
        Some(failure) => failed(driver, &failure).into_any(),
        None => submit(driver).into_any(),
    }
}

fn submit(driver: Driver) -> impl IntoView {
    let is_busy = move || driver.with(|state| matches!(state, State::Submitting(..)));
    let label = move || {
        if is_busy() {
            return say(Text::Creating).to_owned();
        }
        match (priced(driver), other_symbol(driver)) {
            (_, Some(other)) => fill(Text::PayIn, &[("symbol", &other)]),
            (Some((amount, symbol)), None) => {
                fill(Text::PayAmount, &[("amount", &amount), ("symbol", &symbol)])
            }
            (None, None) => say(Text::Pay).to_owned(),
        }
    };
    view! {
        <button type="submit" class="primary" part="submit" class:busy=is_busy
            aria-disabled=move || is_busy().then_some("true")>
            <span aria-live="polite">{label}</span>
        </button>
    }
}

fn failed(driver: Driver, failure: &Failure) -> impl IntoView {
    let retryable = failure.code.is_retryable();
    let retry = retryable.then(|| {
        view! {
            <button type="button" class="primary" part="retry"
                on:click=move |_| driver.dispatch(Event::Retried)>
                {say(Text::TryAgain)}
            </button>
        }
    });
    view! {
        {notice::alert(say(Text::FailedTitle), notice::sentence(failure))}
        <div class="buttons">
            <button type="button" class="quiet" part="back"
                on:click=move |_| driver.dispatch(Event::WentBack)>
                {say(Text::Back)}
            </button>
            {retry}
        </div>
        {(!retryable).then(|| view! { <slot></slot> })}
    }
}

fn describe(problem: FormProblem) -> &'static str {
    say(match problem {
        FormProblem::NoToken => Text::ChooseToken,
        FormProblem::AmountMissing => Text::AmountMissing,
        FormProblem::AmountInvalid => Text::AmountInvalid,
        FormProblem::EmailMissing => Text::EmailMissing,
        FormProblem::EmailInvalid => Text::EmailInvalid,
        FormProblem::NameMissing => Text::NameMissing,
    })
}
