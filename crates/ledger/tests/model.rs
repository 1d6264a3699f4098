//! Walks through the states of a model: two instances of the proxy work on the orders of buyers and the merchant, with
//! [`decide`] as the only rule, in front of a service that loses and delays requests and answers and whose payments are paid
//! and closed meanwhile. An instance may crash or be suspended between any two of its actions.
//!
//! The bound is `upstream_settle_seconds`: what an instance sends arrives before a search for it begins, and the list is read
//! when its page arrives. The check of a deadline and the sending are one step, because a body is written only before its
//! deadline. Beyond that, the documentation says what may happen.
//!
//! `cargo test -p tender-ledger --test model --release -- --ignored` goes deeper.

use stateright::{Checker, Model, Property};
use tender_ledger::{
    Action, Answer, Asked, Attempt, Cancelled, Created, Ending, Evidence, Found, Goal, Listed,
    Requester, Stage, Standing, decide,
};

type Payment = u8;

/// What the service knows of a payment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Status {
    Created,
    /// The status says that it is closed.
    Closed,
    /// It is cancelled, and the status still says "Created", as in the service's document.
    CancelledSilently,
    /// A status that the operator has not mapped, as of a payment that is seen but not confirmed.
    Pending,
    Paid,
}

/// A payment of the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Known {
    /// The attempt that it was created for.
    attempt: u8,
    status: Status,
    /// Whether the status was ever another one than "Created".
    has_moved: bool,
}

/// A row of the attempt store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Row {
    stage: Stage<Payment>,
    /// The instance that holds the lease.
    holder: Option<u8>,
    /// Counts the leases.
    fence: u8,
    /// Which of two tokens.
    token: u8,
    /// The attempt that this payment, which was created too late, was created for.
    duplicate_of: Option<u8>,
}

/// The work of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Work {
    attempt: u8,
    fence: u8,
    goal: Goal<Payment>,
    /// What it does next.
    next: Next,
    /// Whether its lease may have ended while it was suspended.
    is_late: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Next {
    /// Store what follows from this.
    Store(Evidence<Payment>),
    /// Carry this out.
    Act(Action<Payment>),
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct World {
    rows: Vec<Row>,
    payments: Vec<Known>,
    /// What is stored of each payment.
    standings: Vec<Standing>,
    works: [Option<Work>; 2],
    /// Requests to create that the service has not executed yet, by attempt.
    on_the_way: Vec<u8>,
    /// How many more requests of buyers, merchants and the proxy itself, faults, and changes of the service there are.
    requests: u8,
    faults: u8,
    changes: u8,
    seen: Seen,
}

/// What has happened at least once.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Seen {
    found: bool,
    cancelled: bool,
    replaced: bool,
    /// A rule was broken.
    cancelled_after_a_move: bool,
    cancelled_after_a_mark: bool,
    replaced_without_a_name: bool,
    ended_without_proof: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// A buyer asks an instance for the order's payment in a token, from the page that knows the open payment or from
    /// another one.
    Pay(u8, u8, bool),
    /// A buyer or the merchant asks an instance to cancel a payment.
    Cancel(u8, Payment, Requester),
    /// A buyer says that money may have been sent.
    Mark(Payment),
    /// An instance takes up a payment that was created too late.
    Settle(u8, u8),
    /// An instance goes on.
    Go(u8),
    /// An instance carries out its action, but the answer, or the request, is lost.
    LoseAnswer(u8),
    LoseRequest(u8),
    /// The service executes a request to create whose answer was lost.
    Arrive(u8),
    Crash(u8),
    /// The lease of an instance ends while it is suspended.
    Suspend(u8),
    /// The poller stores what the list shows.
    Poll(Payment),
    /// The status of a payment becomes this one.
    Becomes(Payment, Status),
}

struct Ledger {
    requests: u8,
    faults: u8,
    changes: u8,
}

impl World {
    fn open_row(&self) -> Option<u8> {
        let open = |row: &Row| {
            row.duplicate_of.is_none() && !matches!(row.stage, Stage::Ended(_) | Stage::Refused)
        };
        self.rows
            .iter()
            .position(open)
            .map(|row| u8::try_from(row).unwrap())
    }

