//! The payment was not created, or the response was lost.

use super::{choosing, load, submitting};
use crate::config::Config;
use crate::effect::Effect;
use crate::event::{Event, FormEvent};
use crate::failure::Failure;
use crate::state::{Attempt, Choosing, LookUp, PriorAttempt, State};

pub(super) fn step(
    config: &Config,
    choosing: Choosing,
    attempt: Attempt,
    failure: Failure,
    event: Event,
) -> (State, Vec<Effect>) {
    let back = |choosing: Choosing| {
        let prior = submitting::prior(choosing.prior, attempt.clone(), &failure);
        Choosing { prior, ..choosing }
    };
    match event {
        Event::Retried => submitting::send(choosing, attempt),
        Event::Form(FormEvent::FailureDismissed) => {
            (State::Choosing(back(choosing), LookUp::Done), Vec::new())
        }
        // A buyer who changes the form no longer wants to repeat what failed.
        Event::Form(FormEvent::Edited(edit)) => {
            let mut choosing = back(choosing);
            choosing::edit(&mut choosing, edit);
            (State::Choosing(choosing, LookUp::Done), Vec::new())
        }
        Event::Form(FormEvent::Resumed)
            if matches!(choosing.prior, Some(PriorAttempt::Payment(_))) =>
        {
            choosing::resume(choosing, LookUp::Done)
        }
        Event::Reset => load(choosing::draft(back(choosing))),
        Event::Reconfigured(before) => {
            choosing::reconfigure(config, back(choosing), LookUp::Done, &before)
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
        | Event::Status(_) => (State::Failed(choosing, attempt, failure), Vec::new()),
    }
}
