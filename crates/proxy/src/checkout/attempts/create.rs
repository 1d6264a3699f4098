//! Creates the payment of an attempt.

use std::sync::Arc;

use tender_protocol::{Payment, PaymentState, ProblemCode, Record};

use super::cancel::Purpose;
use super::comparison::contradiction_of_created;
use super::wait::Wait;
use super::{CreateOutcome, LeaseError, Origin, Payments};
use crate::checkout::Error;
use crate::service::ServiceError;
use crate::store::attempts::{
    Attempt, BeginOutcome, CancelStart, Claim, CreatedPayment, Lease, Outcome, Stage,
};
use crate::store::payments::Ending;

impl Payments {
    pub(super) async fn create_once(&self, attempt: &Arc<Attempt>) -> Result<CreateOutcome, Error> {
        let arrived = self.store.clock().await?.now;
        let mut wait = self.wait();
        loop {
            let error = match self.store.begin(attempt, arrived).await? {
                BeginOutcome::Created(created, ending) => {
                    let state = self.statuses.state(&created.record, ending);
                    if state != Some(PaymentState::Closed) {
                        return Ok(Origin::Repeated.outcome(created, state));
                    }
                    match self.end(&created, &mut wait).await {
                        // The order is free now.
                        Ok(()) => continue,
                        Err(error) => error,
                    }
                }
                BeginOutcome::Ended => return Err(Error::AttemptEnded),
                BeginOutcome::Contradictory => {
                    return Err(Error::Shared(ProblemCode::PaymentContradictory));
                }
                BeginOutcome::Remembered(created) => {
                    if let Some(created) = created
                        && self.statuses.ending(&created.record) == Some(Ending::Closed)
                        && self.store.end_past(&created.transaction_id).await?
                    {
                        continue;
                    }
                    return Err(Error::Shared(ProblemCode::PaymentUnidentified));
                }
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

    /// Ends the attempt of a payment that has ended.
    async fn end(&self, created: &CreatedPayment, wait: &mut Wait<'_>) -> Result<(), LeaseError> {
        match self.store.begin_cancel(&created.transaction_id).await? {
            // Its status is no longer the one that ended it, so it may have been paid.
            CancelStart::Leased(lease, _)
                if self.statuses.ending(&created.record) != Some(Ending::Closed) =>
            {
                self.cancel_existing(*lease).await
            }
            CancelStart::Leased(lease, created) => {
                let ended = Stage::Ended(Some(created.transaction_id));
                self.release(&lease, Outcome::Stage(ended)).await
            }
            CancelStart::InProgress(held) => Ok(wait.for_change(&held.id).await?),
            // Another request was faster.
            CancelStart::Ended => Ok(()),
            CancelStart::Unknown => {
                let id = &created.transaction_id;
                if self.store.end_past(id).await? {
                    Ok(())
                } else {
                    Err(Error::AttemptEnded.into())
                }
            }
        }
    }

    /// Creates the payment of a leased attempt and releases the lease.
    async fn create_leased(&self, mut lease: Lease) -> Result<CreateOutcome, LeaseError> {
        let error = match self.find_or_create(&mut lease).await {
            Ok(found) => {
                let created = &found.created;
                let outcome = Outcome::Stage(Stage::Created(created.clone()));
                let released = self.release(&lease, outcome).await;
                match &released {
                    Err(LeaseError::Lost) => self.compensate(&lease, created).await,
                    // Another attempt may have got the same payment.
                    Err(_) => self.refuse_claimed(&lease, created).await?,
                    Ok(()) => {}
                }
                return released.map(|()| found);
            }
            Err(error) => error,
        };
        if let LeaseError::Failed(Error::Service(error)) = &error
            // A contradiction is stored already.
            && !matches!(**error, ServiceError::Contradictory(_))
        {
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
            let state = self.statuses.state(&created.record, None);
            return Ok(Origin::Found.outcome(created, state));
        }
        self.store.record_call(lease).await?;
        let (send_by, finish_by) = (lease.send_by(), lease.finish_by());
        let request = &lease.attempt.request;
        let record = self.service.create(request, send_by, finish_by).await?;
        let payment = Payment::try_from(&record).map_err(ServiceError::from)?;
        let contradiction = self.contradiction(lease, &payment, &record);
        let created = CreatedPayment {
            transaction_id: payment.transaction_id,
            record,
        };
        if let Some(field) = contradiction {
            return Err(self.refuse(lease, &created, field).await);
        }
        tracing::info!(created.transaction_id, "created");
        let state = self.statuses.state(&created.record, None);
        Ok(Origin::Created.outcome(created, state))
    }

    /// The field for which a payment is not shown to the buyer, if there is one.
    fn contradiction(
        &self,
        lease: &Lease,
        payment: &Payment,
        record: &Record,
    ) -> Option<&'static str> {
        contradiction_of_created(&lease.attempt.request, payment).or_else(|| {
            // The list may say otherwise, so the order must not be freed for another payment.
            let is_closed = self.statuses.ending(record) == Some(Ending::Closed);
            is_closed.then_some("statusText")
        })
    }

    /// Refuses a payment whose result was not stored, if another attempt has or had it, or if it has ended.
    async fn refuse_claimed(
        &self,
        lease: &Lease,
        created: &CreatedPayment,
    ) -> Result<(), LeaseError> {
        let claim = self.store.claim(&created.transaction_id, &lease.attempt);
        match claim.await? {
            Claim::Free => Ok(()),
            Claim::Paid | Claim::Taken => Err(self.refuse(lease, created, "transactionId").await),
        }
    }

    /// Refuses a payment that is not what was asked for. It is stored for the merchant and never
    /// shown to a buyer, and the order gets no other payment. Returns the error for the buyer.
    async fn refuse(
        &self,
        lease: &Lease,
        created: &CreatedPayment,
        field: &'static str,
    ) -> LeaseError {
        let error = ServiceError::Contradictory(field);
        let transaction_id = &created.transaction_id;
        tracing::error!(transaction_id, %error, "the payment is not shown to the buyer");
        let stage = Stage::Contradictory(created.record.clone());
        let released = self.release(lease, Outcome::Stage(stage)).await;
        if matches!(released, Err(LeaseError::Lost)) {
            self.compensate(lease, created).await;
        }
        released.err().unwrap_or_else(|| error.into())
    }

    /// Frees an order from its payment, so that another one can be created: the payment has ended,
    /// or it is cancelled. A payment whose status has changed otherwise is not cancelled, because it
    /// may have been paid.
    async fn cancel_existing(&self, mut lease: Lease) -> Result<(), LeaseError> {
        let open = match lease.attempt.stage.clone() {
            Stage::Created(created) | Stage::Cancelling(created) => Some(created),
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
        if self.is_closed(&transaction_id).await? {
            let ended = Stage::Ended(Some(transaction_id));
            return self.release(&lease, Outcome::Stage(ended)).await;
        }
        match self.cancel_leased(lease, created, Purpose::Replace).await {
            Ok(_) => {
                tracing::info!(
                    transaction_id,
                    "the payment is cancelled or has ended, so it can be replaced"
                );
                Ok(())
            }
            Err(LeaseError::Failed(Error::Service(error))) => {
                Err(Error::EarlierPaymentOpen(error).into())
            }
            Err(error) => Err(error),
        }
    }

    /// Whether the latest known status of a payment says that it is closed. What the proxy itself has
    /// closed may not be cancelled yet.
    async fn is_closed(&self, transaction_id: &str) -> Result<bool, Error> {
        let known = self.known(transaction_id).await?;
        Ok(known.is_some_and(|(record, ending)| {
            self.statuses.ending(&record) == Some(Ending::Closed)
                && self.statuses.state(&record, ending) == Some(PaymentState::Closed)
        }))
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
