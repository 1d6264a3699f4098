//! Finds or creates the attempt of a request.

use std::sync::Arc;

use tender_ledger::{Action, Answer, Asked, Evidence, Goal, Refusal, Stage};

use super::decide::standing;
use super::lease::{Held, acquire};
use super::stored::{StoredAttempt, to_json};
use super::{Attempt, AttemptStore, HeldLease, IdempotencyKey, RETENTION, Timeouts, statements};
use crate::clock::Clock;
use crate::store::database::{self, Session, query};
use crate::store::lease::Lease;
use crate::store::random::id;

/// What a request has to do next.
pub(crate) enum Begun {
    /// Answer by what is stored.
    Answered(Answer, Box<StoredAttempt>),
    /// Wait: another request holds the lease.
    Waiting(HeldLease),
    /// Work on the attempt: this request holds the lease.
    Held(Box<Held>, Goal<String>),
}

/// What to do with a payment that no attempt has.
#[derive(Clone, Copy)]
pub(crate) enum Unknown {
    Ignore,
    /// Store it as one that was created elsewhere.
    Store,
}

/// Why an attempt could not be started.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BeginError {
    /// The idempotency key was used before with a different request.
    #[error("the key was used for another request")]
    Mismatch,
    #[error("the database can't be used: {0}")]
    Database(#[from] database::Error),
    /// Lost a unique-index race with another request; retry.
    #[error("another request was faster")]
    Conflict,
}

impl AttemptStore {
    /// Finds or creates the attempt of a create request.
    pub(crate) async fn begin(&self, attempt: &Arc<Attempt>) -> Result<Begun, BeginError> {
        loop {
            let (attempt, timeouts) = (Arc::clone(attempt), self.timeouts);
            let begun = self.database.transaction(async move |session| {
                let clock = session.clock().await?;
                let mut transaction = BeginTransaction {
                    session,
                    attempt: &attempt,
                    clock,
                    timeouts,
                };
                transaction.begin().await
            });
            match begun.await {
                Err(BeginError::Conflict) => {}
                begun => return begun,
            }
        }
    }

    /// Finds the attempt that has a payment, to work on it for a goal; `None` if no attempt has it and it is not stored.
    pub(crate) async fn begin_for(
        &self,
        transaction_id: &str,
        goal: Goal<String>,
        unknown: Unknown,
    ) -> database::Result<Option<Begun>> {
        let timeouts = self.timeouts;
        let (transaction_id, find) = (
            transaction_id.to_owned(),
            query!(statements::BY_TRANSACTION, transaction_id),
        );
        let begun = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            let found = match (session.row::<StoredAttempt>(find).await?, unknown) {
                (None, Unknown::Store) => {
                    Some(insert_foreign(session, clock, transaction_id).await?)
                }
                (found, _) => found,
            };
            match found {
                Some(stored) => Ok(Some(enter(session, clock, timeouts, stored, goal).await?)),
                None => Ok(None),
            }
        });
        begun.await
    }

    /// Acquires the lease of an attempt to work on it for a goal; `None` if another request holds it or it is gone.
    pub(crate) async fn resume(&self, attempt: &str) -> database::Result<Option<Held>> {
        let (find, timeouts) = (query!(statements::BY_ID, attempt), self.timeouts);
        let resumed = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            match session.row(find).await? {
                Some(stored) => acquire(session, stored, clock, timeouts).await,
                None => Ok(None),
            }
        });
        resumed.await
    }
}

/// Answers by what is stored if that changes nothing, or acquires the lease.
async fn enter(
    session: &mut Session<'_>,
    clock: Clock,
    timeouts: Timeouts,
    stored: StoredAttempt,
    goal: Goal<String>,
) -> database::Result<Begun> {
    let attempt = tender_ledger::Attempt {
        standing: standing(session, &stored, stored.payment()).await?,
        stage: stored.stage.clone(),
    };
    let decision = tender_ledger::decide(&attempt, &goal, &Evidence::Resumed);
    if let Action::Answer(answer) = decision.action()
        && *decision.stage() == stored.stage
        && goal != Goal::Release
    {
        return Ok(Begun::Answered(*answer, Box::new(stored)));
    }
    let held = HeldLease::new(&stored, goal == Goal::Create);
    let taken = acquire(session, stored, clock, timeouts).await?;
    Ok(taken.map_or(Begun::Waiting(held), |held| {
        Begun::Held(Box::new(held), goal)
    }))
}

/// The record of a payment that was created elsewhere: the status that the service documents for a new one.
const CREATED: &str = r#"{"statusId":"1","statusText":"Created"}"#;

/// Stores a payment that was created elsewhere, while it is being cancelled.
async fn insert_foreign(
    session: &mut Session<'_>,
    clock: Clock,
    transaction_id: String,
) -> database::Result<StoredAttempt> {
    let id = id(clock.now)?;
    let insert = query!(
        statements::INSERT_FOREIGN,
        id.clone(),
        transaction_id,
        CREATED,
        clock.now,
        clock.after(RETENTION),
    );
    session.execute(insert).await?;
    let stored = session.row(query!(statements::BY_ID, id)).await?;
    stored.ok_or_else(|| database::Error::unreadable("an attempt that was just stored is missing"))
}

/// The database transaction that finds or creates an attempt.
struct BeginTransaction<'a, 'c> {
    session: &'a mut Session<'c>,
    attempt: &'a Attempt,
    clock: Clock,
    timeouts: Timeouts,
}

