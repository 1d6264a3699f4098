//! Requests to cancel a payment, to mark it as sent, and to release its order.

use tender_ledger::{Answer, Goal, Refusal, Requester};
use tender_protocol::sent::Mark;

use super::Ledger;
use super::run::{Done, Task};
use crate::error::Error;
use crate::service::ServiceError;
use crate::store::attempts::{MarkDigest, Marked};

impl Ledger {
    /// Cancels a payment. Returns its record in the form of the service's response: an array of records.
    pub(crate) async fn cancel(
        &self,
        transaction_id: String,
        requester: Requester,
    ) -> Result<String, Error> {
        let ledger = self.clone();
        let cancelling = async move {
            let task = Task::Payment(&transaction_id, Goal::Cancel(requester));
            let done = ledger.work(&task).await?.ok_or(Error::AttemptEnded)?;
            match done.answer {
                Answer::Cancelled => ledger.cancelled(&transaction_id, done).await,
                Answer::Show(_) | Answer::Free | Answer::Failed => Err(done
                    .error
                    .unwrap_or_else(|| ServiceError::Abandoned.into())
                    .into()),
                Answer::Refused(refusal) => Err(match refusal {
                    Refusal::Progressed | Refusal::Open => Error::PaymentProgressed,
                    Refusal::Marked => Error::PaymentSent,
                    Refusal::Ended | Refusal::Contradictory => Error::AttemptEnded,
                    Refusal::Unidentified | Refusal::Unknown => done.unconfirmed().into(),
                }),
            }
        };
        self.run_to_completion(cancelling).await
    }

    /// Frees the order of a payment, whatever its status is. Nothing is sent to the service. Returns whether an attempt has
    /// the payment.
    pub(crate) async fn release(&self, transaction_id: String) -> Result<bool, Error> {
        let ledger = self.clone();
        let releasing = async move {
            let task = Task::Payment(&transaction_id, Goal::Release);
            Ok(ledger.work(&task).await?.is_some())
        };
        self.run_to_completion(releasing).await
    }

    /// Marks that money may have been sent for a payment.
    pub(crate) async fn mark_sent(
        &self,
        transaction_id: &str,
        digest: &MarkDigest,
    ) -> Result<Mark, Error> {
        match self.shared.store.mark_sent(transaction_id, digest).await? {
            Marked::Set(mark) => Ok(mark),
            Marked::TooLate => Err(Error::CancelBegun),
            Marked::Unknown => Err(Error::PaymentUnknown),
        }
    }

    /// The record of a cancelled payment: a buyer sees one amount and one wallet of it.
    async fn cancelled(&self, transaction_id: &str, done: Done) -> Result<String, Error> {
        let other = done.listed.or(done.attempt.record);
        let known = self.known_or(transaction_id, other).await?;
        let (mut record, facts) = known.ok_or(Error::AttemptEnded)?;
        self.shared.statuses.add_state(&mut record, facts);
        serde_json::to_string(&[record]).map_err(Error::internal)
    }
}
