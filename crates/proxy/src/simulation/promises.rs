//! What the proxy promises, each sentence with its check. A check knows only what service, buyers, shop and merchant have seen.

use std::time::Duration;

use super::history::{Event, History, How};
use super::past::Past;
use super::script::{DEVICES, Order, Status};
use super::shop;

/// A promise that was broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) promise: &'static str,
    pub(super) how: String,
}

const ONE_PAYMENT: &str =
    "the service is asked for a second payment of an order only once the first can't be paid";
const MONEY_SEEN: &str = "no payment asks for money once it was seen or may have been sent for the order, but on the page whose mark was the first";
const ONE_SENDS: &str = "no mark is the first while another stands";
const AS_ANSWERED: &str = "a buyer is shown only a payment of the order, with the amount and the wallet of the service's answer";
const ORDERS_HAVE_PAYMENTS: &str =
    "the shop is never told that an order has no payment while it has one";
const TOLD_OF_PAID: &str =
    "the shop is told that a payment is paid, soon after the service lists it so";
const TOLD_OF_CLOSED: &str =
    "the shop hears that a payment is closed, soon after the service lists it as ended";
const ONE_ASKS: &str = "at most one payment of an order asks for money";
const FOUND_AGAIN: &str = "a buyer who was asked for money finds the payment later";
const NOT_CANCELLED: &str =
    "no payment is cancelled that has moved, or that money may have been sent for";
const KNOWN_BEFORE: &str = "nothing is said to be closed or paid before it is known";
const IN_ORDER: &str =
    "the shop gets the events of a payment in their order, with what it has signed";
const FEW_LIST_CALLS: &str =
    "whatever buyers do, the service's list is asked for only so often within a minute";
const ERASED: &str = "nothing that identifies a buyer is stored for long, unless an order is in doubt; and nothing at all once orders are forgotten";
const TOLD_OF_EACH: &str = "the shop hears of each payment that a buyer was asked to pay";