impl BeginTransaction<'_, '_> {
    async fn begin(&mut self) -> Result<Begun, BeginError> {
        if let Some(key) = &self.attempt.key
            && let Some(begun) = self.by_key(key).await?
        {
            return Ok(begun);
        }
        if let Some(begun) = self.by_order().await? {
            return Ok(begun);
        }
        let held = self.insert().await?;
        Ok(Begun::Held(Box::new(held), Goal::Create))
    }

    async fn by_key(&mut self, key: &IdempotencyKey) -> Result<Option<Begun>, BeginError> {
        let found = query!(statements::BY_KEY, key.as_str());
        let found = self.session.row::<(StoredAttempt, String)>(found).await?;
        let Some((stored, digest)) = found else {
            return Ok(None);
        };
        if stored.stage == Stage::Refused {
            return Ok(None);
        }
        if digest != self.attempt.request_digest {
            return Err(BeginError::Mismatch);
        }
        self.extend_retention(&stored).await?;
        if matches!(stored.stage, Stage::Cancelling(..)) {
            // The buyer has cancelled this payment or replaced it.
            let ended = Answer::Refused(Refusal::Ended);
            return Ok(Some(Begun::Answered(ended, Box::new(stored))));
        }
        Ok(Some(self.enter(stored, Goal::Create).await?))
    }

    async fn by_order(&mut self) -> Result<Option<Begun>, BeginError> {
        let attempt = self.attempt;
        let Some(order) = &attempt.order else {
            return Ok(None);
        };
        let found = query!(statements::OPEN_FOR_ORDER, order.id.clone());
        let Some(stored) = self.session.row::<StoredAttempt>(found).await? else {
            return self.by_seen_order(&order.id).await;
        };
        self.extend_retention(&stored).await?;
        if stored.fingerprint != attempt.fingerprint {
            let mut named = attempt.replaces.iter();
            let named = named.find(|id| stored.payment() == Some(*id));
            let goal = Goal::Replace(named.cloned());
            return Ok(Some(self.enter(stored, goal).await?));
        }
        let id = stored.id.clone();
        let is_requested = matches!(stored.stage, Stage::Requested(_));
        let begun = self.enter(stored, Goal::Create).await?;
        let is_shown = matches!(begun, Begun::Answered(Answer::Show(_), _));
        if let Some(key) = &attempt.key
            && (is_requested || is_shown)
        {
            self.bind_key(key, &id).await?;
        }
        Ok(Some(begun))
    }

    /// An order for which money was seen gets no other payment.
    async fn by_seen_order(&mut self, order_id: &str) -> Result<Option<Begun>, BeginError> {
        let seen = query!(statements::SEEN_OF_ORDER, order_id);
        let seen = self.session.row::<StoredAttempt>(seen).await?;
        let progressed = Answer::Refused(Refusal::Progressed);
        Ok(seen.map(|seen| Begun::Answered(progressed, Box::new(seen))))
    }

    async fn enter(
        &mut self,
        stored: StoredAttempt,
        goal: Goal<String>,
    ) -> database::Result<Begun> {
        enter(self.session, self.clock, self.timeouts, stored, goal).await
    }

    /// Keeps all attempts of an order as long as the order leads to its payment.
    async fn extend_retention(&mut self, stored: &StoredAttempt) -> database::Result<()> {
        if let Some(order) = &self.attempt.order
            && stored.kept_until < order.readable_until
        {
            let (id, until) = (order.id.clone(), order.readable_until);
            self.session
                .execute(query!(statements::EXTEND_RETENTION, id, until))
                .await?;
        }
        Ok(())
    }

    /// Inserts a new attempt, or fails with a conflict if the order or the key already has one.
    async fn insert(&mut self) -> Result<Held, BeginError> {
        let (attempt, clock) = (self.attempt, self.clock);
        let order = attempt.order.as_ref();
        let lease = Lease::first(clock, self.timeouts.term);
        let signed = order.map(|order| to_json(&order.signed));
        let kept_until = clock
            .after(RETENTION)
            .max(order.map_or(0, |order| order.readable_until));
        let stored = StoredAttempt {
            id: id(clock.now)?,
            order_id: order.map(|order| order.id.clone()),
            duplicate_of: None,
            request: Some(attempt.payment.clone()),
            stage: Stage::Requested(Asked::Once),
            record: None,
            fingerprint: attempt.fingerprint.clone(),
            begun_at: clock.now,
            lease: lease.stored(),
            called_at: clock.now,
            settles_at: clock.after(self.timeouts.until_settled()),
            failure: None,
            kept_until,
        };
        let insert = query!(
            statements::INSERT,
            stored.id.clone(),
            stored.order_id.clone(),
            stored.fingerprint.clone(),
            to_json(&attempt.payment)?,
            clock.now,
            lease.until(),
            stored.settles_at,
            kept_until,
            signed.transpose()?,
            attempt.invoice_id.clone(),
        );
        let mut written = self.session.execute(insert).await?;
        if let (1, Some(key)) = (written, &attempt.key) {
            written = self.bind_key(key, &stored.id).await?;
        }
        if written != 1 {
            return Err(BeginError::Conflict);
        }
        Ok(Held {
            settles_at: clock.instant(stored.settles_at),
            attempt: stored,
            lease,
        })
    }

    async fn bind_key(&mut self, key: &IdempotencyKey, id: &str) -> database::Result<u64> {
        let digest = self.attempt.request_digest.as_str();
        let bind = query!(statements::BIND_KEY, key.as_str(), digest, id);
        self.session.execute(bind).await
    }
}
