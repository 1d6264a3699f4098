//! The payment was not created, or the response was lost.

use super::{Next, choosing, load, submitting};
use crate::config::Config;
use crate::event::{Event, FormEvent};
use crate::failure::Failure;
use crate::state::{Attempt, Choosing, Context, Phase, PriorAttempt};

pub(super) fn step(
    config: &Config,
    context: &mut Context,
    mut choosing: Choosing,
    attempt: Attempt,
    failure: Failure,
    event: Event,
) -> Next {
    match event {
        Event::Retried => submitting::proceed(context, choosing, attempt),
        Event::Form(FormEvent::FailureDismissed) => {
            submitting::keep(context, attempt, &failure);
            (Phase::Choosing(choosing), Vec::new())
        }
        // A buyer who changes the form no longer wants to repeat what failed.
        Event::Form(FormEvent::Edited(edit)) => {
            submitting::keep(context, attempt, &failure);
            choosing::edit(context, &mut choosing, edit);
            (Phase::Choosing(choosing), Vec::new())
        }
        Event::Form(FormEvent::Resumed)
            if matches!(context.prior, Some(PriorAttempt::Payment(_))) =>
        {
            choosing::resume(context, Phase::Choosing(choosing))
        }
        Event::Reset => {
            submitting::keep(context, attempt, &failure);
            load(context)
        }
        Event::Reconfigured(before) => {
            submitting::keep(context, attempt, &failure);
            choosing::reconfigure(config, context, choosing, &before)
        }
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Refreshed
        | Event::Form(
            FormEvent::SavedElsewhere(_)
            | FormEvent::Submitted(_)
            | FormEvent::CreateFinished(..)
            | FormEvent::Resumed
            | FormEvent::SentAnswered(_),
        )
        | Event::Payment(_)
        | Event::Sent(_)
        | Event::Status(_) => (Phase::Failed(choosing, attempt, failure), Vec::new()),
    }
}
