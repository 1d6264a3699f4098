//! Requests to cancel a payment, to mark it as sent, and to release its order.

use tender_ledger::{Answer, Facts, Goal, Refusal, Requester};
use tender_protocol::ProblemCode;
use tender_protocol::client::failure::causes;
use tender_protocol::sent::Mark;

use super::Executor;
use super::run::{Done, Task};
use crate::error::Error;
use crate::service::ServiceError;
use crate::store::attempts::{MarkDigest, Marked};

impl Executor {
    /// Cancels a payment. Returns its record in the form of the service's response: an array of records.
    pub(crate) async fn cancel(
        &self,
        transaction_id: String,
        requester: Requester,
    ) -> Result<String, Error> {
        let executor = self.clone();
        let cancelling = async move {
            let task = Task::Payment(&transaction_id, Goal::Cancel(requester));
            let done = executor.work(&task).await?;
            let done = done.ok_or(ProblemCode::AttemptEnded)?;
            match done.answer {
                Answer::Cancelled => executor.cancelled(&transaction_id, done).await,
                Answer::Show(_) | Answer::Free | Answer::Failed => Err(done
                    .error
                    .unwrap_or_else(|| ServiceError::Abandoned.into())
                    .into()),
                Answer::Refused(refusal) => Err(match refusal {
                    Refusal::Progressed | Refusal::Open => ProblemCode::PaymentProgressed.into(),
                    Refusal::Marked => ProblemCode::PaymentSent.into(),
                    Refusal::Ended | Refusal::Contradictory => ProblemCode::AttemptEnded.into(),
                    Refusal::Unidentified | Refusal::Unknown => done.unconfirmed().into(),
                }),
            }
        };
        self.run_to_completion(cancelling).await
    }

    /// Frees the order of a payment, whatever its status is. Nothing is sent to the service. Returns whether an attempt has
    /// the payment.
    pub(crate) async fn release(&self, transaction_id: String) -> Result<bool, Error> {
        let executor = self.clone();
        let releasing = async move {
            let task = Task::Payment(&transaction_id, Goal::Release);
            Ok(executor.work(&task).await?.is_some())
        };
        self.run_to_completion(releasing).await
    }

    /// Ends cancellations that were interrupted when a process was killed, so that the buyer and the shop learn the outcome, or that
    /// there is none.
    pub(super) async fn end_interrupted(self, payments: Vec<String>) {
        let ending = async {
            for id in payments {
                match self.work(&Task::Payment(&id, Goal::Find)).await {
                    // Another process holds the lease, which is alive.
                    Ok(_) | Err(Error::Problem(ProblemCode::AttemptInProgress)) => {}
                    Err(error) => {
                        let error = causes(&error);
                        tracing::warn!(
                            transaction_id = id,
                            error,
                            "can't end the cancellation of a payment"
                        );
                    }
                }
            }
        };
        let stop = &self.shared.stop;
        stop.run_until_cancelled(Box::pin(ending)).await;
    }

    /// Marks that money may have been sent for a payment.
    pub(crate) async fn mark_sent(
        &self,
        transaction_id: &str,
        digest: &MarkDigest,
    ) -> Result<Mark, Error> {
        match self.shared.store.mark_sent(transaction_id, digest).await? {
            Marked::Set(mark) => Ok(mark),
            Marked::TooLate => Err(ProblemCode::CancelBegun.into()),
            Marked::Unknown => Err(ProblemCode::PaymentUnknown.into()),
        }
    }

    /// The record of a cancelled payment: a buyer sees one amount and one wallet of it.
    async fn cancelled(&self, transaction_id: &str, done: Done) -> Result<String, Error> {
        let known = self.known(transaction_id).await?.or_else(|| {
            // It was created elsewhere, or too late.
            let other = done.listed.or(done.attempt.record)?;
            Some((other, Facts::default()))
        });
        let (mut record, facts) = known.ok_or(ProblemCode::AttemptEnded)?;
        self.shared.statuses.add_state(&mut record, facts);
        serde_json::to_string(&[record]).map_err(Error::internal)
    }
}
