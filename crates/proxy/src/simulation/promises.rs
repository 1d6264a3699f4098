//! What the proxy promises, each sentence with its check. A check knows only what service, buyers, shop and merchant have seen.

use std::time::Duration;

use super::history::{Event, History, How, View};
use super::script::{Order, Status};
use super::shop;

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) promise: &'static str,
    pub(super) how: String,
}

pub(super) const ONE_PAYMENT: &str =
    "the service is asked for a second payment of an order only once the first can't be paid";
pub(super) const MONEY_SEEN: &str = "no payment asks for money once it was seen for the order, or may have been sent for another payment";
pub(super) const AS_ANSWERED: &str = "a buyer is shown only a payment of the order, with the amount and the wallet of the service's answer";
pub(super) const ORDERS_HAVE_PAYMENTS: &str =
    "the shop is never told that an order has no payment while it has one";
pub(super) const TOLD_OF_PAID: &str =
    "the shop is told that a payment is paid, soon after the service lists it so";
pub(super) const ONE_ASKS: &str = "at most one payment of an order asks for money";
pub(super) const FOUND_AGAIN: &str = "a buyer who was asked for money finds the payment later";
pub(super) const NOT_CANCELLED: &str =
    "no payment is cancelled that has moved, or that money may have been sent for";
pub(super) const KNOWN_BEFORE: &str = "nothing is said to be closed or paid before it is known";
pub(super) const IN_ORDER: &str =
    "the shop gets the events of a payment in their order, with what it has signed";
pub(super) const TOLD_OF_EACH: &str =
    "the shop is told of each payment that a buyer was asked to pay";

