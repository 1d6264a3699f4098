//! What has happened before an event, for the checks of the promises.

use std::collections::BTreeSet;
use std::time::Duration;

use super::history::{Event, How, Mark, View};
use super::script::{Order, Status};

/// How long what the service lists may be unknown: until the next cycle of the poller that looks for the payment.
const UNTIL_KNOWN: Duration = Duration::from_mins(1);

/// What has happened before.
pub(super) struct Past<'a> {
    pub(super) events: &'a [(Duration, Event)],
    pub(super) now: Duration,
}

impl<'a> Past<'a> {
    pub(super) fn all<T>(&self, read: impl Fn(&'a Event) -> Option<T>) -> impl Iterator<Item = T> {
        self.events.iter().filter_map(move |(_, event)| read(event))
    }

    pub(super) fn has(&self, is_it: impl Fn(&Event) -> bool) -> bool {
        self.events.iter().any(|(_, event)| is_it(event))
    }

    /// The order and the payment of a page that asks for money. A stream may be a moment late. A page may show a payment that a
    /// backup lacks.
    pub(super) fn asking<'e>(&self, event: &'e Event) -> Option<(Order, &'e View)> {
        match event {
            Event::Shown {
                order,
                how: how @ (How::Create | How::Find | How::Read),
                view,
                ..
            } if view.asks && (*how != How::Read || !self.is_missing(&view.payment.id)) => {
                Some((*order, view))
            }
            _ => None,
        }
    }

    /// Whether the proxy may not know a payment: a backup lacks it, or the service created it by itself; and no search has found it.
    pub(super) fn is_missing(&self, id: &str) -> bool {
        let (mut is_created, mut is_missing, mut is_restoring) = (false, false, false);
        for (_, event) in self.events {
            match event {
                Event::Created { payment, .. } if payment.id == id => {
                    (is_created, is_missing) = (true, is_restoring || self.is_doubled(id));
                }
                Event::Restored { since } => {
                    is_restoring = true;
                    is_missing |= is_created && self.created_at(id) >= *since;
                }
                Event::Runs(true) => is_restoring = false,
                Event::Shown {
                    how: How::Create | How::Find,
                    view,
                    ..
                } if view.payment.id == id => is_missing = false,
                _ => {}
            }
        }
        is_missing
    }

    /// How often a notification was sent.
    pub(super) fn tells(&self, message: &str) -> usize {
        self.all(|event| match event {
            Event::Told { id, .. } if id == message => Some(()),
            _ => None,
        })
        .count()
    }

    pub(super) fn is_accepted(&self, message: &str) -> bool {
        self.has(|event| matches!(event, Event::Accepted { id } if id == message))
    }

    fn is_doubled(&self, id: &str) -> bool {
        self.has(|event| matches!(event, Event::Doubled { id: of } if of == id))
    }

    /// Whether the proxy must know that an order has a payment before it asks for another one. When the database was restored, the
    /// payment must have been listed as it is.
    pub(super) fn must_be_known(&self, id: &str) -> bool {
        if !self.is_missing(id) {
            return true;
        }
        let is_restored = |event: &Event| matches!(event, Event::Restored { .. });
        let restored = self
            .events
            .iter()
            .rposition(|(_, event)| is_restored(event));
        let mut since = self.events[restored.unwrap_or(0)..].iter();
        let first = since.find_map(|(_, event)| match event {
            Event::Listed { id: of, is_odd, .. } if of == id => Some(*is_odd),
            _ => None,
        });
        first == Some(false) && !self.is_doubled(id)
    }

