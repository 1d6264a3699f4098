//! The token choice: a native radio group, so that the keyboard works as everywhere.

use tender_checkout_core::link::LogoUrl;
use tender_checkout_core::{Choice, Event, FormProblem};
use tender_element::dom::{El, el};
use tender_element::focus;

use super::form::{choosing, problem};
use super::picture;
use crate::driver::Driver;
use crate::text::{Text, say};

pub(super) fn tokens(driver: Driver) -> El {
    let choices = choosing(driver, |choosing| choosing.choices.clone()).unwrap_or_default();
    // The one where the Tab key enters the group.
    let entrance = choosing(driver, |choosing| {
        choosing
            .chosen()
            .or(choosing.choices.first())
            .map(|choice| choice.code.clone())
    });
    let entrance = entrance.flatten();
    let token = |choice: Choice| {
        let is_entrance = entrance.as_ref() == Some(&choice.code);
        token(driver, choice, is_entrance)
    };
    let title = el("span")
        .class("label")
        .attr("id", "pay-with")
        .text(&say(Text::PayWith));
    el("div")
        .class("tokens")
        .attr("role", "radiogroup")
        .attr("aria-labelledby", "pay-with")
        .part("tokens")
        .child(title)
        .children(choices.into_iter().map(token))
}

fn token(driver: Driver, choice: Choice, is_entrance: bool) -> El {
    let Choice {
        code,
        name,
        symbol,
        network,
        logo,
        ..
    } = choice;
    let is_chosen = {
        let code = code.clone();
        move || {
            choosing(driver, |choosing| {
                choosing.form.payment_token.as_ref() == Some(&code)
            })
            .unwrap_or_default()
        }
    };
    // While a payment is being created, and after that failed, the choice stands.
    let is_fixed = move || !driver.is_choosing();
    let radio = el("input")
        .attr("type", "radio")
        .attr("name", "payment-token")
        .attr("value", code.as_str())
        .attr("aria-label", &format!("{name}, {network}"))
        .checked_while(is_chosen)
        .attr_while(is_fixed, "disabled", "")
        .live(move |radio| {
            if is_entrance && problem(driver) == Some(FormProblem::NoToken) {
                focus::give_to(radio);
            }
        })
        .on("change", move |_| {
            driver.dispatch(Event::TokenChosen(code.clone()));
        });
    let radio = if is_entrance {
        radio.successor()
    } else {
        radio
    };
    let names = el("span")
        .class("names")
        .child(el("span").class("name").text(&name))
        .child(el("span").class("network").text(&network));
    el("label")
        .class("token")
        .part("token")
        .child(radio)
        .child(picture(&symbol, logo.as_ref().map(LogoUrl::as_str), "36"))
        .child(names)
        .child(el("span").class("symbol").text(&symbol))
}