type Check = fn(&Past<'_>, &Event) -> Option<String>;

type Settled = fn(&Past<'_>) -> Option<String>;

/// Of everything that happens.
const ALWAYS: [(&str, Check); 9] = [
    (ONE_PAYMENT, one_payment),
    (ONE_ASKS, one_asks),
    (MONEY_SEEN, none_asks_again),
    (AS_ANSWERED, as_answered),
    (FOUND_AGAIN, found_again),
    (NOT_CANCELLED, not_cancelled),
    (KNOWN_BEFORE, known_before),
    (ORDERS_HAVE_PAYMENTS, orders_have_payments),
    (IN_ORDER, told_in_order),
];

/// Of what must have happened once everything is calm.
const OWED: [(&str, Settled); 2] = [(TOLD_OF_EACH, told_of_each), (TOLD_OF_PAID, told_of_paid)];

/// How long what the service lists may be unknown: until the next cycle of the poller that looks for the payment.
const UNTIL_KNOWN: Duration = Duration::from_mins(1);

/// How long a link can be read at least.
const READABLE: Duration = Duration::from_hours(29 * 24);

/// How long a payment is followed for its notifications: less than `notify_follow_hours`.
const FOLLOWED: Duration = Duration::from_hours(60);

/// The first promise that was broken.
pub(super) fn broken(history: &History) -> Option<Broken> {
    for (index, (at, event)) in history.events.iter().enumerate() {
        let past = Past {
            events: &history.events[..index],
            now: *at,
        };
        for (promise, check) in ALWAYS {
            if let Some(how) = check(&past, event) {
                let how = format!("{:.1} s: {event:?}: {how}", at.as_secs_f64());
                return Some(Broken { promise, how });
            }
        }
    }
    None
}

/// The first promise that is not kept yet, once everything is calm.
pub(super) fn owed(history: &History) -> Option<Broken> {
    let past = Past {
        events: &history.events,
        now: Duration::MAX,
    };
    let mut owed = OWED.into_iter();
    owed.find_map(|(promise, check)| {
        let how = check(&past)?;
        Some(Broken { promise, how })
    })
}

fn one_payment(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::Created { order, .. } = event else {
        return None;
    };
    let other = past.payments_of(*order).find(|id| past.is_open(id))?;
    Some(format!("{other} is open"))
}

fn one_asks(past: &Past<'_>, event: &Event) -> Option<String> {
    let (order, view) = asking(event)?;
    let others = past.payments_of(order).filter(|id| **id != view.payment.id);
    let mut open = others.filter(|id| past.is_open(id) && past.has_asked(id));
    open.next().map(|other| format!("{other} asks, too"))
}

fn none_asks_again(past: &Past<'_>, event: &Event) -> Option<String> {
    let (order, view) = asking(event)?;
    for id in past.payments_of(order) {
        if past.is_money_known(id) {
            return Some(format!("money was seen for {id}"));
        }
        if *id != view.payment.id && past.marks(id) > 0 {
            return Some(format!("money may have been sent for {id}"));
        }
    }
    None
}

fn as_answered(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::Shown { order, view, .. } = event else {
        return None;
    };
    let created = past.all(|event| match event {
        Event::Created { order, payment } if payment.id == view.payment.id => {
            Some((*order, payment))
        }
        _ => None,
    });
    let Some((owner, payment)) = created.last() else {
        return Some("nobody has created it".to_owned());
    };
    if owner != *order || view.invoice != shop::invoice_of(*order) {
        return Some("it is another order's".to_owned());
    }
    let is_answered =
        past.has(|event| matches!(event, Event::CreateAnswered { id } if *id == payment.id));
    (is_answered && *payment != view.payment).then(|| format!("the answer was {payment:?}"))
}

fn found_again(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::ShownNothing { order, .. } = event else {
        return None;
    };
    let mut asked = past.all(|event| asking(event).filter(|(of, _)| of == order));
    let found = asked.find(|(_, view)| {
        !past.is_released(&view.payment.id) && past.since_asked(&view.payment.id) < READABLE
    })?;
    Some(format!("{} was shown", found.1.payment.id))
}

fn not_cancelled(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::CancelExecuted { id } = event else {
        return None;
    };
    match past.listed(id).last() {
        Some((_, status)) if status != Status::Created => {
            return Some(format!("the list has shown {status:?}"));
        }
        _ if past.is_money_known(id) => return Some("money was seen".to_owned()),
        _ => {}
    }
    (past.marks(id) > 0).then(|| "money may have been sent".to_owned())
}

fn known_before(past: &Past<'_>, event: &Event) -> Option<String> {
    let views = match event {
        Event::Shown { view, .. } | Event::Told { view, .. } => std::slice::from_ref(view),
        Event::Asked { views, .. } => views,
        _ => return None,
    };
    views.iter().find_map(|view| {
        let id = &view.payment.id;
        let was = |statuses: &[Status]| past.listed(id).any(|(_, status)| statuses.contains(&status));
        let is_known = match &*view.state {
            "paid" => was(&[Status::Paid]),
            "pending" => was(&[Status::Pending]),
            "underpaid" => was(&[Status::Underpaid]),
            "closed" if view.is_order_paid => past.is_another_paid(id),
            "closed" => {
                was(&[Status::Cancelled, Status::Expired])
                    || past.is_released(id)
                    || past.has(|event| matches!(event, Event::CancelExecuted { id: cancelled } if cancelled == id))
            }
            _ => true,
        };
        (!is_known).then(|| format!("nobody has said that {id} is {}", view.state))
    })
}

fn orders_have_payments(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::Asked {
        order,
        views,
        doubts,
    } = event
    else {
        return None;
    };
    if !views.is_empty() || *doubts > 0 {
        return None;
    }
    let mut open = past.payments_of(*order).filter(|id| past.is_open(id));
    open.next().map(|id| format!("it has {id}"))
}

fn told_in_order(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::Told { kind, order, view } = event else {
        return None;
    };
    if order.map(shop::invoice_of).as_ref() != Some(&view.invoice) {
        return Some("it lacks what the shop has signed".to_owned());
    }
    let id = &view.payment.id;
    let is_first =
        !past.has(|event| matches!(event, Event::Told { view, .. } if view.payment.id == *id));
    (is_first != (kind == "payment.created") && is_first)
        .then(|| "nothing was told before".to_owned())
}

fn told_of_each(past: &Past<'_>) -> Option<String> {
    let mut asked = past.all(asking).map(|(_, view)| &view.payment.id);
    let untold = asked.find(|id| !past.is_told("payment.created", id))?;
    Some(format!("not of {untold}"))
}

fn told_of_paid(past: &Past<'_>) -> Option<String> {
    let mut shown = past.all(asking).map(|(_, view)| &view.payment.id);
    let untold = shown.find(|id| {
        let last = past.listed(id).last();
        let is_paid = last.is_some_and(|(at, status)| {
            status == Status::Paid && at < past.created_at(id) + FOLLOWED
        });
        is_paid && !past.is_told("payment.paid", id)
    })?;
    Some(format!("not of {untold}"))
}

/// The order and the payment of a page that asks for money. A stream may be a moment late.
fn asking(event: &Event) -> Option<(Order, &View)> {
    match event {
        Event::Shown {
            order,
            how: How::Create | How::Find | How::Read,
            view,
            ..
        } if view.asks => Some((*order, view)),
        _ => None,
    }
}

/// What has happened before.
struct Past<'a> {
    events: &'a [(Duration, Event)],
    now: Duration,
}

impl<'a> Past<'a> {
    fn all<T>(&self, read: impl Fn(&'a Event) -> Option<T>) -> impl Iterator<Item = T> {
        self.events.iter().filter_map(move |(_, event)| read(event))
    }

    fn has(&self, is_it: impl Fn(&Event) -> bool) -> bool {
        self.events.iter().any(|(_, event)| is_it(event))
    }

    /// The payments of an order, as the service has created them.
    fn payments_of(&self, order: Order) -> impl Iterator<Item = &'a String> {
        self.all(move |event| match event {
            Event::Created { order: of, payment } if *of == order => Some(&payment.id),
            _ => None,
        })
    }

    fn created_at(&self, id: &str) -> Duration {
        let mut created = self.events.iter();
        let created = created
            .find(|(_, event)| matches!(event, Event::Created { payment, .. } if payment.id == id));
        created.map_or(Duration::ZERO, |(at, _)| *at)
    }

    /// Whether the service lets a buyer pay it, and the merchant has not released its order.
    fn is_open(&self, id: &str) -> bool {
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

    fn is_released(&self, id: &str) -> bool {
        self.has(|event| matches!(event, Event::Released { id: of, .. } if of == id))
    }

    fn has_asked(&self, id: &str) -> bool {
        self.all(asking).any(|(_, view)| view.payment.id == id)
    }

    fn since_asked(&self, id: &str) -> Duration {
        let asked = self.events.iter().rev();
        let mut asked =
            asked.filter(|(_, event)| asking(event).is_some_and(|(_, view)| view.payment.id == id));
        asked
            .next()
            .map_or(Duration::MAX, |(at, _)| self.now.saturating_sub(*at))
    }

    /// What the proxy was shown of a payment, when, and in which order.
    fn listed(&self, id: &str) -> impl Iterator<Item = (Duration, Status)> {
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
    /// mapped, and the merchant has not released its order since.
    fn is_money_known(&self, id: &str) -> bool {
        let (mut is_mapped, mut listed, mut is_known) = (false, 0, false);
        for (at, event) in self.events {
            match event {
                Event::Mapped(now) => (is_mapped, listed) = (*now, 0),
                Event::Released { id: of, .. } if of == id => (listed, is_known) = (0, false),
                Event::Listed {
                    id: of,
                    status,
                    is_odd: false,
                } if of == id => {
                    let is_money =
                        matches!(status, Status::Pending | Status::Underpaid | Status::Paid);
                    listed = if is_mapped && is_money { listed + 1 } else { 0 };
                    is_known |= listed > 1 && self.now.saturating_sub(*at) > UNTIL_KNOWN;
                }
                _ => {}
            }
        }
        is_known
    }

    fn is_another_paid(&self, id: &str) -> bool {
        self.has(
            |event| matches!(event, Event::Listed { id: of, status: Status::Paid, .. } if of != id),
        )
    }

    /// How many marks say that money may have been sent. The merchant may cancel all the same.
    fn marks(&self, id: &str) -> usize {
        let mut marks: usize = 0;
        for (_, event) in self.events {
            match event {
                Event::Sent { id: of, .. } if of == id => marks += 1,
                Event::Unmarked { id: of, .. } if of == id => marks = marks.saturating_sub(1),
                Event::Released { id: of, .. } if of == id => marks = 0,
                Event::MerchantCancels { order } if self.payments_of(*order).any(|of| of == id) => {
                    marks = 0;
                }
                _ => {}
            }
        }
        marks
    }

    fn is_told(&self, kind: &str, id: &str) -> bool {
        self.has(|event| matches!(event, Event::Told { kind: told, view, .. } if told == kind && view.payment.id == id))
    }
}