type Check = fn(&Past<'_>, &Event) -> Option<String>;

type Settled = fn(&Past<'_>) -> Option<String>;

/// Of everything that happens.
const ALWAYS: [(&str, Check); 12] = [
    (ONE_PAYMENT, one_payment),
    (ONE_ASKS, one_asks),
    (MONEY_SEEN, none_asks_again),
    (ONE_SENDS, one_sends),
    (AS_ANSWERED, as_answered),
    (FOUND_AGAIN, found_again),
    (NOT_CANCELLED, not_cancelled),
    (KNOWN_BEFORE, known_before),
    (ORDERS_HAVE_PAYMENTS, orders_have_payments),
    (IN_ORDER, told_in_order),
    (FEW_LIST_CALLS, few_list_calls),
    (ERASED, erased),
];

/// Of what must have happened once everything is calm.
const OWED: [(&str, Settled); 3] = [
    (TOLD_OF_EACH, told_of_each),
    (TOLD_OF_PAID, told_of_paid),
    (TOLD_OF_CLOSED, told_of_closed),
];

/// How long a link can be read at least.
const READABLE: Duration = Duration::from_hours(29 * 24);

/// How long a payment is followed for its notifications: less than `notify_follow_hours`.
const FOLLOWED: Duration = Duration::from_hours(60);

/// How often the list is asked for within a minute at most: 60 times for each device, and for the poller.
const LIST_CALLS: usize = 60 * (DEVICES as usize + 1);

/// In days in which the proxy runs: the memory of orders in doubt, and of orders whose data was erased by then.
const DOUBTS_FORGOTTEN_AFTER: u64 = 400;
const FORGOTTEN_AFTER: u64 = 800;

/// The first promise that was broken, or else the first that is not kept yet.
#[derive(Debug)]
pub(super) enum Breach {
    Broken(Broken),
    NotYet(Broken),
}

pub(super) fn breach(history: &History) -> Option<Breach> {
    // What came between a backup and its restore is left out.
    let mut events: Vec<(Duration, Event)> = Vec::new();
    for (at, event) in &history.events {
        let past = Past {
            events: &events,
            now: *at,
        };
        for (promise, check) in ALWAYS {
            if let Some(how) = check(&past, event) {
                let how = format!("{:.1} s: {event:?}: {how}", at.as_secs_f64());
                return Some(Breach::Broken(Broken { promise, how }));
            }
        }
        if let Event::Restored { since } = event {
            events.retain(|(at, event)| at < since || event.outlives_memory());
        }
        events.push((*at, event.clone()));
    }
    let past = Past {
        events: &events,
        now: Duration::MAX,
    };
    let mut owed = OWED.into_iter();
    owed.find_map(|(promise, check)| {
        let how = check(&past)?;
        Some(Breach::NotYet(Broken { promise, how }))
    })
}

fn one_payment(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::Created { order, .. } = event else {
        return None;
    };
    let mut known = past.payments_of(*order).filter(|id| past.must_be_known(id));
    let other = known.find(|id| past.is_open(id))?;
    Some(format!("{other} is open"))
}

fn one_asks(past: &Past<'_>, event: &Event) -> Option<String> {
    let (order, view) = past.asking(event)?;
    let others = past.payments_of(order).filter(|id| **id != view.payment.id);
    let mut open = others.filter(|id| past.is_open(id) && past.has_asked(id));
    open.next().map(|other| format!("{other} asks, too"))
}

fn none_asks_again(past: &Past<'_>, event: &Event) -> Option<String> {
    let (order, _) = past.asking(event)?;
    for id in past.payments_of(order) {
        if past.is_missing(id) {
            continue;
        }
        if past.is_money_known(id) {
            return Some(format!("money was seen for {id}"));
        }
        if past.is_marked(id) {
            return Some(format!("money may have been sent for {id}"));
        }
    }
    None
}

fn one_sends(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::Marked {
        mark,
        is_first: true,
    } = event
    else {
        return None;
    };
    let is_marked = past.before(mark).is_marked(&mark.id);
    is_marked.then(|| "another mark stood before".to_owned())
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
    let mut asked = past.all(|event| past.asking(event).filter(|(of, _)| of == order));
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
        // The service may execute an earlier request once more.
        Some((_, status)) if !matches!(status, Status::Created | Status::Cancelled) => {
            return Some(format!("the list has shown {status:?}"));
        }
        _ if past.is_money_known(id) => return Some("money was seen".to_owned()),
        _ => {}
    }
    past.is_marked(id)
        .then(|| "money may have been sent".to_owned())
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
        creating,
        is_memory_short,
    } = event
    else {
        return None;
    };
    if *is_memory_short != past.has(|event| matches!(event, Event::Restored { .. })) {
        return Some(
            "`memorySince` is missing after a restore, or is there without one".to_owned(),
        );
    }
    if !views.is_empty() || *doubts > 0 || *creating {
        return None;
    }
    let known = past.payments_of(*order).filter(|id| !past.is_missing(id));
    let mut open = known.filter(|id| past.is_open(id));
    open.next().map(|id| format!("it has {id}"))
}

fn told_in_order(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::Told {
        id: message,
        kind,
        written_at,
        order,
        view,
    } = event
    else {
        return None;
    };
    if order.map(shop::invoice_of).as_ref() != Some(&view.invoice) {
        return Some("it lacks what the shop has signed".to_owned());
    }
    let id = &view.payment.id;
    let is_of_it =
        |event: &Event| matches!(event, Event::Told { view, .. } if view.payment.id == *id);
    if kind != "payment.created" && !past.has(is_of_it) {
        return Some("nothing was told before".to_owned());
    }
    // One that asks nothing of the shop may be set aside.
    let is_late = !["payment.created", "payment.updated", "payment.paid"].contains(&&**kind)
        && past.is_told("payment.paid", id);
    let is_again = past.tells(message) > 0;
    if is_late && !is_again {
        return Some("it was paid before".to_owned());
    }
    let other = past.all(|event| match event {
        Event::Told {
            id,
            kind,
            written_at,
            view: other,
            ..
        } if other.payment.id == view.payment.id => Some((id, kind, written_at)),
        _ => None,
    });
    let mut others = other.filter(|(id, ..)| *id != message);
    others.find_map(|(id, kind, of)| {
        if of > written_at {
            return (!is_again).then(|| format!("{id} was written later, and told before"));
        }
        let is_waited_for = past.tells(id) < tries_in_order(kind) && !past.is_accepted(id);
        (of < written_at && is_waited_for)
            .then(|| format!("{id} was written before, and is not accepted yet"))
    })
}

