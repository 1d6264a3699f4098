//! What can happen next, and what always holds.

use std::io::Write as _;

use stateright::{Checker, Model, Property};
use strum::VariantArray as _;
use tender_ledger::{Action, Goal, Meaning, Requester, Stage};

use crate::world::{Event, Next, Payment, Row, World};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// A buyer asks an instance for the order's payment in a token, from the page that knows the open payment or from
    /// another one.
    Pay(usize, u8, bool),
    /// A buyer or the merchant asks an instance to cancel a payment.
    Cancel(usize, Payment, Requester),
    /// The merchant releases the order of a payment.
    Release(usize, Payment),
    /// A buyer says that money may have been sent.
    Mark(Payment),
    /// An instance ends what another one has begun.
    Find(usize, usize),
    /// An instance goes on.
    Go(usize),
    /// An instance carries out its action, but the answer, or the request, is lost.
    LoseAnswer(usize),
    LoseRequest(usize),
    /// The service executes a request to create whose answer was lost.
    Arrive(usize),
    Crash(usize),
    /// The lease of an instance ends while it is suspended.
    Suspend(usize),
    /// The poller stores what the list shows.
    Poll(Payment),
    /// The status of a payment becomes this one.
    Becomes(Payment, Meaning),
}

/// The ledger, from this state on.
struct Ledger(World);

impl Model for Ledger {
    type State = World;
    type Action = Step;

    fn init_states(&self) -> Vec<World> {
        vec![self.0.clone()]
    }

    fn actions(&self, world: &World, steps: &mut Vec<Step>) {
        let payments = 0..world.payments.len();
        for instance in [0, 1] {
            match &world.works[instance] {
                None if world.requests > 0 => {
                    for token in [0, 1] {
                        steps.push(Step::Pay(instance, token, true));
                    }
                    steps.push(Step::Pay(instance, 1, false));
                    for payment in payments.clone() {
                        for requester in [Requester::Buyer, Requester::Merchant] {
                            steps.push(Step::Cancel(instance, payment, requester));
                        }
                        steps.push(Step::Release(instance, payment));
                    }
                    let begun = world.rows.iter().zip(0..).filter(|(row, _)| {
                        matches!(row.stage, Stage::Requested(_) | Stage::Cancelling(..))
                    });
                    steps.extend(begun.map(|(_, row)| Step::Find(instance, row)));
                }
                None => {}
                Some(work) => {
                    // A search waits until all earlier requests have settled.
                    let waits = matches!(work.next, Next::Act(Action::Search))
                        && world.on_the_way.contains(&work.attempt);
                    if !waits {
                        steps.push(Step::Go(instance));
                    }
                    if world.faults > 0 {
                        steps.push(Step::Crash(instance));
                        if matches!(work.next, Next::Act(_)) && !waits && !work.is_late {
                            steps.extend([Step::LoseAnswer(instance), Step::LoseRequest(instance)]);
                        }
                        if !work.is_late {
                            steps.push(Step::Suspend(instance));
                        }
                    }
                }
            }
        }
        steps.extend(
            world
                .on_the_way
                .iter()
                .map(|attempt| Step::Arrive(*attempt)),
        );
        steps.extend(payments.clone().map(Step::Poll));
        if world.changes > 0 {
            for payment in payments {
                let known = &world.payments[payment];
                let others = Meaning::VARIANTS.iter().copied();
                let others =
                    others.filter(|other| *other != known.status || known.is_cancelled_silently);
                steps.extend(others.map(|status| Step::Becomes(payment, status)));
                if world.owner(payment).is_some() {
                    steps.push(Step::Mark(payment));
                }
            }
        }
    }