    fn payment_of(&self, attempt: u8) -> Option<Payment> {
        match &self.rows[usize::from(attempt)].stage {
            Stage::Created(id) | Stage::Cancelling(id, _) => Some(*id),
            Stage::Ended(id) => *id,
            Stage::Contradictory(_) | Stage::Requested(_) | Stage::Refused => None,
        }
    }

    fn owner(&self, payment: Payment) -> Option<u8> {
        (0..u8::try_from(self.rows.len()).unwrap())
            .find(|row| self.payment_of(*row) == Some(payment))
    }

    fn add_payment(&mut self, attempt: u8) -> Payment {
        self.payments.push(Known {
            attempt,
            status: Status::Created,
            has_moved: false,
        });
        self.standings.push(Standing::default());
        u8::try_from(self.payments.len() - 1).unwrap()
    }

    /// Begins work on an attempt, if its lease is free.
    fn begin(
        &mut self,
        instance: u8,
        attempt: u8,
        goal: Goal<Payment>,
        evidence: Evidence<Payment>,
    ) {
        let row = &mut self.rows[usize::from(attempt)];
        if row.holder.is_some() {
            return;
        }
        row.holder = Some(instance);
        row.fence += 1;
        if evidence == Evidence::Resumed {
            row.stage = match &row.stage {
                Stage::Requested(_) => Stage::Requested(Asked::Unanswered),
                Stage::Cancelling(id, Asked::Once) => Stage::Cancelling(*id, Asked::Unanswered),
                stage => stage.clone(),
            };
        }
        self.works[usize::from(instance)] = Some(Work {
            attempt,
            fence: row.fence,
            goal,
            next: Next::Store(evidence),
            is_late: false,
        });
    }

    fn pay(&mut self, instance: u8, token: u8, is_named: bool) {
        let paid = |standing: &Standing| standing.ending == Some(Ending::Paid);
        match self.open_row() {
            Some(attempt) => {
                let goal = if self.rows[usize::from(attempt)].token == token {
                    Goal::Create
                } else {
                    Goal::Replace(self.payment_of(attempt).filter(|_| is_named))
                };
                self.begin(instance, attempt, goal, Evidence::Resumed);
            }
            None if self.standings.iter().any(paid) => {}
            None => {
                self.rows.push(Row {
                    stage: Stage::Requested(Asked::Once),
                    holder: None,
                    fence: 0,
                    token,
                    duplicate_of: None,
                });
                let attempt = u8::try_from(self.rows.len() - 1).unwrap();
                self.begin(instance, attempt, Goal::Create, Evidence::New);
            }
        }
    }

    /// What a search finds: the payments of this order that no attempt has, except those of a token that was not asked for,
    /// which are in doubt.
    fn search(&self, attempt: u8) -> Found<Payment> {
        let token = self.rows[usize::from(attempt)].token;
        let of = |payment: &Known| self.rows[usize::from(payment.attempt)].token;
        let is_free = |id: &usize| match self.owner(u8::try_from(*id).unwrap()) {
            None => true,
            Some(owner) => {
                let owner = &self.rows[usize::from(owner)];
                owner.duplicate_of == Some(attempt) && matches!(owner.stage, Stage::Created(_))
            }
        };
        let mut possible = (0..self.payments.len()).filter(is_free);
        match (possible.next(), possible.next()) {
            (None, _) => Found::Nothing,
            (Some(id), None)
                if of(&self.payments[id]) == token
                    && matches!(
                        self.payments[id].status,
                        Status::Created | Status::CancelledSilently
                    ) =>
            {
                Found::One(u8::try_from(id).unwrap())
            }
            _ => Found::Unclear,
        }
    }

    /// What the list says, which every instance stores.
    fn read(&mut self, payment: Payment) -> Listed {
        let known = self.payments[usize::from(payment)];
        let standing = &mut self.standings[usize::from(payment)];
        standing.has_moved |= known.has_moved;
        let (listed, ending) = match known.status {
            Status::Created | Status::CancelledSilently => (Listed::Unchanged, None),
            Status::Closed => (Listed::Closed, Some(Ending::Closed)),
            Status::Pending => (Listed::Changed, None),
            Status::Paid => (Listed::Changed, Some(Ending::Paid)),
        };
        standing.ending = standing.ending.max(ending);
        listed
    }

