//! From the choice of a token to the wish to pay.

use leptos::ev::SubmitEvent;
use leptos::html::Button;
use leptos::prelude::*;
use tender_core::{Choosing, Event, Failure, FormProblem, State};
use tender_element::notice::alert;

use super::focus::Succession;
use super::{fields, notice, open, tokens};
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
            {price(driver, problem)}
            {open::open_payment(driver)}
            {tokens::tokens(driver)}
            {fields::buyer(driver, problem)}
            <div class="actions">
                {outcome(driver, problem)}
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

/// The price of the order, grouped, and its symbol; `None` where the payer chooses the amount.
fn priced(driver: Driver) -> Option<(String, String)> {
    let locale = driver.locale();
    driver.with_config(|config| {
        let quantity = config.order.claims().quantity.as_ref();
        let price = quantity.filter(|_| !config.order.payer_chooses())?;
        let symbol = choosing(driver, |choosing| choosing.price_symbol.clone())?;
        Some((number::group(price, 0, &locale), symbol))
    })
}

/// The price at the head, or the field for it where the payer chooses.
fn price(driver: Driver, problem: Memo<Option<FormProblem>>) -> impl IntoView {
    // Each key changes the state: a field made anew for it would lose the focus, and the next
    // key with it.
    let price = Memo::new(move |_| priced(driver));
    view! {
        <header class="price">
            {move || match price.get() {
                Some((amount, symbol)) => view! {
                    <span class="label">{say(Text::Total)}</span>
                    <span class="figure" part="price">
                        <b dir="ltr">{amount}</b>" "<span class="unit">{symbol}</span>
                    </span>
                }.into_any(),
                None => untrack(|| fields::amount(driver, problem)).into_any(),
            }}
        </header>
    }
}

/// What keeps the form from being sent, else what comes next.
fn note(driver: Driver, problem: Memo<Option<FormProblem>>) -> impl IntoView {
    move || match problem.get() {
        Some(problem) => {
            view! { <p class="note problem" role="alert">{describe(problem)}</p> }.into_any()
        }
        None => view! { <p class="note hint">{move || outlook(driver)}</p> }.into_any(),
    }
}

/// What comes next: said before the buyer submits, and a conversion above all.
fn outlook(driver: Driver) -> String {
    let Some((other, network)) = chosen(driver) else {
        return say(Text::ChooseFirst);
    };
    let (text, (amount, symbol)) = match priced(driver) {
        Some(price) if !pays_as_priced(driver) => (Text::PayEquivalent, price),
        _ => (Text::PaySame, Default::default()),
    };
    fill(
        text,
        &[
            ("amount", &amount),
            ("symbol", &symbol),
            ("other", &other),
            ("network", &network),
        ],
    )
}

/// Symbol and network of the token chosen.
fn chosen(driver: Driver) -> Option<(String, String)> {
    choosing(driver, |choosing| {
        choosing
            .chosen()
            .map(|choice| (choice.symbol.clone(), choice.network.clone()))
    })
    .flatten()
}

/// Whether the token chosen is the one that the order is priced in: no conversion.
fn pays_as_priced(driver: Driver) -> bool {
    let code = driver.with_config(|config| config.order.claims().token.clone());
    choosing(driver, |choosing| {
        choosing.form.payment_token.as_ref() == Some(&code)
    }) == Some(true)
}

/// The buttons at the foot, and what went wrong, where something did.
fn outcome(driver: Driver, problem: Memo<Option<FormProblem>>) -> impl IntoView {
    let failure = Memo::new(move |_| {
        driver.with(|state| match state {
            State::Failed(_, _, failure) => Some(failure.clone()),
            _ => None,
        })
    });
    let focus = Succession::new();
    move || match failure.get() {
        Some(failure) => failed(driver, &failure, focus).into_any(),
        None => view! {
            {note(driver, problem)}
            {submit(driver, focus)}
        }
        .into_any(),
    }
}

fn submit(driver: Driver, focus: Succession) -> impl IntoView {
    let is_busy = move || driver.with(|state| matches!(state, State::Submitting(..)));
    let label = move || {
        if is_busy() {
            return say(Text::Creating);
        }
        match (priced(driver), chosen(driver)) {
            (Some((amount, symbol)), Some(_)) if pays_as_priced(driver) => {
                fill(Text::PayAmount, &[("amount", &amount), ("symbol", &symbol)])
            }
            (_, Some((symbol, _))) => fill(Text::PayIn, &[("symbol", &symbol)]),
            (_, None) => say(Text::Pay),
        }
    };
    let node = focus.next::<Button>();
    // Enter in a field or on a token submits, too; a token that is fixed can't keep the focus.
    Effect::new(move || {
        if let (true, Some(button)) = (is_busy(), node.get()) {
            // Where the focus can't go, the button says all the same what is going on.
            let _ = button.focus();
        }
    });
    view! {
        <button type="submit" class="primary" part="submit" node_ref=node
            class:busy=is_busy
            aria-disabled=move || is_busy().then_some("true")>
            <span aria-live="polite">{label}</span>
        </button>
    }
}

fn failed(driver: Driver, failure: &Failure, focus: Succession) -> impl IntoView {
    let retryable = failure.code.is_retryable();
    let node = focus.next();
    // What failed then is the cancellation of the payment before.
    let has_open = choosing(driver, |choosing| choosing.open_payment().is_some());
    let sentence = match has_open {
        Some(true) => say(Text::ReplaceFailed),
        _ => notice::sentence(failure),
    };
    let retry = retryable.then(|| {
        view! {
            <button type="button" class="primary" part="retry" node_ref=node
                on:click=move |_| driver.dispatch(Event::Retried)>
                {say(Text::TryAgain)}
            </button>
        }
    });
    view! {
        {alert(say(Text::FailedTitle), sentence)}
        <div class="buttons">
            <button type="button" class="quiet" part="back"
                node_ref=if retryable { NodeRef::new() } else { node }
                on:click=move |_| driver.dispatch(Event::WentBack)>
                {say(Text::Back)}
            </button>
            {retry}
        </div>
        {(!retryable).then(|| view! { <slot></slot> })}
    }
}

fn describe(problem: FormProblem) -> String {
    say(match problem {
        FormProblem::AmountMissing => Text::AmountMissing,
        FormProblem::AmountInvalid => Text::AmountInvalid,
        FormProblem::NoToken => Text::ChooseToken,
        FormProblem::EmailMissing => Text::EmailMissing,
        FormProblem::EmailInvalid => Text::EmailInvalid,
        FormProblem::NameMissing => Text::NameMissing,
    })
}