/// After how many tries later events of the payment are sent.
fn tries_in_order(kind: &str) -> usize {
    match kind {
        // They ask nothing of the shop.
        "payment.created" | "payment.updated" => 3,
        _ => 12,
    }
}

fn few_list_calls(_: &Past<'_>, event: &Event) -> Option<String> {
    let Event::ListCalls(count) = event else {
        return None;
    };
    (*count > LIST_CALLS).then(|| format!("{count} times"))
}

fn erased(past: &Past<'_>, event: &Event) -> Option<String> {
    let Event::Remains { days, remains } = event else {
        return None;
    };
    let in_doubt = past.has(|event| matches!(event, Event::Asked { doubts, .. } if *doubts > 0));
    let is_forgotten = *days > FORGOTTEN_AFTER;
    let is_kept = in_doubt && *days < DOUBTS_FORGOTTEN_AFTER;
    if !is_kept && !remains.with_buyer.is_empty() {
        return Some(format!("{:?} have the buyer's address", remains.with_buyer));
    }
    (is_forgotten && !remains.rows.is_empty()).then(|| format!("{:?} remain", remains.rows))
}

fn told_of_each(past: &Past<'_>) -> Option<String> {
    untold(past, "payment.created", |_, _| true)
}

fn told_of_paid(past: &Past<'_>) -> Option<String> {
    // Also of one that a search has found after a restore, as soon as its buyer sees it.
    let mut shown = past.all(|event| match event {
        Event::Shown {
            how: How::Create | How::Find,
            view,
            ..
        } if view.state == "paid" => Some(&view.payment.id),
        _ => None,
    });
    let untold_of = shown.find(|id| !past.is_told("payment.paid", id));
    let untold_of = untold_of.map(|id| format!("not of {id}"));
    untold_of.or_else(|| {
        untold(past, "payment.paid", |_, id| {
            last_followed(past, id) == Some(Status::Paid)
        })
    })
}

/// Not if money was seen for the order, or if the merchant has released it: then the shop gets another event.
fn told_of_closed(past: &Past<'_>) -> Option<String> {
    let has_ended = |status| matches!(status, Status::Expired | Status::Cancelled);
    let is_simple = |id: &String| {
        let mut listed = past.listed(id);
        let is_simple = listed.all(|(_, status)| status == Status::Created || has_ended(status));
        is_simple && !past.is_released(id)
    };
    untold(past, "payment.closed", |order, id| {
        last_followed(past, id).is_some_and(has_ended) && past.payments_of(order).all(is_simple)
    })
}

/// A payment that a buyer was asked to pay, if the shop has not got the event of this kind that is due for it.
fn untold(past: &Past<'_>, kind: &str, is_due: impl Fn(Order, &str) -> bool) -> Option<String> {
    let asked = past.all(|event| past.asking(event));
    let mut asked = asked.map(|(order, view)| (order, &view.payment.id));
    let (_, id) = asked.find(|(order, id)| is_due(*order, id) && !past.is_told(kind, id))?;
    Some(format!("not of {id}"))
}

/// The last status that the service listed for a payment, if that was while it was followed.
fn last_followed(past: &Past<'_>, id: &str) -> Option<Status> {
    let (at, status) = past.listed(id).last()?;
    (at < past.created_at(id) + FOLLOWED).then_some(status)
}
