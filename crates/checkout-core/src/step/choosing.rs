//! The token listing and the form.

use tender_protocol::{Token, TokenCode};

use super::finding::{self, LookUpResult};
use super::{awaiting, emit, emit_error, load, submitting};
use crate::choice::{Choice, display_name, offer};
use crate::config::Config;
use crate::effect::{Effect, HostEvent};
use crate::event::{Edit, Event, FormEvent};
use crate::failure::{Failure, FailureCode};
use crate::form::Form;
use crate::response::{self, FetchResult};
use crate::saved::restore;
use crate::state::{Access, Choosing, Draft, LookUp, PriorAttempt, State};

/// Offers the tokens of the listing.
pub(super) fn offer_tokens(
    config: &Config,
    draft: Draft,
    result: FetchResult,
) -> (State, Vec<Effect>) {
    let tokens = match response::tokens(result) {
        Ok(tokens) => tokens,
        Err(failure) => return unavailable(draft, failure),
    };
    let choosing = Choosing {
        price_symbol: symbol_of(&config.order.claims().token, &tokens),
        tokens,
        choices: Vec::new(),
        form: draft.form.unwrap_or_else(|| Form::new(config)),
        problem: None,
        submits: 0,
        prior: draft.prior,
    };
    shown(offer_listed(config, choosing), draft.look_up)
}

/// Offers the tokens of the listing that the shop accepts.
fn offer_listed(config: &Config, mut choosing: Choosing) -> Choosing {
    let priced_in = &config.order.claims().token;
    choosing.choices = offer(choosing.tokens.clone(), &config.accept, priced_in);
    let chosen = choosing.form.payment_token.take();
    choosing.form.payment_token = chosen
        .filter(|code| choosing.offers(code))
        .or_else(|| only_code(&choosing.choices));
    choosing
}

/// Shows the form, if there is a token to choose.
fn shown(choosing: Choosing, look_up: LookUp) -> (State, Vec<Effect>) {
    if choosing.choices.is_empty() {
        let message = "none of the project's enabled tokens can be offered";
        let draft = Draft {
            look_up,
            ..draft(choosing)
        };
        return unavailable(draft, Failure::new(FailureCode::NoTokens, message));
    }
    let codes = choosing.choices.iter().map(|choice| choice.code.clone());
    let ready = HostEvent::Ready(codes.collect());
    (State::Choosing(choosing, look_up), vec![emit(ready)])
}

/// Applies changed attributes to a form that is shown: see [`Form::reconfigured`].
pub(super) fn reconfigure(
    config: &Config,
    choosing: Choosing,
    look_up: LookUp,
    before: &Form,
) -> (State, Vec<Effect>) {
    shown(reconfigured(config, choosing, before), look_up)
}

/// The form with changed attributes. They may leave no token to choose.
pub(super) fn reconfigured(config: &Config, mut choosing: Choosing, before: &Form) -> Choosing {
    choosing.form = choosing.form.reconfigured(before, config);
    choosing.problem = None;
    offer_listed(config, choosing)
}

pub(super) fn step(
    config: &Config,
    mut choosing: Choosing,
    look_up: LookUp,
    event: Event,
) -> (State, Vec<Effect>) {
    match event {
        Event::Form(FormEvent::Edited(change)) => edit(&mut choosing, change),
        Event::Form(FormEvent::Submitted(key)) => {
            let chosen = choosing.form.payment_token.clone();
            let shown = submitting::submit(config, choosing, look_up, key);
            return submitting::compare_token(chosen.as_ref(), shown);
        }
        Event::Form(FormEvent::SavedElsewhere(json)) => match restore(config, &json) {
            Some((_, PriorAttempt::Payment(payment))) => {
                let shown = awaiting::resume_restored(*payment);
                return submitting::compare_token(choosing.form.payment_token.as_ref(), shown);
            }
            Some((_, prior)) => choosing.prior = Some(prior),
            None => {}
        },
        Event::FindFinished(result) if look_up == LookUp::Requested => {
            return looked_up(config, choosing, result);
        }
        Event::Form(FormEvent::Resumed) => return resume(choosing, look_up),
        Event::Form(FormEvent::SentAnswered(is_sent)) => {
            return answered(choosing, look_up, is_sent);
        }
        Event::Refreshed => {
            return load(Draft {
                form: Some(choosing.form),
                prior: choosing.prior,
                look_up,
            });
        }
        Event::Reconfigured(before) => return reconfigure(config, choosing, look_up, &before),
        Event::Reset => {
            return load(Draft {
                form: None,
                prior: choosing.prior,
                look_up,
            });
        }
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Retried
        | Event::Form(FormEvent::CreateFinished(..) | FormEvent::FailureDismissed)
        | Event::Payment(_)
        | Event::Sent(_)
        | Event::Status(_) => {}
    }
    (State::Choosing(choosing, look_up), Vec::new())
}

