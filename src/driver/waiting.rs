//! Events that have to wait for the later part of the module.

use std::rc::Rc;

use tender_checkout_core::Event;

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

impl Waiting {
    /// Adds an event, and says whether the part is being loaded already.
    fn add(&mut self, event: Event) -> bool {
        self.is_held_up |= matches!(event, Event::Submitted(_));
        self.events.push(event);
        std::mem::replace(&mut self.is_loading, true)
    }
}

impl Driver {
    /// Whether something else waits that must come first. That the part could not be loaded need not wait.
    pub(super) fn has_to_wait(self, event: &Event) -> bool {
        let waits = |parts: Rc<Parts>| !parts.waiting.borrow().events.is_empty();
        self.parts().is_some_and(waits) && !matches!(event, Event::PartLost)
    }

    /// Dispatches the event when the part is here. Where it can't be had, there is a way to try again:
    /// what the tab remembers goes on to wait for that, and the buyer submits anew.
    pub(super) fn wait(self, event: Event) {
        let Some(parts) = self.parts() else {
            return;
        };
        let is_loading = parts.waiting.borrow_mut().add(event);
        self.state.notify();
        if is_loading {
            return;
        }
        self.spawn(async move {
            let is_here = later::load(&parts.loader).await.is_some();
            let waiting = parts.waiting.take();
            self.state.notify();
            for event in waiting.events {
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
        let is_held_up = |parts: Rc<Parts>| parts.waiting.borrow().is_held_up;
        self.parts().is_some_and(is_held_up)
    }

    fn give_up(self, event: Event) {
        match event {
            Event::Started(_) => {
                if let Some(parts) = self.parts() {
                    parts.waiting.borrow_mut().events.push(event);
                }
                self.dispatch(Event::PartLost);
            }
            Event::Submitted(_) => self.dispatch(Event::PartLost),
            _ => {}
        }
    }
}
