//! From the token listing to the wish to pay, where there is no payment yet.

use tender_protocol::{Token, TokenCode};

use super::{load, submitting, tell, tell_error};
use crate::answer::{self, Answered};
use crate::choice::{Choice, cut, offer};
use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::{Failure, FailureCode};
use crate::form::{Form, FormProblem};
use crate::state::{Attempt, AttemptKey, Begun, Choosing, Draft, State};

pub(super) fn offered(config: &Config, draft: Draft, answered: Answered) -> (State, Vec<Effect>) {
    let tokens = match answer::tokens(answered) {
        Ok(listing) => listing.tokens,
        Err(failure) => return unavailable(draft, failure),
    };
    let priced_in = &config.order.claims().token;
    let price_symbol = symbol_of(priced_in, &tokens);
    let choices = offer(tokens, &config.accept, priced_in);
    if choices.is_empty() {
        let message = "none of the project's enabled tokens can be offered";
        return unavailable(draft, Failure::new(FailureCode::NoTokens, message));
    }
    let mut form = draft.form.unwrap_or_else(|| Form::new(config));
    form.payment_token = form
        .payment_token
        .filter(|code| choices.iter().any(|choice| choice.code == *code))
        .or_else(|| only_code(&choices));
    let ready = HostEvent::Ready(choices.iter().map(|choice| choice.code.clone()).collect());
    let choosing = Choosing {
        choices,
        price_symbol,
        form,
        problem: None,
        begun: draft.begun,
    };
    (State::Choosing(choosing), vec![tell(ready)])
}

pub(super) fn step(config: &Config, mut choosing: Choosing, event: Event) -> (State, Vec<Effect>) {
    match event {
        Event::TokenChosen(code) if choosing.offers(&code) => {
            choosing.form.payment_token = Some(code);
        }
        Event::EmailTyped(email) => choosing.form.email = email,
        Event::NameTyped(name) => choosing.form.name = name,
        Event::AmountTyped(amount) => choosing.form.amount = amount,
        Event::Submitted(key) => return submit(config, choosing, key),
        Event::Refreshed => {
            return load(Draft {
                form: Some(choosing.form),
                begun: choosing.begun,
            });
        }
        Event::Reset | Event::Reconfigured => {
            return load(Draft {
                form: None,
                begun: choosing.begun,
            });
        }
        _ => return (State::Choosing(choosing), Vec::new()),
    }
    choosing.problem = None;
    (State::Choosing(choosing), Vec::new())
}

fn submit(config: &Config, mut choosing: Choosing, key: AttemptKey) -> (State, Vec<Effect>) {
    let attempt = match attempt(config, &choosing, key) {
        Ok(attempt) => attempt,
        Err(problem) => return incomplete(choosing, problem),
    };
    match choosing.begun.take() {
        Some(Begun::Attempt(begun)) if begun.request == attempt.request => {
            submitting::submit(choosing, *begun)
        }
        // What may be a payment but has no record can't be cancelled by this page.
        _ => submitting::submit(choosing, attempt),
    }
}

/// Says what keeps the form from being sent.
pub(super) fn incomplete(mut choosing: Choosing, problem: FormProblem) -> (State, Vec<Effect>) {
    choosing.problem = Some(problem);
    (State::Choosing(choosing), Vec::new())
}

pub(super) fn attempt(
    config: &Config,
    choosing: &Choosing,
    key: AttemptKey,
) -> Result<Attempt, FormProblem> {
    Ok(Attempt {
        key,
        request: choosing.form.request(config)?,
        choice: choosing.chosen().cloned().ok_or(FormProblem::NoToken)?,
    })
}

fn unavailable(draft: Draft, failure: Failure) -> (State, Vec<Effect>) {
    let told = tell_error(&failure);
    (State::Unavailable(draft, failure), vec![told])
}

/// The symbol that the listing gives, else the code as the service shows codes.
fn symbol_of(code: &TokenCode, tokens: &[Token]) -> String {
    let listed = tokens.iter().find(|token| token.token == *code);
    listed.map_or_else(
        || code.as_str().to_ascii_uppercase(),
        |token| cut(&token.symbol),
    )
}

fn only_code(choices: &[Choice]) -> Option<TokenCode> {
    match choices {
        [only] => Some(only.code.clone()),
        _ => None,
    }
}
