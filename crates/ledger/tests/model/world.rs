//! The state of the model, and what the instances and the service do.

use std::collections::BTreeSet;

use tender_ledger::{
    Action, Answer, Asked, Cancelled, Created, Evidence, Found, Goal, Listed, Meaning, OrderFacts,
    OrderMoney, PaymentFate, Requester, Stage, decide,
};

/// The index of a payment. Attempts and instances have indexes, too.
pub(crate) type Payment = usize;

/// A payment, as the service knows it and as it is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is an independent fact: any of them may come with any other"
)]
pub(crate) struct Known {
    /// The attempt that it was created for.
    pub(crate) attempt: usize,
    /// What its status at the service means.
    pub(crate) status: Meaning,
    /// Whether it is cancelled although its status still says "Created", as in the service's document.
    pub(crate) is_cancelled_silently: bool,
    /// Whether the status was ever another one than "Created".
    pub(crate) has_moved: bool,
    /// What the stored record says.
    pub(crate) meaning: Meaning,
    pub(crate) facts: OrderFacts,
    /// Whether the stored record ever said that money was seen.
    pub(crate) was_seen: bool,
    /// Whether the merchant has released the order since.
    pub(crate) is_released: bool,
}

impl Known {
    /// Whether it can be paid.
    pub(crate) fn is_open(&self) -> bool {
        self.status == Meaning::Created && !self.is_cancelled_silently
    }
}

/// A row of the attempt store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Row {
    pub(crate) stage: Stage<Payment>,
    /// The instance that holds the lease.
    pub(crate) holder: Option<usize>,
    /// Counts the leases.
    pub(crate) fence: u8,
    /// Which of two tokens.
    pub(crate) token: u8,
    /// The attempt that this payment, which was created too late, was created for.
    pub(crate) duplicate_of: Option<usize>,
    /// Whether the merchant has released the order.
    pub(crate) is_released: bool,
}

/// The work of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Work {
    pub(crate) attempt: usize,
    pub(crate) fence: u8,
    pub(crate) goal: Goal<Payment>,
    /// What it does next.
    pub(crate) next: Next,
    /// Whether its lease may have ended while it was suspended.
    pub(crate) is_late: bool,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Next {
    /// Store what follows from this.
    Store(Evidence<Payment>),
    /// Carry this out.
    Act(Action<Payment>),
}

#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct World {
    pub(crate) rows: Vec<Row>,
    pub(crate) payments: Vec<Known>,
    pub(crate) works: [Option<Work>; 2],
    /// Requests to create that the service has not executed yet, by attempt.
    pub(crate) on_the_way: Vec<usize>,
    /// How many more requests of buyers, merchants and the proxy itself, faults, and changes of the service there are.
    pub(crate) requests: u8,
    pub(crate) faults: u8,
    pub(crate) changes: u8,
    pub(crate) seen: BTreeSet<Event>,
}

/// What has happened at least once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Event {
    Found,
    Cancelled,
    Replaced,
    /// The others break a rule.
    CancelledAfterAMove,
    CancelledAfterAMark,
    ReplacedWithoutAName,
    EndedWithoutProof,
    AskedToPayAgain,
    ReplacedAfterMoneyWasSeen,
}

impl World {
    pub(crate) fn open_row(&self) -> Option<usize> {
        let open = |row: &Row| {
            row.duplicate_of.is_none() && !matches!(row.stage, Stage::Ended(_) | Stage::Refused)
        };
        self.rows.iter().position(open)
    }

    pub(crate) fn payment_of(&self, attempt: usize) -> Option<Payment> {
        match &self.rows[attempt].stage {
            Stage::Created(id) | Stage::Cancelling(id, _) => Some(*id),
            Stage::Ended(id) => *id,
            Stage::Contradictory(_) | Stage::Requested(_) | Stage::Refused => None,
        }
    }

    pub(crate) fn owner(&self, payment: Payment) -> Option<usize> {
        (0..self.rows.len()).find(|row| self.payment_of(*row) == Some(payment))
    }

    pub(crate) fn add_payment(&mut self, attempt: usize) -> Payment {
        self.payments.push(Known {
            attempt,
            status: Meaning::Created,
            is_cancelled_silently: false,
            has_moved: false,
            meaning: Meaning::Created,
            facts: OrderFacts::default(),
            was_seen: false,
            is_released: false,
        });
        self.payments.len() - 1
    }

    /// Begins work on an attempt, if its lease is free.
    pub(crate) fn begin(&mut self, instance: usize, attempt: usize, goal: Goal<Payment>) {
        let row = &mut self.rows[attempt];
        if row.holder.is_some() {
            return;
        }
        row.holder = Some(instance);
        row.fence += 1;
        row.stage = match &row.stage {
            Stage::Requested(_) => Stage::Requested(Asked::Unanswered),
            Stage::Cancelling(id, Asked::First) => Stage::Cancelling(*id, Asked::Unanswered),
            stage => stage.clone(),
        };
        self.works[instance] = Some(Work {
            attempt,
            fence: row.fence,
            goal,
            next: Next::Store(Evidence::Resumed),
            is_late: false,
        });
    }