/// Changes the form. A token that is not offered can't be chosen.
pub(super) fn edit(choosing: &mut Choosing, edit: Edit) {
    match edit {
        Edit::Token(code) if choosing.offers(&code) => choosing.form.payment_token = Some(code),
        Edit::Token(_) => return,
        Edit::Email(email) => choosing.form.email = email,
        Edit::Name(name) => choosing.form.name = name,
        Edit::Amount(amount) => choosing.form.amount = amount,
    }
    choosing.problem = None;
}

fn looked_up(config: &Config, mut choosing: Choosing, result: FetchResult) -> (State, Vec<Effect>) {
    match finding::read(result) {
        LookUpResult::Nothing => (State::Choosing(choosing, LookUp::Done), Vec::new()),
        LookUpResult::Found(found) => {
            let form = choosing.form.clone();
            match finding::place(
                config,
                &choosing.listed(),
                form,
                &mut choosing.prior,
                *found,
            ) {
                Ok(Some(shown)) => shown,
                Ok(None) => (State::Choosing(choosing, LookUp::Done), Vec::new()),
                Err(mismatch) => finding::refuse(draft(choosing), mismatch),
            }
        }
        LookUpResult::Failed(failure) => (
            State::Choosing(choosing, LookUp::Due),
            vec![emit_error(&failure)],
        ),
        LookUpResult::Refused(failure) => finding::refuse(draft(choosing), failure),
    }
}

/// What is kept of a form that is left.
pub(super) fn draft(choosing: Choosing) -> Draft {
    Draft {
        form: Some(choosing.form),
        prior: choosing.prior,
        look_up: LookUp::Done,
    }
}

/// Goes back to the open payment: neither to one at an outdated price nor to one whose record contradicts its request.
pub(super) fn resume(mut choosing: Choosing, look_up: LookUp) -> (State, Vec<Effect>) {
    match choosing.prior.take() {
        Some(PriorAttempt::Payment(payment)) => awaiting::resume(*payment),
        prior => {
            choosing.prior = prior;
            (State::Choosing(choosing, look_up), Vec::new())
        }
    }
}

/// The buyer says whether they have sent money for the payment that another one would replace.
fn answered(mut choosing: Choosing, look_up: LookUp, is_sent: bool) -> (State, Vec<Effect>) {
    match choosing.prior.take() {
        Some(PriorAttempt::Payment(open) | PriorAttempt::Outdated(open)) if is_sent => {
            awaiting::resume_sent(*open)
        }
        mut prior => {
            if let Some(PriorAttempt::Payment(open) | PriorAttempt::Outdated(open)) = &mut prior
                && open.access == Access::Found
            {
                open.access = Access::Owned;
                choosing.problem = None;
            }
            choosing.prior = prior;
            (State::Choosing(choosing, look_up), Vec::new())
        }
    }
}

fn unavailable(draft: Draft, failure: Failure) -> (State, Vec<Effect>) {
    let event = emit_error(&failure);
    (State::Unavailable(draft, failure), vec![event])
}

/// The symbol in the listing; otherwise the known one, or the code in upper case, as the service writes it.
fn symbol_of(code: &TokenCode, tokens: &[Token]) -> String {
    let listed = tokens.iter().find(|token| token.token == *code);
    listed.map_or_else(
        || Choice::unlisted(code, false).symbol,
        |token| display_name(&token.symbol),
    )
}

fn only_code(choices: &[Choice]) -> Option<TokenCode> {
    match choices {
        [only] => Some(only.code.clone()),
        _ => None,
    }
}
