//! Finds or creates the attempt of a create request.

use std::sync::Arc;

use super::lease::{Lease, acquire};
use super::past::{self, Remembered};
use super::stored_attempt::{self, Stage, StoredAttempt};
use super::{
    Attempt, AttemptStore, CreatedPayment, HeldLease, IdempotencyKey, RETENTION, Timeouts,
    statements,
};
use crate::clock::{Clock, Millis};
use crate::store::database::{self, Session, query};
use crate::store::lease;
use crate::store::payments::{self, Ending};
use crate::store::random::id;

/// What a create request has to do next.
pub(crate) enum BeginOutcome {
    /// Return the payment that the service created before, with its latest known record and how it
    /// has ended.
    Created(CreatedPayment, Option<Ending>),
    /// Stop: the payment was cancelled, or a later choice of the buyer has replaced it.
    Ended,
    /// Stop: the service returned a payment that contradicts the request.
    Contradictory,
    /// Stop: the order has or may have a payment, but its record is no longer stored, or it is for
    /// another request. If its record says that it is closed, the order can be freed.
    Remembered(Option<CreatedPayment>),
    /// Wait: another request holds the lease.
    InProgress(HeldLease),
    /// Call the service: this request holds the lease.
    Leased(Lease),
    /// Cancel the order's open payment first: this request holds that attempt's lease.
    CancelFirst(Lease),
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
    /// Finds or creates the attempt of a request that arrived at `arrived`.
    pub(crate) async fn begin(
        &self,
        attempt: &Arc<Attempt>,
        arrived: Millis,
    ) -> Result<BeginOutcome, BeginError> {
        loop {
            let (attempt, timeouts) = (Arc::clone(attempt), self.timeouts);
            let begun = self.database.transaction(async move |session| {
                let clock = session.clock().await?;
                let mut transaction = BeginTransaction {
                    session,
                    attempt: &attempt,
                    arrived,
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
}

/// The database transaction that finds or creates an attempt.
struct BeginTransaction<'a, 'c> {
    session: &'a mut Session<'c>,
    attempt: &'a Attempt,
    arrived: Millis,
    clock: Clock,
    timeouts: Timeouts,
}

impl BeginTransaction<'_, '_> {
    async fn begin(&mut self) -> Result<BeginOutcome, BeginError> {
        let mut begun = match &self.attempt.key {
            Some(key) => self.by_key(key).await?,
            None => None,
        };
        if begun.is_none() {
            begun = self.by_order().await?;
        }
        match begun {
            Some(BeginOutcome::Created(created, _)) => {
                // The program may have stopped after a search found the payment. A payment that was
                // tracked once stays so as long as its attempt.
                let record = stored_attempt::to_json(&created.record)?;
                let (id, first_poll) = (&created.transaction_id, self.timeouts.first_poll);
                let (session, clock, outbox) =
                    (&mut *self.session, self.clock, self.timeouts.outbox);
                payments::add_payment(session, clock, id, &record, first_poll, outbox).await?;
                let latest = payments::latest(self.session, id).await?;
                let Some(latest) = latest else {
                    return Ok(BeginOutcome::Created(created, None));
                };
                let record = stored_attempt::from_json(&latest.record)?;
                Ok(BeginOutcome::Created(
                    created.updated(record),
                    latest.ending,
                ))
            }
            Some(begun) => Ok(begun),
            None => Ok(BeginOutcome::Leased(self.insert(Stage::Requested).await?)),
        }
    }

    async fn by_key(&mut self, key: &IdempotencyKey) -> Result<Option<BeginOutcome>, BeginError> {
        let found = query!(statements::BY_KEY, key.as_str());
        let found = self.session.row::<(StoredAttempt, String)>(found).await?;
        let Some((stored, digest)) = found else {
            return Ok(None);
        };
        let free = matches!(stored.stage, Stage::Refused);
        if !free && digest != self.attempt.request_digest {
            return Err(BeginError::Mismatch);
        }
        self.extend_retention(&stored).await?;
        Ok(match stored.stage {
            Stage::Created(created) => Some(BeginOutcome::Created(created, None)),
            Stage::Requested => Some(self.resume(stored).await?),
            Stage::Cancelling(_) | Stage::Ended(_) => Some(BeginOutcome::Ended),
            Stage::Contradictory(_) => Some(BeginOutcome::Contradictory),
            Stage::Refused => None,
        })
    }

    async fn by_order(&mut self) -> Result<Option<BeginOutcome>, BeginError> {
        let attempt = self.attempt;
        let Some(order) = &attempt.order else {
            return Ok(None);
        };
        let found = query!(statements::OPEN_FOR_ORDER, order.id.clone());
        let Some(stored) = self.session.row::<StoredAttempt>(found).await? else {
            let past = past::find(self.session, &order.id, &attempt.fingerprint).await?;
            return Ok(past.map(|past| match past {
                Remembered::Payment(created) => BeginOutcome::Created(created, None),
                Remembered::Outcome(created) => BeginOutcome::Remembered(created),
            }));
        };
        self.extend_retention(&stored).await?;
        if matches!(stored.stage, Stage::Contradictory(_)) {
            return Ok(Some(BeginOutcome::Contradictory));
        }
        let same = stored.fingerprint == attempt.fingerprint;
        if same && matches!(stored.stage, Stage::Created(_) | Stage::Requested) {
            if let Some(key) = &attempt.key {
                self.bind_key(key, &stored.id).await?;
            }
            return Ok(Some(match stored.stage {
                Stage::Created(created) => BeginOutcome::Created(created, None),
                _ => self.resume(stored).await?,
            }));
        }
        if !same && stored.begun_at > self.arrived {
            // The buyer has chosen another token while this request waited. Store that for its key,
            // so that a repeat of the request gets the same result.
            if attempt.key.is_some() {
                self.insert(Stage::Ended(None)).await?;
            }
            return Ok(Some(BeginOutcome::Ended));
        }
        let held = HeldLease::new(&stored, false);
        let taken = acquire(self.session, stored, self.clock, self.timeouts).await?;
        Ok(Some(taken.map_or(
            BeginOutcome::InProgress(held),
            BeginOutcome::CancelFirst,
        )))
    }

    /// Keeps all attempts of an order until the order expires.
    async fn extend_retention(&mut self, stored: &StoredAttempt) -> database::Result<()> {
        if let Some(order) = &self.attempt.order
            && stored.kept_until < order.payable_until
        {
            let (id, until) = (order.id.clone(), order.payable_until);
            self.session
                .execute(query!(statements::EXTEND_RETENTION, id, until))
                .await?;
        }
        Ok(())
    }

    /// Continues an attempt whose lease has expired.
    async fn resume(&mut self, stored: StoredAttempt) -> database::Result<BeginOutcome> {
        let held = HeldLease::new(&stored, true);
        let taken = acquire(self.session, stored, self.clock, self.timeouts).await?;
        Ok(taken.map_or(BeginOutcome::InProgress(held), BeginOutcome::Leased))
    }

    /// Inserts a new attempt, or fails with a conflict if the order or the key already has one.
    async fn insert(&mut self, stage: Stage) -> Result<Lease, BeginError> {
        let (attempt, clock) = (self.attempt, self.clock);
        let order = attempt.order.as_ref();
        let lease = lease::Lease::first(clock, self.timeouts.term);
        let stored = StoredAttempt {
            id: id(clock.now)?,
            request: attempt.payment.clone(),
            signed: order.is_some(),
            stage,
            fingerprint: attempt.fingerprint.clone(),
            begun_at: self.arrived,
            lease: lease.stored(),
            called_at: clock.now,
            settles_at: clock.after(self.timeouts.until_settled()),
            failure: None,
            kept_until: clock
                .after(RETENTION)
                .max(order.map_or(0, |order| order.payable_until)),
        };
        let request = stored_attempt::to_json(&stored.request)?;
        let signed = order.map(|order| stored_attempt::to_json(&order.signed));
        let insert = query!(
            statements::INSERT,
            stored.id.clone(),
            order.map(|order| order.id.clone()),
            stored.fingerprint.clone(),
            request,
            stored.begun_at,
            stored.stage.columns()?.stage,
            lease.until(),
            stored.called_at,
            stored.settles_at,
            stored.kept_until,
            signed.transpose()?,
        );
        let mut written = self.session.execute(insert).await?;
        if let (1, Some(key)) = (written, &attempt.key) {
            written = self.bind_key(key, &stored.id).await?;
        }
        match written {
            1 => Ok(Lease::first(stored, lease)),
            _ => Err(BeginError::Conflict),
        }
    }

    async fn bind_key(&mut self, key: &IdempotencyKey, id: &str) -> database::Result<u64> {
        let digest = self.attempt.request_digest.as_str();
        let bind = query!(statements::BIND_KEY, key.as_str(), digest, id);
        self.session.execute(bind).await
    }
}