    pub(crate) fn pay(&mut self, instance: usize, token: u8, is_named: bool) {
        match self.open_row() {
            Some(attempt) => {
                let goal = if self.rows[attempt].token == token {
                    Goal::Create
                } else {
                    Goal::Replace(self.payment_of(attempt).filter(|_| is_named))
                };
                self.begin(instance, attempt, goal);
            }
            None if self.money(None).is_some() => {}
            None => {
                self.rows.push(Row {
                    stage: Stage::Requested(Asked::First),
                    holder: Some(instance),
                    fence: 1,
                    token,
                    duplicate_of: None,
                    is_released: false,
                });
                self.works[instance] = Some(Work {
                    attempt: self.rows.len() - 1,
                    fence: 1,
                    goal: Goal::Create,
                    next: Next::Act(Action::Create),
                    is_late: false,
                });
            }
        }
    }

    /// What a search finds: the payments of this order that no attempt has, except those of a token that was not asked for,
    /// which are in doubt.
    fn search(&self, attempt: usize) -> Found<Payment> {
        let token = self.rows[attempt].token;
        let of = |payment: &Known| self.rows[payment.attempt].token;
        let is_free = |id: &usize| match self.owner(*id) {
            None => true,
            Some(owner) => {
                let owner = &self.rows[owner];
                owner.duplicate_of == Some(attempt) && matches!(owner.stage, Stage::Created(_))
            }
        };
        let mut possible = (0..self.payments.len()).filter(is_free);
        match (possible.next(), possible.next()) {
            (None, _) => Found::Nothing,
            (Some(id), None)
                if of(&self.payments[id]) == token
                    && self.payments[id].status == Meaning::Created =>
            {
                Found::One(id)
            }
            _ => Found::Unclear,
        }
    }

    /// What the list says, which every instance stores.
    pub(crate) fn read(&mut self, payment: Payment) -> Listed {
        let stored = &mut self.payments[payment];
        let meaning = stored.status;
        stored.meaning = meaning;
        let facts = &mut stored.facts;
        facts.has_moved |= meaning != Meaning::Created;
        let before = facts.fate;
        facts.fate = PaymentFate::next(before, meaning, facts.has_moved);
        let money = |fate: Option<PaymentFate>| fate.and_then(PaymentFate::money);
        stored.is_released &= money(facts.fate) <= money(before);
        let (listed, is_seen) = match meaning {
            Meaning::Created => (Listed::Unchanged, false),
            Meaning::Closed => (Listed::Closed, false),
            Meaning::NotMapped => (Listed::Changed, false),
            Meaning::Pending | Meaning::Underpaid | Meaning::Paid => (Listed::Changed, true),
        };
        stored.was_seen |= is_seen;
        listed
    }

    /// The most that was seen for a payment of the order, besides this one.
    pub(crate) fn money(&self, except: Option<Payment>) -> Option<OrderMoney> {
        let payments = (0..).zip(&self.payments);
        let of_order = payments.filter(|(id, stored)| {
            let owner = self.owner(*id).map(|row| &self.rows[row]);
            let is_bound = owner.is_some_and(|row| row.duplicate_of.is_none());
            Some(*id) != except && is_bound && !stored.is_released
        });
        let money = of_order.filter_map(|(_, stored)| stored.facts.fate?.money());
        money.max()
    }

    /// What is stored of a payment and of the others of its order.
    fn facts(&self, payment: Option<Payment>) -> OrderFacts {
        let own = payment.map(|id| self.payments[id].facts);
        OrderFacts {
            order: self.money(payment),
            ..own.unwrap_or_default()
        }
    }