    /// Stores the decision about a piece of evidence under the fence, as the proxy does in one transaction.
    fn store(&mut self, instance: u8, work: Work, evidence: Evidence<Payment>) {
        let row = usize::from(work.attempt);
        let is_lost = self.rows[row].fence != work.fence;
        let mut evidence = evidence;
        if is_lost {
            if let Evidence::Created(Created::Payment(id)) = evidence
                && self.owner(id).is_none()
            {
                self.rows.push(Row {
                    stage: Stage::Created(id),
                    holder: None,
                    fence: 0,
                    token: self.rows[row].token,
                    duplicate_of: Some(work.attempt),
                });
            }
            return;
        }
        if let Evidence::Searched(Found::One(id)) = evidence {
            match self.owner(id) {
                None => {}
                Some(owner) if self.rows[usize::from(owner)].duplicate_of == Some(work.attempt) => {
                    self.rows[usize::from(owner)].stage = Stage::Ended(None);
                }
                Some(_) => evidence = Evidence::Searched(Found::Unclear),
            }
        }
        let payment = match evidence {
            Evidence::Searched(Found::One(id)) => Some(id),
            _ => self.payment_of(work.attempt),
        };
        let standing = payment.map(|id| self.standings[usize::from(id)]);
        let attempt = Attempt {
            stage: self.rows[row].stage.clone(),
            standing: standing.unwrap_or_default(),
        };
        let decision = decide(&attempt, &work.goal, &evidence);
        if work.is_late && matches!(decision.action(), Action::Create | Action::Cancel(_)) {
            // The lease has ended, so what was read is too old.
            self.rows[row].holder = None;
            return;
        }
        self.note(&attempt, &decision.stage().clone(), &work.goal, &evidence);
        self.rows[row].stage = decision.stage().clone();
        match decision.action() {
            Action::Answer(answer) => {
                self.rows[row].holder = None;
                self.seen.replaced |= *answer == Answer::Free && payment.is_some();
            }
            action => {
                self.works[usize::from(instance)] = Some(Work {
                    next: Next::Act(action.clone()),
                    is_late: false,
                    ..work
                });
            }
        }
    }

    /// Notes what has happened, and which rule was broken.
    fn note(
        &mut self,
        before: &Attempt<Payment>,
        after: &Stage<Payment>,
        goal: &Goal<Payment>,
        evidence: &Evidence<Payment>,
    ) {
        match (&before.stage, after) {
            (Stage::Requested(_), Stage::Created(_)) => {
                self.seen.found |= matches!(evidence, Evidence::Searched(_));
            }
            (Stage::Created(id), Stage::Cancelling(..)) => {
                let standing = self.standings[usize::from(*id)];
                self.seen.cancelled_after_a_move |=
                    standing.has_moved || standing.ending == Some(Ending::Paid);
                self.seen.cancelled_after_a_mark |=
                    standing.is_marked && *goal != Goal::Cancel(Requester::Merchant);
                self.seen.replaced_without_a_name |= *goal == Goal::Replace(None);
            }
            (Stage::Created(_) | Stage::Cancelling(..), Stage::Ended(Some(id))) => {
                let Known {
                    status, has_moved, ..
                } = self.payments[usize::from(*id)];
                self.seen.cancelled = true;
                self.standings[usize::from(*id)].ending = self.standings[usize::from(*id)]
                    .ending
                    .max(Some(Ending::Closed));
                // Money may arrive after the list was read, but not before.
                self.seen.ended_without_proof |= status == Status::Created && !has_moved;
            }
            _ => {}
        }
    }

    /// Carries out an action. Returns the evidence, if the answer arrives.
    fn act(&mut self, work: &Work, action: &Action<Payment>) -> Evidence<Payment> {
        match action {
            Action::Search => Evidence::Searched(self.search(work.attempt)),
            Action::Create => {
                let id = self.add_payment(work.attempt);
                Evidence::Created(Created::Payment(id))
            }
            Action::Read(id) => Evidence::Listed(self.read(*id)),
            Action::Confirm(id) => Evidence::Confirmed(self.read(*id)),
            Action::Cancel(id) => Evidence::Cancelled(self.cancel(*id)),
            Action::Answer(_) => unreachable!("an answer ends the work"),
        }
    }

