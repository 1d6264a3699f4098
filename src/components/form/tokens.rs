//! The tokens to choose from: native radio buttons, so that the keyboard works as in every radio group.

use leptos::prelude::*;
use tender_checkout_core::{Choice, Edit, FormProblem};
use tender_element::components::Logo;
use tender_element::i18n::use_i18n;
use tender_protocol::TokenCode;

use super::{choosing, prevented};
use crate::components::controls::{focus_when, restore_focus_if};
use crate::driver::{Driver, use_driver};
use crate::hosted::{hosted_page, line_break, separator};
use crate::text::Text;

#[component]
pub(super) fn TokenPicker() -> AnyView {
    let driver = use_driver();
    let i18n = use_i18n();
    let choices = driver.memo(|driver| {
        let choices = choosing(driver, |choosing| choosing.choices.clone());
        choices.unwrap_or_default()
    });
    let options = move || {
        let entry = untrack(|| entry(driver));
        let options = choices.get().into_iter().map(|choice| {
            let is_entry = entry.as_ref() == Some(&choice.code);
            view! { <TokenOption choice is_entry/> {line_break()} }.into_any()
        });
        options.collect_view().into_any()
    };
    view! {
        <div class="tokens" role="radiogroup" aria-labelledby="pay-with" part="tokens">
            <span class="label" id="pay-with">{move || i18n.t(Text::PayWith)}</span>
            {options}
        </div>
    }
    .into_any()
}

/// The token at which the Tab key enters the group: the chosen one, else the first.
fn entry(driver: Driver) -> Option<TokenCode> {
    driver.with(|state| {
        let first = || state.choosing()?.choices.first();
        let entry = state.chosen().or_else(first);
        entry.map(|choice| choice.code.clone())
    })
}

/// One token. `is_entry` marks the [`entry`].
#[component]
fn TokenOption(choice: Choice, is_entry: bool) -> AnyView {
    let driver = use_driver();
    let network_and_standard = choice.network_and_standard();
    let Choice {
        code,
        name,
        symbol,
        network,
        logo,
        ..
    } = choice;
    let value = code.to_string();
    let is_hosted = hosted_page().is_some();
    // The payment page requests nothing of others.
    let image = logo
        .filter(|_| !is_hosted)
        .map(|logo| logo.as_str().to_owned());
    let has_network = network != name;
    let is_chosen = {
        let code = code.clone();
        move || driver.with(|state| state.context.form.payment_token.as_ref() == Some(&code))
    };
    let part = {
        let is_chosen = is_chosen.clone();
        move || {
            Some(if is_chosen() {
                "token token-selected"
            } else {
                "token"
            })
        }
    };
    let missing = Memo::new(move |_| {
        prevented(driver, |problem| {
            is_entry && problem == FormProblem::NoToken
        })
    });
    view! {
        <label class="token" part=part>
            <input type="radio" name="payment-token" value=value aria-label=format!("{name}, {network}")
                // The attribute is the first choice, for a view that is rendered as HTML.
                checked=untrack(&is_chosen) prop:checked=is_chosen
                // The choice can't be changed while the payment is being created. On a page without JavaScript it is sent
                // again with the form.
                disabled=move || !is_hosted && driver.is_submitting()
                use:restore_focus_if=is_entry use:focus_when=missing
                on:change=move |_| driver.dispatch(Edit::Token(code.clone()))/>
            <Logo name=symbol.clone() src=image size="36"/>
            // A name is not repeated: many networks have the name of their coin.
            <span class="names">
                <span class="name" translate="no">{name}</span>
                {separator()}
                {has_network.then(|| view! {
                    <span class="network" translate="no">{network_and_standard}</span>
                }.into_any())}
            </span>
            {separator()}
            <span class="symbol" translate="no">{symbol}</span>
        </label>
    }
    .into_any()
}
