//! From the choice of a token to the wish to pay.

use tender_checkout_core::{Choosing, Event, Failure, FormProblem, State};
use tender_element::dom::{El, el};
use tender_element::focus::{self, Succession};
use tender_element::notice::alert;
use tender_element::number;

use super::{action, fields, notice, open, tokens};
use crate::driver::Driver;
use crate::text::{Text, fill, say};

pub(super) fn form(driver: Driver) -> El {
    el("form")
        .class("form")
        .attr("novalidate", "")
        .on("submit", move |event| {
            event.prevent_default();
            driver.submit();
        })
        .child(price(driver))
        .live_children(
            move || open::open_payment(driver),
            move |open| open.as_ref().map(|open| open::notice(driver, open)),
        )
        .child(tokens::tokens(driver))
        .children(fields::buyer(driver))
        .child(actions(driver))
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

/// What keeps the form from being sent.
pub(super) fn problem(driver: Driver) -> Option<FormProblem> {
    choosing(driver, |choosing| choosing.problem).flatten()
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
fn price(driver: Driver) -> El {
    el("header").class("price").live_children(
        move || priced(driver),
        move |price| match price {
            Some((amount, symbol)) => vec![
                el("span").class("label").text(&say(Text::Total)),
                el("span")
                    .class("figure")
                    .part("price")
                    .child(el("b").attr("dir", "ltr").text(amount))
                    .text(" ")
                    .child(el("span").class("unit").text(symbol)),
            ],
            None => vec![fields::amount(driver)],
        },
    )
}

/// What keeps the form from being sent, else what comes next.
fn note(driver: Driver, problem: Option<FormProblem>) -> El {
    match problem {
        Some(problem) => el("p")
            .class("note problem")
            .attr("role", "alert")
            .text(&describe(problem)),
        None => el("p")
            .class("note hint")
            .live_text(move || outlook(driver)),
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
fn actions(driver: Driver) -> El {
    let failure = move || {
        driver.with(|state| match state {
            State::Failed(_, _, failure) => Some(failure.clone()),
            _ => None,
        })
    };
    let focus = Succession::new();
    el("div")
        .class("actions")
        .live_children(failure, move |failure| match failure {
            Some(failure) => failed(driver, failure, focus),
            None => submit(driver, focus),
        })
}

fn submit(driver: Driver, focus: Succession) -> Vec<El> {
    let is_busy = move || driver.is_submitting();
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
    let button = el("button")
        .attr("type", "submit")
        .class("primary")
        .part("submit")
        .class_while(is_busy, "busy")
        .attr_while(is_busy, "aria-disabled", "true")
        // Enter in a field or on a token submits, too; a token that is fixed can't keep the focus.
        .live(move |button| {
            if is_busy() {
                focus::give_to(button);
            }
        })
        .child(el("span").attr("aria-live", "polite").live_text(label));
    let note = el("div").live_children(
        move || problem(driver),
        move |problem| [note(driver, *problem)],
    );
    vec![note, focus.next(button)]
}

fn failed(driver: Driver, failure: &Failure, focus: Succession) -> Vec<El> {
    // What failed then is the cancellation of the payment before.
    let has_open = choosing(driver, |choosing| choosing.open_payment().is_some());
    let sentence = match has_open {
        Some(true) => say(Text::ReplaceFailed),
        _ => notice::sentence(failure),
    };
    let alert = alert(&say(Text::FailedTitle), &sentence);
    let back = action(driver, "quiet", &say(Text::Back), Event::FailureDismissed).part("back");
    let buttons = el("div").class("buttons");
    if failure.code.is_retryable() {
        let retry = focus.next(notice::retry(driver));
        vec![alert, buttons.child(back).child(retry)]
    } else {
        vec![alert, buttons.child(focus.next(back)), el("slot")]
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