    /// The service cancels a payment, unless it is paid.
    fn cancel(&mut self, id: Payment) -> Cancelled {
        let payment = &mut self.payments[usize::from(id)];
        match payment.status {
            Status::Created => {
                // The two forms that the document leaves open.
                if id % 2 == 0 {
                    payment.status = Status::CancelledSilently;
                } else {
                    (payment.status, payment.has_moved) = (Status::Closed, true);
                }
                Cancelled::Documented
            }
            Status::CancelledSilently => Cancelled::Documented,
            Status::Closed | Status::Pending | Status::Paid => Cancelled::Nothing,
        }
    }

    /// The evidence of a lost answer.
    fn lost(action: &Action<Payment>) -> Evidence<Payment> {
        match action {
            Action::Search => Evidence::Searched(Found::Unclear),
            Action::Create => Evidence::Created(Created::Unclear),
            Action::Read(_) => Evidence::Listed(Listed::Unclear),
            Action::Confirm(_) => Evidence::Confirmed(Listed::Unclear),
            Action::Cancel(_) => Evidence::Cancelled(Cancelled::Lost),
            Action::Answer(_) => unreachable!("an answer ends the work"),
        }
    }

    fn go(&mut self, instance: u8) {
        let Some(work) = self.works[usize::from(instance)].take() else {
            return;
        };
        match work.next.clone() {
            Next::Store(evidence) => self.store(instance, work, evidence),
            Next::Act(action) => {
                let is_call = matches!(action, Action::Create | Action::Cancel(_));
                let evidence = if is_call && work.is_late {
                    // Its deadline has passed, so it is not sent.
                    match action {
                        Action::Create => Evidence::Created(Created::Nothing),
                        _ => Evidence::Cancelled(Cancelled::Nothing),
                    }
                } else {
                    self.act(&work, &action)
                };
                self.works[usize::from(instance)] = Some(Work {
                    next: Next::Store(evidence),
                    ..work
                });
            }
        }
    }

    /// Loses the answer to a call, or the request.
    fn lose(&mut self, instance: u8, is_request: bool) {
        let Some(work) = self.works[usize::from(instance)].take() else {
            return;
        };
        let Next::Act(action) = work.next.clone() else {
            return;
        };
        if !is_request {
            match action {
                // The service may execute it later.
                Action::Create => self.on_the_way.push(work.attempt),
                _ => {
                    self.act(&work, &action);
                }
            }
        }
        self.works[usize::from(instance)] = Some(Work {
            next: Next::Store(Self::lost(&action)),
            ..work
        });
    }
}

impl Model for Ledger {
    type State = World;
    type Action = Step;

    fn init_states(&self) -> Vec<World> {
        vec![World {
            rows: Vec::new(),
            payments: Vec::new(),
            standings: Vec::new(),
            works: [None, None],
            on_the_way: Vec::new(),
            requests: self.requests,
            faults: self.faults,
            changes: self.changes,
            seen: Seen::default(),
        }]
    }

