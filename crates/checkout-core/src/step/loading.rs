//! The start: the token listing, and the look-up of the order's payment beside it.

use super::{Next, awaiting, choosing, finding, load};
use crate::choice::Choice;
use crate::config::Config;
use crate::event::Event;
use crate::failure::Failure;
use crate::form::Form;
use crate::found::FoundPayment;
use crate::order::Order;
use crate::response::{self, FetchResult};
use crate::saved::restore;
use crate::state::{Access, Context, LookUp, Phase, PriorAttempt};

/// Continues the saved payment if there is one; otherwise starts with the form, and looks up whether the order has a
/// payment.
fn started(config: &Config, context: &mut Context, saved: Option<String>) -> Next {
    let (form, prior) = saved.and_then(|json| restore(config, &json)).unzip();
    context.form = form.unwrap_or_else(|| Form::new(config));
    context.prior = match prior {
        Some(PriorAttempt::Payment(payment)) if payment.facts.access != Access::ReadOnly => {
            return awaiting::resume_restored(context, *payment);
        }
        prior => prior,
    };
    if matches!(config.order, Order::Signed { .. }) {
        context.look_up = LookUp::Due;
    }
    load(context)
}

pub(super) fn loading(
    config: &Config,
    context: &mut Context,
    found: Option<Box<FoundPayment>>,
    event: Event,
) -> Next {
    match event {
        Event::Started(saved) => started(config, context, saved),
        Event::TokensFetched(result) => match found {
            Some(found) => listed(config, context, *found, result),
            None => choosing::offer_tokens(config, context, result),
        },
        Event::Reconfigured(before) => {
            context.reconfigure(config, &before);
            (Phase::Loading(found), Vec::new())
        }
        Event::FindFinished(_)
        | Event::Retried
        | Event::Refreshed
        | Event::Reset
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_)
        | Event::Status(_) => (Phase::Loading(found), Vec::new()),
    }
}

pub(super) fn unavailable(
    config: &Config,
    context: &mut Context,
    failure: Failure,
    event: Event,
) -> Next {
    match event {
        Event::Retried | Event::Refreshed | Event::Reset => load(context),
        Event::Reconfigured(before) => {
            context.reconfigure(config, &before);
            load(context)
        }
        Event::FindFinished(_)
        | Event::Started(_)
        | Event::TokensFetched(_)
        | Event::Form(_)
        | Event::Payment(_)
        | Event::Sent(_)
        | Event::Status(_) => (Phase::Unavailable(failure), Vec::new()),
    }
}

/// Shows the order's payment once the listing names its token.
fn listed(
    config: &Config,
    context: &mut Context,
    found: FoundPayment,
    result: FetchResult,
) -> Next {
    let tokens = response::tokens(result.clone()).unwrap_or_default();
    let choices: Vec<_> = tokens.into_iter().map(Choice::from).collect();
    match finding::place(config, context, &choices, found) {
        Ok(Some(shown)) => shown,
        Ok(None) => choosing::offer_tokens(config, context, result),
        Err(mismatch) => finding::refuse(context, mismatch),
    }
}
