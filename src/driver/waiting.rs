//! Events that have to wait for the later part of the module.

use leptos::prelude::*;
use tender_core::{Event, Unanswered};

use super::Driver;
use crate::later;

/// The events, in the order in which they came.
#[derive(Default)]
pub(super) struct Waiting {
    events: Vec<Event>,
    is_loading: bool,
}

impl Driver {
    /// Whether something else waits that must come first. A listing may come: then it says that the
    /// part could not be loaded.
    pub(super) fn has_to_wait(self, event: &Event) -> bool {
        let waiting = |waiting: &Waiting| !waiting.events.is_empty();
        let waiting = self
            .parts
            .try_with_value(|parts| waiting(&parts.waiting.borrow()));
        waiting == Some(true) && !matches!(event, Event::TokensAnswered(_))
    }

    /// Dispatches the event when the part is here. Where it can't be had, there is a way to try again:
    /// what the tab remembers of a payment goes on to wait for that, and an answer counts as lost, as
    /// the same request again gives it again.
    pub(super) fn wait(self, event: Event) {
        let is_loading = self.parts.try_with_value(|parts| {
            let mut waiting = parts.waiting.borrow_mut();
            waiting.events.push(event);
            std::mem::replace(&mut waiting.is_loading, true)
        });
        if is_loading != Some(false) {
            return;
        }
        self.spawn(async move {
            let is_here = later::load().await.is_some();
            let waiting = self.parts.try_with_value(|parts| parts.waiting.take());
            for event in waiting.unwrap_or_default().events {
                if is_here {
                    self.dispatch(event);
                } else {
                    self.give_up(event);
                }
            }
        });
    }

    fn give_up(self, event: Event) {
        let lost =
            || Unanswered::Unreachable("a part of the checkout could not be loaded".to_owned());
        match event {
            Event::Started(_) => {
                self.parts.try_with_value(|parts| {
                    parts.waiting.borrow_mut().events.push(event);
                });
                self.dispatch(Event::TokensAnswered(Err(lost())));
            }
            Event::CreateAnswered(key, _) => self.dispatch(Event::CreateAnswered(key, Err(lost()))),
            _ => {}
        }
    }
}