    fn actions(&self, world: &World, steps: &mut Vec<Step>) {
        let payments = 0..u8::try_from(world.payments.len()).unwrap();
        for instance in [0, 1] {
            match &world.works[usize::from(instance)] {
                None if world.requests > 0 => {
                    for token in [0, 1] {
                        steps.push(Step::Pay(instance, token, true));
                    }
                    steps.push(Step::Pay(instance, 1, false));
                    for payment in payments.clone() {
                        for requester in [Requester::Buyer, Requester::Merchant] {
                            steps.push(Step::Cancel(instance, payment, requester));
                        }
                    }
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
            if world.works[usize::from(instance)].is_none() && world.requests > 0 {
                let late = world.rows.iter().zip(0..).filter(|(row, _)| {
                    row.duplicate_of.is_some() && !matches!(row.stage, Stage::Ended(_))
                });
                steps.extend(late.map(|(_, row)| Step::Settle(instance, row)));
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
                let all = [
                    Status::Pending,
                    Status::Paid,
                    Status::Closed,
                    Status::Created,
                ];
                let known = world.payments[usize::from(payment)];
                let others = all.into_iter().filter(|status| *status != known.status);
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
                next.begin(
                    instance,
                    attempt,
                    Goal::Cancel(requester),
                    Evidence::Resumed,
                );
            }
            Step::Settle(instance, row) => {
                next.requests -= 1;
                let of = next.rows[usize::from(row)].duplicate_of?;
                if matches!(next.rows[usize::from(of)].stage, Stage::Requested(_)) {
                    next.begin(instance, of, Goal::Find, Evidence::Resumed);
                } else {
                    let goal = Goal::Cancel(Requester::Proxy);
                    next.begin(instance, row, goal, Evidence::Resumed);
                }
            }
            Step::Mark(payment) => {
                next.changes -= 1;
                let attempt = usize::from(next.owner(payment)?);
                if !matches!(next.rows[attempt].stage, Stage::Created(_)) {
                    return None;
                }
                next.standings[usize::from(payment)].is_marked = true;
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
            Step::Crash(instance) => {
                next.faults -= 1;
                let work = next.works[usize::from(instance)].take()?;
                let row = &mut next.rows[usize::from(work.attempt)];
                if row.fence == work.fence {
                    row.holder = None;
                }
            }
            Step::Suspend(instance) => {
                next.faults -= 1;
                let work = next.works[usize::from(instance)].as_mut()?;
                work.is_late = true;
                let row = &mut next.rows[usize::from(work.attempt)];
                if row.fence == work.fence {
                    row.holder = None;
                }
            }
            Step::Poll(payment) => {
                next.read(payment);
            }
            Step::Becomes(payment, status) => {
                next.changes -= 1;
                let payment = &mut next.payments[usize::from(payment)];
                (payment.status, payment.has_moved) = (status, true);
            }
        }
        (next != *world).then_some(next)
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(
                "at most one open payment is the order's",
                |_, world: &World| {
                    let is_open = |row: &&Row| match row.stage {
                        Stage::Created(id) => {
                            row.duplicate_of.is_none()
                                && world.payments[usize::from(id)].status == Status::Created
                        }
                        _ => false,
                    };
                    world.rows.iter().filter(is_open).count() <= 1
                },
            ),
            Property::always(
                "a second open payment is known as one",
                |_, world: &World| {
                    // While nobody works, and nothing is on its way or in doubt, every payment is somebody's.
                    let is_quiet =
                        world.works.iter().all(Option::is_none) && world.on_the_way.is_empty();
                    let in_doubt = |row: &Row| matches!(row.stage, Stage::Requested(_));
                    !is_quiet
                        || world.rows.iter().any(in_doubt)
                        || (0..world.payments.len())
                            .all(|id| world.owner(u8::try_from(id).unwrap()).is_some())
                },
            ),
            Property::always(
                "nothing is cancelled after its status has moved",
                |_, world: &World| !world.seen.cancelled_after_a_move,
            ),
            Property::always(
                "only the merchant cancels a marked payment",
                |_, world: &World| !world.seen.cancelled_after_a_mark,
            ),
            Property::always("a payment is replaced only by name", |_, world: &World| {
                !world.seen.replaced_without_a_name
            }),
            Property::always(
                "what can still be paid does not count as cancelled",
                |_, world: &World| !world.seen.ended_without_proof,
            ),
            Property::sometimes("a payment is created", |_, world: &World| {
                world
                    .rows
                    .iter()
                    .any(|row| matches!(row.stage, Stage::Created(_)))
            }),
            Property::sometimes("a payment is found", |_, world: &World| world.seen.found),
            Property::sometimes("a payment is cancelled", |_, world: &World| {
                world.seen.cancelled
            }),
            Property::sometimes("a payment is replaced", |_, world: &World| {
                world.seen.replaced
            }),
            Property::sometimes("a late payment is settled", |_, world: &World| {
                let settled =
                    |row: &Row| row.duplicate_of.is_some() && matches!(row.stage, Stage::Ended(_));
                world.rows.iter().any(settled)
            }),
        ]
    }
}

fn walk(model: Ledger) {
    let checker = model.checker().threads(2).spawn_bfs().join();
    println!(
        "{} states, {} of them different, to the depth {}",
        checker.state_count(),
        checker.unique_state_count(),
        checker.max_depth()
    );
    checker.assert_properties();
}

/// Many requests and faults, and one change of a status.
#[test]
fn the_rules_hold_while_calls_fail() {
    walk(Ledger {
        requests: 3,
        faults: 2,
        changes: 1,
    });
}

/// Statuses that change and change back.
#[test]
fn the_rules_hold_while_statuses_change() {
    walk(Ledger {
        requests: 3,
        faults: 1,
        changes: 2,
    });
}

#[test]
#[ignore = "takes minutes in a release build"]
fn the_rules_hold_deeper() {
    walk(Ledger {
        requests: 4,
        faults: 2,
        changes: 2,
    });
}
