//! The payment was not created, or the response was lost.

use super::{choosing, load, submitting};
use crate::effect::Effect;
use crate::event::{Event, payment_events, status_events};
use crate::failure::Failure;
use crate::state::{Attempt, Choosing, Draft, LookUp, PriorAttempt, State};

pub(super) fn step(
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
        Event::FailureDismissed => (State::Choosing(back(choosing), LookUp::Done), Vec::new()),
        // A buyer who changes the form no longer wants to repeat what failed.
        Event::TokenChosen(_)
        | Event::EmailTyped(_)
        | Event::NameTyped(_)
        | Event::AmountTyped(_) => {
            let mut choosing = back(choosing);
            choosing::edit(&mut choosing, event);
            (State::Choosing(choosing, LookUp::Done), Vec::new())
        }
        Event::Resumed if matches!(choosing.prior, Some(PriorAttempt::Payment(_))) => {
            choosing::resume(choosing, LookUp::Done)
        }
        Event::Reset => load(choosing::draft(back(choosing))),
        Event::Reconfigured => load(Draft {
            form: None,
            ..choosing::draft(back(choosing))
        }),
        Event::Started(_)
        | Event::TokensFetched(_)
        | Event::FindFinished(_)
        | Event::Submitted(_)
        | Event::CreateFinished(..)
        | Event::Resumed
        | Event::SentAnswered(_)
        | Event::Refreshed
        | payment_events!()
        | status_events!() => (State::Failed(choosing, attempt, failure), Vec::new()),
    }
}