    /// The payments of an order, as the service has created them.
    pub(super) fn payments_of(&self, order: Order) -> impl Iterator<Item = &'a String> {
        self.all(move |event| match event {
            Event::Created { order: of, payment } if *of == order => Some(&payment.id),
            _ => None,
        })
    }

    pub(super) fn created_at(&self, id: &str) -> Duration {
        let mut created = self.events.iter();
        let created = created
            .find(|(_, event)| matches!(event, Event::Created { payment, .. } if payment.id == id));
        created.map_or(Duration::ZERO, |(at, _)| *at)
    }

    /// Whether the service lets a buyer pay it, and the merchant has not released its order.
    pub(super) fn is_open(&self, id: &str) -> bool {
        let (mut is_created, mut has_ended) = (true, false);
        for (_, event) in self.events {
            match event {
                Event::Moved { id: of, status } if of == id => {
                    is_created = *status == Status::Created;
                }
                // Whatever its status becomes later, nobody can foresee it.
                Event::CancelExecuted { id: of } if of == id => has_ended = true,
                Event::Listed {
                    id: of,
                    status: Status::Cancelled | Status::Expired,
                    is_odd: false,
                } if of == id => has_ended = true,
                _ => {}
            }
        }
        is_created && !has_ended && !self.is_released(id)
    }

    pub(super) fn is_released(&self, id: &str) -> bool {
        self.has(|event| matches!(event, Event::Released { id: of, .. } if of == id))
    }

    pub(super) fn has_asked(&self, id: &str) -> bool {
        self.all(|event| self.asking(event))
            .any(|(_, view)| view.payment.id == id)
    }

    pub(super) fn since_asked(&self, id: &str) -> Duration {
        let asked = self.events.iter().rev();
        let mut asked = asked.filter(|(_, event)| {
            self.asking(event)
                .is_some_and(|(_, view)| view.payment.id == id)
        });
        asked
            .next()
            .map_or(Duration::MAX, |(at, _)| self.now.saturating_sub(*at))
    }

    /// What the proxy was shown of a payment, when, and in which order.
    pub(super) fn listed(&self, id: &str) -> impl Iterator<Item = (Duration, Status)> {
        self.events
            .iter()
            .filter_map(move |(at, event)| match event {
                Event::Listed {
                    id: of,
                    status,
                    is_odd: false,
                } if of == id => Some((*at, *status)),
                _ => None,
            })
    }

    /// Whether the proxy knows that money was seen for a payment: it was listed so twice, long enough ago, while its status was
    /// mapped. A release of its order covers what was listed by then.
    pub(super) fn is_money_known(&self, id: &str) -> bool {
        let (mut is_mapped, mut times, mut is_known) = (false, 0, false);
        let (mut most, mut released) = (0, 0);
        for (at, event) in self.events {
            match event {
                Event::Mapped(now) => (is_mapped, times) = (*now, 0),
                Event::Released { id: of, .. } if of == id => {
                    (released, times, is_known) = (most, 0, false);
                }
                Event::Listed {
                    id: of,
                    status,
                    is_odd: false,
                } if of == id => {
                    let money = match status {
                        Status::Pending | Status::Underpaid if is_mapped => 1,
                        Status::Paid if is_mapped => 2,
                        _ => 0,
                    };
                    most = most.max(money);
                    times = if money > released { times + 1 } else { 0 };
                    is_known |= times > 1 && self.now.saturating_sub(*at) > UNTIL_KNOWN;
                }
                _ => {}
            }
        }
        is_known
    }

    pub(super) fn is_another_paid(&self, id: &str) -> bool {
        self.has(
            |event| matches!(event, Event::Listed { id: of, status: Status::Paid, .. } if of != id),
        )
    }

    /// Whether a mark says that money may have been sent. The merchant may cancel all the same.
    pub(super) fn is_marked(&self, id: &str) -> bool {
        let mut marks = BTreeSet::new();
        for (_, event) in self.events {
            match event {
                Event::Marked { mark, .. } if mark.id == id => {
                    marks.insert(mark);
                }
                Event::Unmarks(mark) => {
                    marks.remove(mark);
                }
                Event::Released { id: of, .. } if of == id => marks.clear(),
                Event::MerchantCancels { order } if self.payments_of(*order).any(|of| of == id) => {
                    marks.clear();
                }
                _ => {}
            }
        }
        !marks.is_empty()
    }

    /// What had happened before a page asked for this mark first.
    pub(super) fn before(&self, mark: &Mark) -> Past<'a> {
        let is_asked = |event: &Event| matches!(event, Event::Marks(asked) if asked == mark);
        let asked = self.events.iter().position(|(_, event)| is_asked(event));
        Past {
            events: &self.events[..asked.unwrap_or(0)],
            now: self.now,
        }
    }

    pub(super) fn is_told(&self, kind: &str, id: &str) -> bool {
        self.has(|event| matches!(event, Event::Told { kind: told, view, .. } if told == kind && view.payment.id == id))
    }
}
