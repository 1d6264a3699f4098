//! The token listing and the form.

use tender_protocol::{Token, TokenCode};

use super::{emit, emit_error, load};
use crate::choice::{Choice, display_name, offer};
use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::Event;
use crate::failure::{Failure, FailureCode};
use crate::form::Form;
use crate::response::{self, FetchResult};
use crate::state::{Choosing, Draft, State};

/// Offers the tokens of the listing.
pub(super) fn offer_tokens(
    config: &Config,
    draft: Draft,
    result: FetchResult,
) -> (State, Vec<Effect>) {
    let tokens = match response::tokens(result) {
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
        prior: draft.prior,
    };
    (State::Choosing(choosing), vec![emit(ready)])
}

pub(super) fn step(mut choosing: Choosing, event: Event) -> (State, Vec<Effect>) {
    match event {
        Event::TokenChosen(code) if choosing.offers(&code) => {
            choosing.form.payment_token = Some(code);
        }
        Event::EmailTyped(email) => choosing.form.email = email,
        Event::NameTyped(name) => choosing.form.name = name,
        Event::AmountTyped(amount) => choosing.form.amount = amount,
        Event::Refreshed => {
            return load(Draft {
                form: Some(choosing.form),
                prior: choosing.prior,
            });
        }
        Event::Reset | Event::Reconfigured => {
            return load(Draft {
                form: None,
                prior: choosing.prior,
            });
        }
        _ => return (State::Choosing(choosing), Vec::new()),
    }
    choosing.problem = None;
    (State::Choosing(choosing), Vec::new())
}

fn unavailable(draft: Draft, failure: Failure) -> (State, Vec<Effect>) {
    let event = emit_error(&failure);
    (State::Unavailable(draft, failure), vec![event])
}

/// The symbol in the listing; otherwise the code in upper case, as the service writes it.
fn symbol_of(code: &TokenCode, tokens: &[Token]) -> String {
    let listed = tokens.iter().find(|token| token.token == *code);
    listed.map_or_else(
        || code.as_str().to_ascii_uppercase(),
        |token| display_name(&token.symbol),
    )
}

fn only_code(choices: &[Choice]) -> Option<TokenCode> {
    match choices {
        [only] => Some(only.code.clone()),
        _ => None,
    }
}
