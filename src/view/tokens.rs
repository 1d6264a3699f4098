//! The token choice: a native radio group, so that the keyboard works as everywhere.

use leptos::html::Input;
use leptos::prelude::*;
use tender_core::{Choice, Event, FormProblem, State};

use super::focus;
use super::form::choosing;
use crate::driver::Driver;
use crate::text::{Text, say};

pub(super) fn tokens(driver: Driver) -> impl IntoView {
    let choices = choosing(driver, |choosing| choosing.choices.clone()).unwrap_or_default();
    // While a payment is being created, and after that failed, the choice stands.
    let is_fixed = Memo::new(move |_| driver.with(|state| !matches!(state, State::Choosing(_))));
    // The one where the Tab key enters the group.
    let entrance = choosing(driver, |choosing| {
        choosing
            .chosen()
            .or(choosing.choices.first())
            .map(|choice| choice.code.clone())
    });
    let entrance = entrance.flatten();
    let node = focus::successor::<Input>();
    Effect::new(move || {
        let is_missing = choosing(driver, |choosing| {
            choosing.problem == Some(FormProblem::NoToken)
        });
        if let (Some(true), Some(radio)) = (is_missing, node.get()) {
            // Where the focus can't go, the alert has said it all the same.
            let _ = radio.focus();
        }
    });
    let token = |choice: Choice| {
        let is_entrance = entrance.as_ref() == Some(&choice.code);
        let node = if is_entrance { node } else { NodeRef::new() };
        token(driver, choice, is_fixed, node)
    };
    view! {
        <div class="tokens" role="radiogroup" aria-labelledby="pay-with" part="tokens">
            <span class="label" id="pay-with">{say(Text::PayWith)}</span>
            {choices.into_iter().map(token).collect::<Vec<_>>()}
        </div>
    }
}

fn token(
    driver: Driver,
    choice: Choice,
    is_fixed: Memo<bool>,
    node: NodeRef<Input>,
) -> impl IntoView {
    let Choice {
        code,
        name,
        symbol,
        network,
        logo,
        ..
    } = choice;
    let value = code.to_string();
    let is_chosen = {
        let code = code.clone();
        Memo::new(move |_| {
            choosing(driver, |choosing| {
                choosing.form.payment_token.as_ref() == Some(&code)
            })
            .unwrap_or_default()
        })
    };
    let has_logo = RwSignal::new(logo.is_some());
    let logo = move || {
        has_logo.get().then(|| {
            logo.clone().map(|logo| {
                view! {
                    <img src=logo.as_str().to_owned() alt="" loading="lazy" decoding="async"
                        referrerpolicy="no-referrer" width="36" height="36"
                        on:error=move |_| has_logo.set(false)/>
                }
            })
        })
    };
    let monogram: String = symbol.chars().take(1).collect();
    view! {
        <label class="token" part="token">
            <input type="radio" name="payment-token" value=value prop:checked=is_chosen
                disabled=is_fixed node_ref=node aria-label=format!("{name}, {network}")
                on:change=move |_| driver.dispatch(Event::TokenChosen(code.clone()))/>
            <span class="logo" aria-hidden="true">{monogram}{logo}</span>
            <span class="names">
                <span class="name">{name}</span>
                <span class="network">{network}</span>
            </span>
            <span class="symbol">{symbol}</span>
        </label>
    }
}