    /// Stores the decision about a piece of evidence under the fence, as the proxy does in one transaction.
    fn store(&mut self, instance: usize, work: Work, evidence: Evidence<Payment>) {
        let row = work.attempt;
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
                    is_released: false,
                });
            }
            return;
        }
        if let Evidence::Searched(Found::One(id)) = evidence {
            match self.owner(id) {
                None => {}
                Some(owner) if self.rows[owner].duplicate_of == Some(work.attempt) => {
                    self.rows[owner].stage = Stage::Ended(None);
                }
                Some(_) => evidence = Evidence::Searched(Found::Unclear),
            }
        }
        let payment = match evidence {
            Evidence::Searched(Found::One(id)) => Some(id),
            _ => self.payment_of(work.attempt),
        };
        let before = self.rows[row].stage.clone();
        let facts = self.facts(payment);
        let (stage, action) = decide(&before, facts, &work.goal, &evidence);
        if work.is_late && matches!(action, Action::Create | Action::Cancel(_)) {
            // The lease has ended, so what was read is too old.
            self.rows[row].holder = None;
            return;
        }
        let decided = (&stage, &action);
        self.note(&before, facts, &work.goal, &evidence, decided);
        if work.goal == Goal::Release {
            self.rows[row].is_released = true;
            if let Some(id) = payment {
                self.payments[id].is_released = true;
            }
        } else {
            self.follow(&before, &stage);
        }
        self.rows[row].stage = stage;
        match action {
            Action::Answer(answer) => {
                self.rows[row].holder = None;
                self.note_if(Event::Replaced, answer == Answer::Free && payment.is_some());
            }
            action => {
                self.works[instance] = Some(Work {
                    next: Next::Act(action),
                    is_late: false,
                    ..work
                });
            }
        }
    }

    /// Notes what has happened, and which rule was broken.
    fn note(
        &mut self,
        stage: &Stage<Payment>,
        facts: OrderFacts,
        goal: &Goal<Payment>,
        evidence: &Evidence<Payment>,
        (after, action): (&Stage<Payment>, &Action<Payment>),
    ) {
        match action {
            Action::Cancel(_) => {
                let has_moved =
                    facts.has_moved || facts.fate.is_some_and(PaymentFate::is_money_seen);
                self.note_if(Event::CancelledAfterAMove, has_moved);
                let is_others = *goal != Goal::Cancel(Requester::Merchant);
                self.note_if(Event::CancelledAfterAMark, facts.is_marked && is_others);
                let is_first = matches!(stage, Stage::Created(_));
                self.note_if(
                    Event::ReplacedWithoutAName,
                    is_first && *goal == Goal::Replace(None),
                );
                let is_replaced = matches!(goal, Goal::Replace(_));
                self.note_if(
                    Event::ReplacedAfterMoneyWasSeen,
                    is_first && is_replaced && facts.order.is_some(),
                );
            }
            // A new attempt is stored by the transaction that sees no such payment of its order.
            Action::Create => {
                self.note_if(Event::ReplacedAfterMoneyWasSeen, facts.order.is_some());
            }
            Action::Answer(Answer::Show(_)) => {
                let is_seen = facts.fate.is_some_and(PaymentFate::is_money_seen);
                self.note_if(Event::AskedToPayAgain, facts.order.is_some() && !is_seen);
            }
            _ => {}
        }
        match (stage, after) {
            (Stage::Requested(_), Stage::Created(_)) => {
                self.note_if(Event::Found, matches!(evidence, Evidence::Searched(_)));
            }
            (Stage::Created(_) | Stage::Cancelling(..), Stage::Ended(Some(id)))
                if *goal != Goal::Release =>
            {
                let known = self.payments[*id];
                self.note_if(Event::Cancelled, true);
                // Money may arrive after the list was read, but not before.
                self.note_if(
                    Event::EndedWithoutProof,
                    known.is_open() && !known.has_moved,
                );
                self.note_if(
                    Event::ReplacedAfterMoneyWasSeen,
                    facts.fate.is_some_and(PaymentFate::is_money_seen),
                );
            }
            _ => {}
        }
    }

    /// Stores what a new stage means for its payment.
    fn follow(&mut self, before: &Stage<Payment>, after: &Stage<Payment>) {
        if let Stage::Created(id) | Stage::Cancelling(id, _) = before {
            let Known { meaning, facts, .. } = &mut self.payments[*id];
            let is_changed_back = facts.has_moved && *meaning == Meaning::Created;
            facts.fate = PaymentFate::after_stage(facts.fate, [before, after], is_changed_back);
        }
    }

    fn note_if(&mut self, event: Event, has_happened: bool) {
        if has_happened {
            self.seen.insert(event);
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
        let payment = &mut self.payments[id];
        match payment.status {
            Meaning::Created => {
                // The two forms that the document leaves open.
                if payment.is_cancelled_silently || id.is_multiple_of(2) {
                    payment.is_cancelled_silently = true;
                } else {
                    (payment.status, payment.has_moved) = (Meaning::Closed, true);
                }
                Cancelled::Documented
            }
            Meaning::Closed
            | Meaning::NotMapped
            | Meaning::Pending
            | Meaning::Underpaid
            | Meaning::Paid => Cancelled::Nothing,
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

    pub(crate) fn go(&mut self, instance: usize) {
        let Some(work) = self.works[instance].take() else {
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
                self.works[instance] = Some(Work {
                    next: Next::Store(evidence),
                    ..work
                });
            }
        }
    }

    /// Loses the answer to a call, or the request.
    pub(crate) fn lose(&mut self, instance: usize, is_request: bool) {
        let Some(work) = self.works[instance].take() else {
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
        self.works[instance] = Some(Work {
            next: Next::Store(Self::lost(&action)),
            ..work
        });
    }
}
