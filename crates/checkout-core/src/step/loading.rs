//! The start: the token listing, and the look-up of the order's payment beside it.

use super::finding::LookUpResult;
use super::{awaiting, choosing, emit_error, finding, load};
use crate::choice::Choice;
use crate::config::Config;
use crate::effect::Effect;
use crate::event::Event;
use crate::failure::Failure;
use crate::form::Form;
use crate::found::FoundPayment;
use crate::order::Order;
use crate::response::{self, FetchResult};
use crate::saved::restore;
use crate::state::{Access, Draft, LookUp, PriorAttempt, State};

/// Continues the saved payment if there is one; otherwise starts with the form, and looks up whether the order has a
/// payment.
fn started(config: &Config, saved: Option<String>) -> (State, Vec<Effect>) {
    let (form, prior) = match saved.and_then(|json| restore(config, &json)) {
        Some((_, PriorAttempt::Payment(payment))) if payment.access != Access::ReadOnly => {
            return awaiting::resume_restored(*payment);
        }
        restored => restored.unzip(),
    };
    let look_up = match config.order {
        // Sent at once, because it has not been requested yet.
        Order::Signed { .. } => LookUp::Due,
        Order::Plain(_) => LookUp::Done,
    };
    load(Draft {
        form,
        prior,
        look_up,
    })
}

pub(super) fn loading(
    config: &Config,
    mut draft: Draft,
    found: Option<Box<FoundPayment>>,
    event: Event,
) -> (State, Vec<Effect>) {
    match event {
        Event::Started(saved) => started(config, saved),
        Event::TokensFetched(result) => match found {
            Some(found) => listed(config, draft, *found, result),
            None => choosing::offer_tokens(config, draft, result),
        },
        Event::FindFinished(result) if draft.look_up == LookUp::Requested => {
            match finding::read(result) {
                LookUpResult::Nothing => {
                    draft.look_up = LookUp::Done;
                    (State::Loading(draft, None), Vec::new())
                }
                LookUpResult::Found(found) => {
                    draft.look_up = LookUp::Done;
                    (State::Loading(draft, Some(found)), Vec::new())
                }
                LookUpResult::Failed(failure) => {
                    draft.look_up = LookUp::Due;
                    (State::Loading(draft, None), vec![emit_error(&failure)])
                }
                LookUpResult::Refused(failure) => finding::refuse(draft, failure),
            }
        }
        Event::Reconfigured(before) => (
            State::Loading(reconfigured(config, draft, &before), found),
            Vec::new(),
        ),
        Event::FindFinished(_)
        | Event::Retried
        | Event::Refreshed
        | Event::Reset
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_)
        | Event::Status(_) => (State::Loading(draft, found), Vec::new()),
    }
}

pub(super) fn unavailable(
    config: &Config,
    mut draft: Draft,
    failure: Failure,
    event: Event,
) -> (State, Vec<Effect>) {
    match event {
        Event::Retried | Event::Refreshed | Event::Reset => load(draft),
        Event::Reconfigured(before) => load(reconfigured(config, draft, &before)),
        Event::FindFinished(result) if draft.look_up == LookUp::Requested => {
            match finding::read(result) {
                LookUpResult::Nothing => draft.look_up = LookUp::Done,
                LookUpResult::Found(found) => {
                    draft.look_up = LookUp::Done;
                    match place(config, &[], &mut draft, *found) {
                        Ok(Some(shown)) => return shown,
                        Ok(None) => {}
                        Err(mismatch) => return finding::refuse(draft, mismatch),
                    }
                }
                LookUpResult::Failed(_) => draft.look_up = LookUp::Due,
                LookUpResult::Refused(refusal) => return finding::refuse(draft, refusal),
            }
            (State::Unavailable(draft, failure), Vec::new())
        }
        Event::FindFinished(_)
        | Event::Started(_)
        | Event::TokensFetched(_)
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_)
        | Event::Status(_) => (State::Unavailable(draft, failure), Vec::new()),
    }
}

/// Applies changed attributes to the form that is kept: see [`Form::reconfigured`].
fn reconfigured(config: &Config, draft: Draft, before: &Form) -> Draft {
    let form = draft.form.map(|form| form.reconfigured(before, config));
    Draft { form, ..draft }
}

/// Shows the order's payment once the listing names its token.
fn listed(
    config: &Config,
    mut draft: Draft,
    found: FoundPayment,
    result: FetchResult,
) -> (State, Vec<Effect>) {
    let tokens = response::tokens(result.clone()).unwrap_or_default();
    let choices: Vec<_> = tokens.into_iter().map(Choice::from).collect();
    match place(config, &choices, &mut draft, found) {
        Ok(Some(shown)) => shown,
        Ok(None) => choosing::offer_tokens(config, draft, result),
        Err(mismatch) => finding::refuse(draft, mismatch),
    }
}

fn place(
    config: &Config,
    choices: &[Choice],
    draft: &mut Draft,
    found: FoundPayment,
) -> Result<Option<(State, Vec<Effect>)>, Failure> {
    let form = draft.form.clone().unwrap_or_else(|| Form::new(config));
    finding::place(config, choices, form, &mut draft.prior, found)
}
