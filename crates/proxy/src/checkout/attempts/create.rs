//! Creates the payment of an attempt.

use std::sync::Arc;

use super::{CreateOutcome, LeaseError, Origin, Payments};
use crate::checkout::Error;
use crate::store::attempts::{Attempt, BeginOutcome, CreatedPayment, Lease, Outcome, Stage};

impl Payments {
    pub(super) async fn create_once(&self, attempt: &Arc<Attempt>) -> Result<CreateOutcome, Error> {
        let arrived = self.store.clock().await?.now;
        let mut wait = self.wait();
        loop {
            let error = match self.store.begin(attempt, arrived).await? {
                BeginOutcome::Answered(created) => return Ok(Origin::Repeated.outcome(created)),
                BeginOutcome::Ended => return Err(Error::AttemptEnded),
                BeginOutcome::InProgress(held) => {
                    wait.for_change(&held.id).await?;
                    // Every request that waited for the same call gets its result.
                    match self.store.failure(&held).await? {
                        Some(code) => return Err(Error::Shared(code)),
                        None => continue,
                    }
                }
                BeginOutcome::Leased(lease) => match self.create_leased(lease).await {
                    Ok(outcome) => return Ok(outcome),
                    Err(error) => error,
                },
                BeginOutcome::CancelFirst(lease) => match self.cancel_existing(lease).await {
                    // The order is free now, unless another request was faster.
                    Ok(()) => continue,
                    Err(error) => error,
                },
            };
            match error {
                LeaseError::Lost => {
                    tracing::warn!("another instance took the attempt over; trying again");
                }
                LeaseError::Failed(error) => return Err(error),
            }
        }
    }

    /// Creates the payment of a leased attempt and releases the lease.
    async fn create_leased(&self, mut lease: Lease) -> Result<CreateOutcome, LeaseError> {
        let error = match self.find_or_create(&mut lease).await {
            Ok(found) => {
                let created = &found.created;
                let outcome = Outcome::Stage(Stage::Answered(created.clone()));
                let released = self.release(&lease, outcome).await;
                if matches!(released, Err(LeaseError::Lost)) {
                    self.compensate(lease.attempt.id, created.clone());
                }
                return released.map(|()| found);
            }
            Err(error) => error,
        };
        if let LeaseError::Failed(Error::Service(error)) = &error {
            let outcome = Outcome::Failed {
                code: error.code(),
                nothing_happened: error.nothing_happened(),
            };
            self.release(&lease, outcome).await?;
        }
        Err(error)
    }

    async fn find_or_create(&self, lease: &mut Lease) -> Result<CreateOutcome, LeaseError> {
        if lease.in_doubt
            && let Some(created) = self.search(lease).await?
        {
            tracing::info!(created.transaction_id, "found the payment in the list");
            return Ok(Origin::Found.outcome(created));
        }
        self.store.record_call(lease).await?;
        let timeouts = self.store.timeouts();
        let (send_by, finish_by) = (lease.send_by(timeouts), lease.finish_by(timeouts));
        let request = &lease.attempt.request;
        let record = self.service.create(request, send_by, finish_by).await;
        let created = record.and_then(|record| Ok(CreatedPayment::try_from(record)?));
        let created = created.map_err(Error::from)?;
        tracing::info!(created.transaction_id, "created");
        Ok(Origin::Created.outcome(created))
    }

    /// Cancels the open payment of an order, so that another one can be created.
    async fn cancel_existing(&self, mut lease: Lease) -> Result<(), LeaseError> {
        let open = match lease.attempt.stage.clone() {
            Stage::Answered(created) | Stage::Cancelling(created) => Some(created),
            _ => match self.search(&mut lease).await {
                Ok(found) => found,
                Err(error) => {
                    self.release_after_failure(&lease, &error).await;
                    return Err(error);
                }
            },
        };
        let Some(created) = open else {
            return self
                .release(&lease, Outcome::Stage(Stage::Ended(None)))
                .await;
        };
        let transaction_id = created.transaction_id.clone();
        match self.cancel_leased(lease, created).await {
            Ok(_) => {
                tracing::info!(transaction_id, "cancelled the payment, to replace it");
                Ok(())
            }
            Err(LeaseError::Failed(Error::Service(error))) => {
                Err(Error::EarlierPaymentOpen(error).into())
            }
            Err(error) => Err(error),
        }
    }

    /// Releases a lease after a failed search, so that other requests don't have to wait until it
    /// expires.
    async fn release_after_failure(&self, lease: &Lease, error: &LeaseError) {
        if let LeaseError::Failed(Error::Service(error)) = error {
            let outcome = Outcome::Failed {
                code: error.code(),
                nothing_happened: false,
            };
            // If this fails too, the lease expires.
            let _ = self.release(lease, outcome).await;
        }
    }
}