    fn next_state(&self, world: &World, step: Step) -> Option<World> {
        let mut next = world.clone();
        match step {
            Step::Pay(instance, token, is_named) => {
                next.requests -= 1;
                next.pay(instance, token, is_named);
            }
            Step::Cancel(instance, payment, requester) => {
                next.requests -= 1;
                let attempt = next.owner(payment)?;
                next.begin(instance, attempt, Goal::Cancel(requester));
            }
            Step::Release(instance, payment) => {
                next.requests -= 1;
                let attempt = next.owner(payment)?;
                next.begin(instance, attempt, Goal::Release);
            }
            Step::Find(instance, row) => {
                next.requests -= 1;
                next.begin(instance, row, Goal::Find);
            }
            Step::Mark(payment) => {
                next.changes -= 1;
                let attempt = next.owner(payment)?;
                if !matches!(next.rows[attempt].stage, Stage::Created(_)) {
                    return None;
                }
                next.payments[payment].facts.is_marked = true;
            }
            Step::Go(instance) => next.go(instance),
            Step::LoseAnswer(instance) => {
                next.faults -= 1;
                next.lose(instance, false);
            }
            Step::LoseRequest(instance) => {
                next.faults -= 1;
                next.lose(instance, true);
            }
            Step::Arrive(attempt) => {
                let index = next.on_the_way.iter().position(|other| *other == attempt)?;
                next.on_the_way.remove(index);
                next.add_payment(attempt);
            }
            Step::Crash(instance) | Step::Suspend(instance) => {
                next.faults -= 1;
                let work = next.works[instance].as_mut()?;
                work.is_late = true;
                let row = &mut next.rows[work.attempt];
                if row.fence == work.fence {
                    row.holder = None;
                }
                if matches!(step, Step::Crash(_)) {
                    next.works[instance] = None;
                }
            }
            Step::Poll(payment) => {
                next.read(payment);
            }
            Step::Becomes(payment, status) => {
                next.changes -= 1;
                let payment = &mut next.payments[payment];
                (payment.status, payment.has_moved) = (status, true);
                payment.is_cancelled_silently = false;
            }
        }
        (next != *world).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        macro_rules! never {
            ($rule:literal, $event:ident) => {
                Property::always($rule, |_, world: &World| {
                    !world.seen.contains(&Event::$event)
                })
            };
        }
        vec![
            Property::always(
                "at most one open payment is the order's",
                |_, world: &World| {
                    let is_open = |row: &&Row| match row.stage {
                        Stage::Created(id) => {
                            row.duplicate_of.is_none() && world.payments[id].is_open()
                        }
                        _ => false,
                    };
                    world.rows.iter().filter(is_open).count() <= 1
                },
            ),
            Property::always(
                "a second open payment is known as one",
                |_, world: &World| {
                    // Once all work has ended without doubt, each payment belongs to an attempt.
                    let is_quiet =
                        world.works.iter().all(Option::is_none) && world.on_the_way.is_empty();
                    let in_doubt = |row: &Row| matches!(row.stage, Stage::Requested(_));
                    !is_quiet
                        || world.rows.iter().any(in_doubt)
                        || (0..world.payments.len()).all(|id| world.owner(id).is_some())
                },
            ),
            never!(
                "nothing is cancelled after its status has moved",
                CancelledAfterAMove
            ),
            never!(
                "only the merchant cancels a marked payment",
                CancelledAfterAMark
            ),
            never!("a payment is replaced only by name", ReplacedWithoutAName),
            never!(
                "what can still be paid does not count as cancelled",
                EndedWithoutProof
            ),
            never!(
                "an order for which money was seen asks for no other payment",
                AskedToPayAgain
            ),
            never!(
                "an order for which money was seen gets no other payment",
                ReplacedAfterMoneyWasSeen
            ),
            Property::always(
                "what is seen, closed or changed back asks for no money",
                |_, world: &World| {
                    world.payments.iter().all(|stored| {
                        let is_changed_back =
                            stored.facts.has_moved && stored.meaning == Meaning::Created;
                        let must_not_ask =
                            stored.was_seen || is_changed_back || stored.meaning == Meaning::Closed;
                        !must_not_ask || stored.facts.fate.is_some()
                    })
                },
            ),
            Property::sometimes("an order is released", |_, world: &World| {
                world.rows.iter().any(|row| row.is_released)
            }),
            Property::sometimes("a payment is created", |_, world: &World| {
                world
                    .rows
                    .iter()
                    .any(|row| matches!(row.stage, Stage::Created(_)))
            }),
            Property::sometimes("a payment is found", |_, world: &World| {
                world.seen.contains(&Event::Found)
            }),
            Property::sometimes("a payment is cancelled", |_, world: &World| {
                world.seen.contains(&Event::Cancelled)
            }),
            Property::sometimes("a payment is replaced", |_, world: &World| {
                world.seen.contains(&Event::Replaced)
            }),
            Property::sometimes("a late payment is resolved", |_, world: &World| {
                let resolved =
                    |row: &Row| row.duplicate_of.is_some() && matches!(row.stage, Stage::Ended(_));
                world.rows.iter().any(resolved)
            }),
        ]
    }
}

fn walk(from: World) {
    let checker = Ledger(from).checker().threads(2).spawn_bfs().join();
    // The test harness captures the output of `println!`.
    let count = format!(
        "{} states, {} of them different, to the depth {}",
        checker.state_count(),
        checker.unique_state_count(),
        checker.max_depth()
    );
    writeln!(std::io::stderr(), "{count}").unwrap();
    checker.assert_properties();
}

/// Many requests and faults, and one change of a status.
#[test]
fn the_rules_hold_while_calls_fail() {
    walk(World {
        requests: 3,
        faults: 2,
        changes: 1,
        ..World::default()
    });
}

/// Statuses that change and change back.
#[test]
fn the_rules_hold_while_statuses_change() {
    walk(World {
        requests: 3,
        faults: 1,
        changes: 2,
        ..World::default()
    });
}

#[test]
#[ignore = "takes minutes in a release build"]
fn the_rules_hold_deeper() {
    walk(World {
        requests: 4,
        faults: 2,
        changes: 2,
        ..World::default()
    });
}
