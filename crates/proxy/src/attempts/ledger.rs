//! The ledger of attempts, in memory: it lives as long as the process.
//!
//! Its functions are the ones that a database can offer as well: begin, claim, settle, release.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;
use std::time::Duration;

use tender_protocol::Record;
use tokio::sync::{Mutex, watch};
use tokio::time::Instant;

use super::identity::{Attempt, Fingerprint, IdempotencyKey};
use crate::service::ServiceError;

/// How long a repeat finds the answer of its attempt.
const KEPT: Duration = Duration::from_hours(24);

/// At about two kilobytes each. The oldest settled ones make room; those under way stay.
const MAX_ATTEMPTS: usize = 20_000;

/// A payment that the service created, and its record as it came.
#[derive(Debug)]
pub(crate) struct Created {
    pub(crate) transaction_id: String,
    pub(crate) record: Record,
}

/// How an attempt ended. Everyone who waited for it gets the same.
pub(crate) type Outcome = Result<Arc<Created>, Arc<ServiceError>>;

/// Where a request stands that begins an attempt.
pub(crate) enum Begun {
    /// It was answered before.
    Answered(Arc<Created>),
    /// Someone else's request is under way.
    Running(Waiting),
    /// It is this request's turn to ask the service.
    Mine(Ticket, Waiting),
}

/// The right, and the duty, to ask the service and to settle. A ticket that is dropped unsettled
/// leaves its attempt in doubt.
pub(crate) struct Ticket {
    number: Number,
    /// Whether the service may have created the payment already.
    pub(crate) in_doubt: bool,
    outcome: watch::Sender<Option<Outcome>>,
}

/// Waits for the outcome of an attempt.
#[derive(Clone)]
pub(crate) struct Waiting(watch::Receiver<Option<Outcome>>);

impl Waiting {
    pub(crate) async fn outcome(mut self) -> Outcome {
        match self.0.wait_for(Option::is_some).await.as_deref() {
            Ok(Some(outcome)) => outcome.clone(),
            _ => Err(Arc::new(ServiceError::Abandoned)),
        }
    }

    /// Whether no outcome will come.
    fn is_abandoned(&self) -> bool {
        self.0.has_changed().is_err()
    }
}

/// The key came before, with another request.
#[derive(Debug)]
pub(crate) struct Mismatch;

/// All attempts of this process.
pub(crate) struct Ledger {
    room: usize,
    entries: Mutex<Entries>,
}

/// In the order in which attempts began.
type Number = u64;

#[derive(Default)]
struct Entries {
    next: Number,
    attempts: BTreeMap<Number, Entry>,
    keys: HashMap<IdempotencyKey, Number>,
    orders: HashMap<Fingerprint, Number>,
    /// Payments that answered an attempt, so that no other attempt takes them for its own.
    transactions: HashMap<String, Number>,
}

struct Entry {
    begun: Instant,
    attempt: Attempt,
    stage: Stage,
}

enum Stage {
    Running(Waiting),
    InDoubt,
    Answered(Arc<Created>),
}

impl Default for Ledger {
    fn default() -> Self {
        Self::with_room(MAX_ATTEMPTS)
    }
}

impl Ledger {
    fn with_room(room: usize) -> Self {
        let entries = Mutex::default();
        Self { room, entries }
    }

    /// Finds or begins an attempt.
    pub(crate) async fn begin(&self, attempt: Attempt) -> Result<Begun, Mismatch> {
        let mut entries = self.entries.lock().await;
        entries.make_room(self.room);
        entries.begin(attempt)
    }

    /// Takes a payment of the service's list for an attempt; `false` where it is another's.
    pub(crate) async fn claim(&self, ticket: &Ticket, transaction_id: &str) -> bool {
        self.entries
            .lock()
            .await
            .claim(ticket.number, transaction_id)
    }

    /// Ends what [`Ledger::begin`] began. An answer is kept. A refusal forgets the attempt, unless
    /// it was in doubt already: then a payment may still be there. All else leaves it in doubt.
    pub(crate) async fn settle(&self, ticket: Ticket, outcome: Outcome) {
        let mut entries = self.entries.lock().await;
        match &outcome {
            Ok(created) => {
                entries.claim(ticket.number, &created.transaction_id);
                entries.set(ticket.number, Stage::Answered(Arc::clone(created)));
            }
            Err(error) if error.nothing_happened() && !ticket.in_doubt => {
                entries.remove(ticket.number);
            }
            Err(_) => entries.set(ticket.number, Stage::InDoubt),
        }
        ticket.outcome.send_replace(Some(outcome));
    }

