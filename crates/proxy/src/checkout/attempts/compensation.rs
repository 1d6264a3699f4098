//! Compensation for payments that were created twice: an instance paused for longer than its lease,
//! and another instance called the service too.
//!
//! Such a payment is stored before anything else is done with it, and stays there until it is
//! settled: it is the payment of its attempt after all, or it is cancelled. Until then the merchant
//! sees it. A payment whose status has changed may have been paid, so it is not cancelled; the
//! merchant settles it by hand (`tender-proxy ledger settle`).

use std::time::Duration;

use backon::{ExponentialBuilder, Retryable as _};
use tender_protocol::Payment;
use tokio_util::task::AbortOnDropHandle;

use super::cancellation::{CancelRequest, Cancellation};
use super::comparison::contradiction;
use super::find::Listed;
use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::service::ServiceError;
use crate::statuses::Progress;
use crate::store::attempts::{CreatedPayment, Lease, Outcome, Stage};
use crate::store::database;
use crate::store::payments::Ending;
use crate::store::surplus::SurplusPayment;

/// How often the database is checked for payments of other instances.
const INTERVAL: Duration = Duration::from_secs(5);

/// Pauses between two tries.
const FIRST_PAUSE: Duration = Duration::from_secs(1);
const MAX_PAUSE: Duration = Duration::from_mins(10);

/// Why a payment whose status has changed stays open.
const MAY_BE_PAID: &str = "it may have been paid; `tender-proxy ledger settle` removes it";

/// What is known about a payment that may be surplus.
enum Verdict {
    /// It belongs to an attempt.
    Used,
    /// It has ended.
    Cancelled,
    /// Neither is certain.
    Open(&'static str),
}

impl Payments {
    /// Stores a payment that was created after its lease was lost.
    pub(super) async fn compensate(&self, lease: &Lease, created: &CreatedPayment) {
        let attempt = &lease.attempt;
        let add = async || {
            self.surplus
                .add(&attempt.id, &attempt.request, created)
                .await
        };
        let transaction_id = &created.transaction_id;
        match add.retry(ExponentialBuilder::default()).await {
            Ok(()) => {
                tracing::warn!(transaction_id, "a payment was created too late");
                self.surplus_stored.notify_one();
            }
            Err(error) => {
                tracing::error!(transaction_id, %error, "a payment was created too late; cancel it by hand unless it is the order's");
            }
        }
    }

    /// Settles payments in the background until the handle is dropped.
    pub(crate) fn spawn_compensation(&self) -> AbortOnDropHandle<()> {
        let payments = self.clone();
        AbortOnDropHandle::new(tokio::spawn(async move {
            loop {
                if let Err(error) = payments.settle_due().await {
                    tracing::warn!(%error, "can't read the payments that were created too late");
                }
                let stored = payments.surplus_stored.notified();
                _ = tokio::time::timeout(INTERVAL, stored).await;
            }
        }))
    }

    /// Tries to settle each payment that is due.
    async fn settle_due(&self) -> database::Result<()> {
        // Longer than a try takes, unless it reads many pages. Two tries at once do no harm.
        let lease = self.store.timeouts().lease() * 4;
        while let Some(payment) = self.surplus.claim(lease).await? {
            let id = &payment.created.transaction_id;
            let reason = match self.settle(&payment).await {
                Ok(Verdict::Used) => {
                    tracing::info!(transaction_id = id, "a late payment is its order's");
                    self.surplus.settle(id, false).await?;
                    continue;
                }
                Ok(Verdict::Cancelled) => {
                    tracing::info!(transaction_id = id, "a surplus payment is cancelled");
                    self.surplus.settle(id, true).await?;
                    continue;
                }
                Ok(Verdict::Open(reason)) => reason.to_owned(),
                Err(error) => error.to_string(),
            };
            let pause = FIRST_PAUSE.saturating_mul(2_u32.saturating_pow(payment.tries));
            let pause = pause.min(MAX_PAUSE);
            tracing::warn!(
                transaction_id = id,
                reason,
                ?pause,
                "a surplus payment is still open"
            );
            self.surplus.postpone(id, pause).await?;
        }
        self.metrics
            .late_duplicates
            .set(self.surplus.count().await?);
        Ok(())
    }

