//! The token listing and the form.

use tender_protocol::{Token, TokenCode};

use super::{Next, awaiting, emit, emit_error, load, submitting};
use crate::choice::{Choice, display_name, offer};
use crate::config::Config;
use crate::effect::HostEvent;
use crate::event::{Edit, Event, FormEvent};
use crate::failure::{Failure, FailureCode};
use crate::form::Form;
use crate::response::{self, FetchResult};
use crate::saved::restore;
use crate::state::{Access, Choosing, Context, Phase, PriorAttempt};

/// Offers the tokens of the listing.
pub(super) fn offer_tokens(config: &Config, context: &mut Context, result: FetchResult) -> Next {
    let tokens = match response::tokens(result) {
        Ok(tokens) => tokens,
        Err(failure) => return unavailable(failure),
    };
    let choosing = Choosing {
        price_symbol: symbol_of(&config.order.claims().token, &tokens),
        tokens,
        choices: Vec::new(),
        problem: None,
        submits: 0,
    };
    shown(offer_listed(config, context, choosing))
}

/// Offers the tokens of the listing that the shop accepts.
fn offer_listed(config: &Config, context: &mut Context, mut choosing: Choosing) -> Choosing {
    let priced_in = &config.order.claims().token;
    choosing.choices = offer(choosing.tokens.clone(), &config.accept, priced_in);
    let chosen = &mut context.form.payment_token;
    *chosen = chosen
        .take()
        .filter(|code| choosing.offers(code))
        .or_else(|| only_code(&choosing.choices));
    choosing
}

/// Shows the form, if there is a token to choose.
fn shown(choosing: Choosing) -> Next {
    if choosing.choices.is_empty() {
        let message = "none of the project's enabled tokens can be offered";
        return unavailable(Failure::new(FailureCode::NoTokens, message));
    }
    let codes = choosing.choices.iter().map(|choice| choice.code.clone());
    let ready = HostEvent::Ready(codes.collect());
    (Phase::Choosing(choosing), vec![emit(ready)])
}

/// Applies changed attributes to a form that is shown: see [`Context::reconfigure`].
pub(super) fn reconfigure(
    config: &Config,
    context: &mut Context,
    choosing: Choosing,
    before: &Form,
) -> Next {
    shown(reconfigured(config, context, choosing, before))
}

/// The form with changed attributes. They may leave no token to choose.
pub(super) fn reconfigured(
    config: &Config,
    context: &mut Context,
    mut choosing: Choosing,
    before: &Form,
) -> Choosing {
    context.reconfigure(config, before);
    choosing.problem = None;
    offer_listed(config, context, choosing)
}

pub(super) fn step(
    config: &Config,
    context: &mut Context,
    mut choosing: Choosing,
    event: Event,
) -> Next {
    match event {
        Event::Form(FormEvent::Edited(change)) => edit(context, &mut choosing, change),
        Event::Form(FormEvent::SavedElsewhere(json)) => match restore(config, &json) {
            Some((_, PriorAttempt::Payment(payment))) => {
                return awaiting::resume_restored(context, *payment);
            }
            Some((_, prior)) => context.prior = Some(prior),
            None => {}
        },
        Event::Form(FormEvent::Submitted(key)) => {
            return submitting::submit(config, context, choosing, key);
        }
        Event::Form(FormEvent::Resumed) => return resume(context, Phase::Choosing(choosing)),
        Event::Form(FormEvent::SentAnswered(is_sent)) => {
            return answered(context, choosing, is_sent);
        }
        Event::Refreshed => return load(context),
        Event::Reconfigured(before) => return reconfigure(config, context, choosing, &before),
        Event::Reset => {
            context.form = Form::new(config);
            return load(context);
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
    (Phase::Choosing(choosing), Vec::new())
}

/// Changes the form. A token that is not offered can't be chosen.
pub(super) fn edit(context: &mut Context, choosing: &mut Choosing, edit: Edit) {
    let form = &mut context.form;
    match edit {
        Edit::Token(code) if choosing.offers(&code) => form.payment_token = Some(code),
        Edit::Token(_) => return,
        Edit::Email(email) => form.email = email,
        Edit::Name(name) => form.name = name,
        Edit::Amount(amount) => form.amount = amount,
    }
    choosing.problem = None;
}

/// Goes back to the open payment: neither to one at an outdated price nor to one whose record contradicts its request.
pub(super) fn resume(context: &mut Context, phase: Phase) -> Next {
    match context.prior.take() {
        Some(PriorAttempt::Payment(payment)) => awaiting::resume(*payment),
        prior => {
            context.prior = prior;
            (phase, Vec::new())
        }
    }
}

/// The buyer says whether they have sent money for the payment that another one would replace.
fn answered(context: &mut Context, mut choosing: Choosing, is_sent: bool) -> Next {
    match context.prior.take() {
        Some(PriorAttempt::Payment(open) | PriorAttempt::Outdated(open)) if is_sent => {
            awaiting::resume_sent(*open)
        }
        mut prior => {
            if let Some(PriorAttempt::Payment(open) | PriorAttempt::Outdated(open)) = &mut prior
                && open.facts.access == Access::Found
            {
                open.facts.access = Access::Owned;
                choosing.problem = None;
            }
            context.prior = prior;
            (Phase::Choosing(choosing), Vec::new())
        }
    }
}

fn unavailable(failure: Failure) -> Next {
    let event = emit_error(&failure);
    (Phase::Unavailable(failure), vec![event])
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
