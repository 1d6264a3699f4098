//! From the token listing to a payment.

use tender_protocol::{Token, TokenCode};

use super::{tell, tell_error};
use crate::answer::{self, Answered, Created};
use crate::choice::{Choice, cut, offer};
use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::{Failure, FailureCode};
use crate::form::Form;
use crate::send::AmountToSend;
use crate::state::{Attempt, AttemptKey, Awaiting, Cancelling, Choosing, Following, State};

/// The first look at a new payment comes after so many seconds.
pub(super) const FIRST_LOOK: u32 = 5;

pub(super) fn offered(config: &Config, answered: Answered) -> (State, Vec<Effect>) {
    let tokens = match answer::tokens(answered) {
        Ok(listing) => listing.tokens,
        Err(failure) => return unavailable(failure),
    };
    let priced_in = &config.order.claims().token;
    let price_symbol = symbol_of(priced_in, &tokens);
    let choices = offer(tokens, &config.accept, priced_in);
    if choices.is_empty() {
        let message = "none of the project's enabled tokens can be offered";
        return unavailable(Failure::new(FailureCode::NoTokens, message));
    }
    let mut form = Form::new(config);
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
        attempt: None,
    };
    (State::Choosing(choosing), vec![tell(ready)])
}

pub(super) fn step(config: &Config, mut choosing: Choosing, event: Event) -> (State, Vec<Effect>) {
    match event {
        Event::TokenChosen(code) => choosing.form.payment_token = Some(code),
        Event::EmailTyped(email) => choosing.form.email = email,
        Event::NameTyped(name) => choosing.form.name = name,
        Event::AmountTyped(amount) => choosing.form.amount = amount,
        Event::Submitted(key) => return submit(config, choosing, key),
        Event::Refreshed | Event::Reset | Event::Reconfigured => {
            return (State::Loading, vec![Effect::FetchTokens]);
        }
        _ => return (State::Choosing(choosing), Vec::new()),
    }
    choosing.problem = None;
    (State::Choosing(choosing), Vec::new())
}

fn submit(config: &Config, mut choosing: Choosing, key: AttemptKey) -> (State, Vec<Effect>) {
    let request = match choosing.form.request(config) {
        Ok(request) => request,
        Err(problem) => {
            choosing.problem = Some(problem);
            return (State::Choosing(choosing), Vec::new());
        }
    };
    let attempt = match choosing.attempt.take() {
        Some(attempt) if attempt.request == request => attempt,
        _ => Attempt { key, request },
    };
    choosing.problem = None;
    (
        State::Submitting(choosing, attempt.clone()),
        vec![Effect::Create(attempt)],
    )
}

pub(super) fn created(
    mut choosing: Choosing,
    attempt: Attempt,
    answered: Answered,
) -> (State, Vec<Effect>) {
    let Created { payment, receipt } = match answer::created(answered) {
        Ok(created) => created,
        Err(failure) => {
            let told = tell_error(&failure);
            return (State::Failed(choosing, attempt, failure), vec![told]);
        }
    };
    let Some(choice) = choosing.chosen().cloned() else {
        // A form without a choice makes no request; the payment is not lost from sight all the same.
        return (
            State::Choosing(choosing),
            vec![tell(HostEvent::Created(payment))],
        );
    };
    choosing.attempt = Some(attempt);
    let mut effects = vec![tell(HostEvent::Created(payment.clone()))];
    let following = match receipt {
        Some(_) => {
            effects.push(Effect::LookIn(FIRST_LOOK));
            Following::Waiting(0)
        }
        None => Following::Off,
    };
    let awaiting = Awaiting {
        send: AmountToSend::new(payment.quantity_pay.clone(), choice.decimals),
        payment,
        choice,
        receipt,
        transaction: None,
        cancelling: Cancelling::No,
        following,
        choosing,
    };
    (State::Awaiting(Box::new(awaiting)), effects)
}

fn unavailable(failure: Failure) -> (State, Vec<Effect>) {
    let told = tell_error(&failure);
    (State::Unavailable(failure), vec![told])
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