    /// If the other instance has found the payment in the list, nothing is left to do; if the other
    /// instance has created its own payment, this one is cancelled.
    async fn settle(&self, payment: &SurplusPayment) -> Result<Verdict, Error> {
        if self.is_contradictory(payment).await? {
            return Ok(Verdict::Open("it is not what was asked for"));
        }
        let created = &payment.created;
        let transaction_id = &created.transaction_id;
        let attempt = self.store.find(&payment.attempt_id).await?;
        if let Some(attempt) = &attempt
            && matches!(attempt.stage, Stage::Requested)
        {
            return self.return_to_attempt(payment).await;
        }
        // Without a signed order, another attempt may have found the payment in the list.
        if self.store.has_payment(transaction_id).await? {
            return Ok(Verdict::Used);
        }
        let mut was_listed = false;
        match self.find_anywhere(transaction_id).await? {
            Listed::Unknown => return Ok(Verdict::Open("the list can't be read completely")),
            Listed::Contradictory => {
                return Ok(Verdict::Open("the list shows it with different statuses"));
            }
            Listed::Absent | Listed::Empty => {}
            Listed::Record(record) => match self.statuses.progress(&created.record, &record) {
                Progress::Closed => return Ok(Verdict::Cancelled),
                Progress::Changed => return Ok(Verdict::Open(MAY_BE_PAID)),
                Progress::Unchanged => was_listed = true,
            },
        }
        if attempt.is_none() {
            // It may have been the order's payment.
            return Ok(Verdict::Open("its attempt is no longer known"));
        }
        // Reading the list takes time, in which an attempt may have found it there, too.
        if self.store.has_payment(transaction_id).await? {
            return Ok(Verdict::Used);
        }
        let answer = self.request_cancel(transaction_id).await?;
        let request = CancelRequest {
            is_documented: self.is_cancel_response(&answer, created),
            was_listed,
        };
        let listed = self.find_anywhere(transaction_id).await?;
        Ok(match self.cancellation(&created.record, request, &listed) {
            Cancellation::Confirmed => Verdict::Cancelled,
            Cancellation::Progressed => Verdict::Open(MAY_BE_PAID),
            Cancellation::Unconfirmed => Verdict::Open("its cancellation is not confirmed"),
        })
    }

    /// Whether a payment is not what its attempt asked for. Then no buyer may see it, and it may be
    /// another one's.
    async fn is_contradictory(&self, payment: &SurplusPayment) -> Result<bool, Error> {
        let Some(attempt) = self.store.find(&payment.attempt_id).await? else {
            return Ok(false);
        };
        let record = &payment.created.record;
        let payment = Payment::try_from(record).map_err(ServiceError::from)?;
        Ok(contradiction(&attempt.request, &payment).is_some()
            || self.statuses.ending(record) == Some(Ending::Closed))
    }

    /// Makes a payment the one of its attempt, which has none yet.
    async fn return_to_attempt(&self, payment: &SurplusPayment) -> Result<Verdict, Error> {
        let Some(lease) = self.store.acquire_by_id(&payment.attempt_id).await? else {
            return Ok(Verdict::Open("another request works on its order"));
        };
        let answered = Stage::Created(payment.created.clone());
        match self.release(&lease, Outcome::Stage(answered)).await {
            Ok(()) => Ok(Verdict::Used),
            Err(LeaseError::Lost) => Ok(Verdict::Open("another request works on its order")),
            Err(LeaseError::Failed(error)) => Err(error),
        }
    }
}

#[cfg(test)]
mod tests;
