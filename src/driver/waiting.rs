//! Events that have to wait for the later part of the module.

use leptos::prelude::*;
use tender_core::Event;

use super::{Driver, Parts};
use crate::later;

/// The events, in the order in which they came.
#[derive(Default)]
pub(super) struct Waiting {
    events: Vec<Event>,
    is_loading: bool,
    /// Whether the buyer has submitted, and waits with them.
    is_held_up: bool,
}

impl Driver {
    /// Whether something else waits that must come first. That the part could not be loaded need not wait.
    pub(super) fn has_to_wait(self, event: &Event) -> bool {
        let waiting = |waiting: &Waiting| !waiting.events.is_empty();
        let waiting = self
            .parts
            .try_with_value(|parts| waiting(&parts.waiting.borrow()));
        waiting == Some(true) && !matches!(event, Event::PartLost)
    }

    /// Dispatches the event when the part is here. Where it can't be had, there is a way to try again:
    /// what the tab remembers goes on to wait for that, and the buyer submits anew.
    pub(super) fn wait(self, event: Event) {
        let begun = self.parts.try_with_value(|parts| {
            let mut waiting = parts.waiting.borrow_mut();
            waiting.is_held_up |= matches!(event, Event::Submitted(_));
            waiting.events.push(event);
            let is_loading = std::mem::replace(&mut waiting.is_loading, true);
            (is_loading, parts.loader.clone())
        });
        self.state.notify();
        let Some((false, loader)) = begun else {
            return;
        };
        self.spawn(async move {
            let is_here = later::load(&loader).await.is_some();
            let waiting = self.parts.try_with_value(|parts| parts.waiting.take());
            self.state.notify();
            for event in waiting.unwrap_or_default().events {
                if is_here {
                    self.dispatch(event);
                } else {
                    self.give_up(event);
                }
            }
        });
    }

    /// Whether the buyer has submitted, and what they have submitted waits. The state tells of changes.
    pub(super) fn is_held_up(self) -> bool {
        let is_held_up = |parts: &Parts| parts.waiting.borrow().is_held_up;
        self.parts.try_with_value(is_held_up) == Some(true)
    }

    fn give_up(self, event: Event) {
        match event {
            Event::Started(_) => {
                self.parts.try_with_value(|parts| {
                    parts.waiting.borrow_mut().events.push(event);
                });
                self.dispatch(Event::PartLost);
            }
            Event::Submitted(_) => self.dispatch(Event::PartLost),
            _ => {}
        }
    }
}
