//! Cancels a payment, for the buyer, for the merchant, or because the buyer chose another token.

use axum::http::StatusCode;
use tender_protocol::{CancelPayment, PaymentState, Record};

use super::lookup::Listed;
use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::service::ServiceError;
use crate::statuses::{Progress, text};
use crate::store::attempts::{CancelStart, CreatedPayment, Lease, Outcome, Stage};

impl Payments {
    pub(super) async fn cancel_once(&self, payment: &CancelPayment) -> Result<String, Error> {
        let mut wait = self.wait();
        loop {
            match self.store.begin_cancel(&payment.transaction_id).await? {
                CancelStart::Unknown => {
                    self.refuse_paid(&payment.transaction_id).await?;
                    return Ok(self.request_cancel(&payment.transaction_id).await?);
                }
                CancelStart::Ended => return self.cancelled(&payment.transaction_id).await,
                CancelStart::InProgress(held) => wait.for_change(&held.id).await?,
                CancelStart::Leased(lease, created) => {
                    match self.cancel_leased(*lease, created).await {
                        Ok(answer) => return Ok(answer),
                        Err(LeaseError::Failed(error)) => return Err(error),
                        Err(LeaseError::Lost) => {}
                    }
                }
            }
        }
    }

    /// Cancels the payment of an attempt and releases the lease.
    ///
    /// Once the service may have received the request, the payment is no longer shown to the buyer.
    /// Only a clear refusal of the first request makes it payable again. After any other response,
    /// the service's list decides whether the payment is cancelled.
    pub(super) async fn cancel_leased(
        &self,
        mut lease: Lease,
        created: CreatedPayment,
    ) -> Result<String, LeaseError> {
        if let Err(error) = self.refuse_paid(&created.transaction_id).await {
            self.release(&lease, Outcome::Stage(Stage::Created(created)))
                .await?;
            return Err(error.into());
        }
        let asked_before = matches!(lease.attempt.stage, Stage::Cancelling(_));
        let cancelling = Stage::Cancelling(created.clone());
        self.store.advance(&mut lease, cancelling.clone()).await?;
        let answer = self.request_cancel(&created.transaction_id).await;
        let (stage, answer) = match answer {
            Err(error) if is_refusal(&error) && !asked_before => {
                (Stage::Created(created), Err(error))
            }
            Ok(_) | Err(ServiceError::Refused(_)) => {
                self.confirm(answer, created, &mut lease).await?
            }
            Err(error) => (cancelling, Err(error)),
        };
        self.release(&lease, Outcome::Stage(stage)).await?;
        Ok(answer.map_err(Error::from)?)
    }

    /// Asks the service to cancel a payment, but not too often.
    pub(super) async fn request_cancel(
        &self,
        transaction_id: &str,
    ) -> Result<String, ServiceError> {
        self.cancel_limit.check(transaction_id)?;
        self.service.cancel(transaction_id).await
    }

    /// The response for a payment that is cancelled already, in the form of the service's: an array
    /// with its record.
    async fn cancelled(&self, transaction_id: &str) -> Result<String, Error> {
        self.refuse_paid(transaction_id).await?;
        let latest = self.store.latest_record(transaction_id).await?;
        let latest = latest.ok_or(Error::AttemptEnded)?;
        let record = self.statuses.with_state(&latest.record, latest.ending);
        Ok(format!("[{record}]"))
    }

    /// Fails if a payment is known to be paid.
    async fn refuse_paid(&self, transaction_id: &str) -> Result<(), Error> {
        let Some(latest) = self.store.latest_record(transaction_id).await? else {
            return Ok(());
        };
        let record = Record::parse(&latest.record, "a payment record").map_err(Error::internal)?;
        match self.statuses.state(&record, latest.ending) {
            Some(PaymentState::Paid) => Err(Error::PaymentProgressed),
            _ => Ok(()),
        }
    }

    /// Reads in the list what a cancel request has changed.
    ///
    /// The service's document shows a cancelled payment that still has the status "Created". So an
    /// unchanged status counts as cancelled only together with the documented response.
    async fn confirm(
        &self,
        answer: Result<String, ServiceError>,
        created: CreatedPayment,
        lease: &mut Lease,
    ) -> Result<(Stage, Result<String, ServiceError>), LeaseError> {
        let id = created.transaction_id.clone();
        let is_documented = match &answer {
            Ok(json) => self.is_cancel_response(json, &created),
            Err(_) => false,
        };
        let listed = match self.find_listed(&id, lease).await {
            Err(LeaseError::Failed(error)) => {
                tracing::warn!(transaction_id = id, %error, "can't read a cancelled payment");
                Listed::Unknown
            }
            listed => listed?,
        };
        let Listed::Record(record) = listed else {
            let is_gone = is_documented && matches!(listed, Listed::Absent);
            return Ok(if is_gone {
                (Stage::Ended(Some(id)), answer)
            } else {
                (Stage::Cancelling(created), Err(unconfirmed(answer)))
            });
        };
        Ok(match self.statuses.progress(&created.record, &record) {
            Progress::Closed | Progress::Unchanged if is_documented => {
                (Stage::Ended(Some(id)), answer)
            }
            Progress::Closed => {
                // In the form of the service's response: an array of records.
                let json = serde_json::to_string(&[&record]).map_err(Error::internal)?;
                (Stage::Ended(Some(id)), Ok(json))
            }
            Progress::Unchanged => (Stage::Cancelling(created), Err(unconfirmed(answer))),
            Progress::Changed => (Stage::Created(created), Err(unconfirmed(answer))),
        })
    }

    /// Whether the response of cancel is an array with this payment, not further than created or
    /// cancelled.
    pub(super) fn is_cancel_response(&self, json: &str, created: &CreatedPayment) -> bool {
        let records = Record::parse_array(json, "a list of payment records").unwrap_or_default();
        let mut records = records.into_iter().flatten();
        records.any(|record| {
            text(&record, "transactionId").as_ref() == Some(&created.transaction_id)
                && self.statuses.progress(&created.record, &record) != Progress::Changed
        })
    }
}

/// The reason for which a payment does not count as cancelled.
fn unconfirmed(answer: Result<String, ServiceError>) -> ServiceError {
    answer.err().unwrap_or(ServiceError::Unconfirmed)
}

/// Whether the service certainly did not cancel. A conflict is about this payment's own state.
fn is_refusal(error: &ServiceError) -> bool {
    error.nothing_happened() || matches!(error, ServiceError::Refused(StatusCode::CONFLICT))
}