    /// The payment is no longer live: its order may be paid anew. Its key still finds the answer.
    pub(crate) async fn release(&self, transaction_id: &str) {
        self.entries.lock().await.release(transaction_id);
    }
}

impl Entries {
    fn begin(&mut self, attempt: Attempt) -> Result<Begun, Mismatch> {
        let Some(number) = self.find(&attempt)? else {
            return Ok(self.add(attempt));
        };
        let Some(entry) = self.attempts.get_mut(&number) else {
            return Ok(self.add(attempt));
        };
        Ok(match &entry.stage {
            Stage::Answered(created) => Begun::Answered(Arc::clone(created)),
            Stage::Running(waiting) if !waiting.is_abandoned() => Begun::Running(waiting.clone()),
            Stage::Running(_) | Stage::InDoubt => {
                let (ticket, waiting) = ticket(number, true);
                entry.stage = Stage::Running(waiting.clone());
                Begun::Mine(ticket, waiting)
            }
        })
    }

    fn find(&self, attempt: &Attempt) -> Result<Option<Number>, Mismatch> {
        let Some(number) = attempt.key.as_ref().and_then(|key| self.keys.get(key)) else {
            let order = attempt.order.as_ref();
            return Ok(order.and_then(|order| self.orders.get(order)).copied());
        };
        let known = self.attempts.get(number);
        if known.is_some_and(|known| known.attempt.request != attempt.request) {
            return Err(Mismatch);
        }
        Ok(Some(*number))
    }

    fn add(&mut self, attempt: Attempt) -> Begun {
        let number = self.next;
        self.next += 1;
        if let Some(key) = &attempt.key {
            self.keys.insert(key.clone(), number);
        }
        if let Some(order) = attempt.order {
            self.orders.insert(order, number);
        }
        let (ticket, waiting) = ticket(number, false);
        let entry = Entry {
            begun: Instant::now(),
            attempt,
            stage: Stage::Running(waiting.clone()),
        };
        self.attempts.insert(number, entry);
        Begun::Mine(ticket, waiting)
    }

    fn set(&mut self, number: Number, stage: Stage) {
        if let Some(entry) = self.attempts.get_mut(&number) {
            entry.stage = stage;
        }
    }

    fn claim(&mut self, number: Number, transaction_id: &str) -> bool {
        let transactions = &mut self.transactions;
        *transactions
            .entry(transaction_id.to_owned())
            .or_insert(number)
            == number
    }

    fn release(&mut self, transaction_id: &str) {
        let number = self.transactions.get(transaction_id);
        let entry = number.and_then(|number| self.attempts.get_mut(number));
        if let Some(order) = entry.and_then(|entry| entry.attempt.order.take()) {
            self.orders.remove(&order);
        }
    }

    fn remove(&mut self, number: Number) {
        let Some(Entry { attempt, stage, .. }) = self.attempts.remove(&number) else {
            return;
        };
        if let Some(key) = attempt.key {
            self.keys.remove(&key);
        }
        if let Some(order) = attempt.order {
            self.orders.remove(&order);
        }
        if let Stage::Answered(created) = stage {
            self.transactions.remove(&created.transaction_id);
        }
    }

    /// Removes what is too old, and the oldest where there are `room` attempts.
    fn make_room(&mut self, room: usize) {
        let settled = |entry: &Entry| match &entry.stage {
            Stage::Running(waiting) => waiting.is_abandoned(),
            Stage::InDoubt | Stage::Answered(_) => true,
        };
        while let Some((number, oldest)) = self.attempts.iter().find(|(_, entry)| settled(entry)) {
            if oldest.begun.elapsed() < KEPT && self.attempts.len() < room {
                break;
            }
            self.remove(*number);
        }
    }
}

fn ticket(number: Number, in_doubt: bool) -> (Ticket, Waiting) {
    let (outcome, waiting) = watch::channel(None);
    let ticket = Ticket {
        number,
        in_doubt,
        outcome,
    };
    (ticket, Waiting(waiting))
}

#[cfg(test)]
mod tests;
