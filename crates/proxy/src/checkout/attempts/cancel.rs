//! Cancels a payment, for the buyer, for the merchant, or because the buyer chose another token.

use axum::http::StatusCode;
use tender_protocol::{CancelPayment, PaymentState, Record};

use super::cancellation::{CancelRequest, Cancellation};
use super::find::{Listed, is_of};
use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::identity;
use crate::service::ServiceError;
use crate::statuses::Progress;
use crate::store::attempts::{CancelStart, CreatedPayment, Lease, Outcome, Stage};

/// Who asks to cancel a payment. Each has an allowance of its own, so that a buyer who cancels too often
/// does not keep the merchant from it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Requester {
    /// By cancelling, or by choosing another token.
    Buyer,
    Merchant,
    /// The proxy, for a late duplicate.
    Proxy,
}

/// What a payment is cancelled for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Purpose {
    /// The buyer or the merchant asks for it, and knows the payment by its id. The request is
    /// forwarded even if the list does not show the payment.
    Asked(Requester),
    /// Another payment is to take its place. In doubt, nothing is cancelled.
    Replace,
}

impl Purpose {
    fn requester(self) -> Requester {
        match self {
            Self::Asked(requester) => requester,
            Self::Replace => Requester::Buyer,
        }
    }
}

/// What the list says about a payment before it is cancelled.
enum Before {
    /// It has the status of its creation.
    Unchanged,
    /// It has ended, so there is nothing to cancel.
    Closed(Record),
    /// It is not in the list, or the list can't be read.
    Unlisted,
}

impl Payments {
    pub(super) async fn cancel_once(
        &self,
        payment: &CancelPayment,
        requester: Requester,
    ) -> Result<String, Error> {
        let id = &payment.transaction_id;
        let purpose = Purpose::Asked(requester);
        let mut wait = self.wait();
        loop {
            match self.store.begin_cancel(id).await? {
                CancelStart::Unknown => return self.cancel_without_attempt(id, requester).await,
                CancelStart::Ended => return self.cancelled(id).await,
                CancelStart::InProgress(held) => wait.for_change(&held.id).await?,
                CancelStart::Leased(lease, created) => {
                    match self.cancel_leased(*lease, created, purpose).await {
                        Ok(answer) => return self.as_known(id, answer).await,
                        Err(LeaseError::Failed(error)) => return Err(error),
                        Err(LeaseError::Lost) => {}
                    }
                }
            }
        }
    }

    /// Cancels the payment of an attempt and releases the lease.
    ///
    /// The list is read first, because a payment that may have been paid is never cancelled.
    ///
    /// Once the service may have received the request, the payment is no longer shown to the buyer.
    /// Only a clear refusal of the first request makes it payable again. After any other response,
    /// the service's list decides whether the payment is cancelled.
    pub(super) async fn cancel_leased(
        &self,
        mut lease: Lease,
        created: CreatedPayment,
        purpose: Purpose,
    ) -> Result<String, LeaseError> {
        let was_listed = match self.read_before(&created, &mut lease, purpose).await {
            Ok(Before::Unchanged) => true,
            Ok(Before::Unlisted) => false,
            Ok(Before::Closed(record)) => {
                let ended = Stage::Ended(Some(created.transaction_id));
                self.release(&lease, Outcome::Stage(ended)).await?;
                return Ok(as_response(&record)?);
            }
            Err(LeaseError::Lost) => return Err(LeaseError::Lost),
            Err(error) => {
                let stage = match error {
                    LeaseError::Failed(Error::PaymentProgressed) => Stage::Created(created),
                    _ => lease.attempt.stage.clone(),
                };
                self.release(&lease, Outcome::Stage(stage)).await?;
                return Err(error);
            }
        };
        let asked_before = matches!(lease.attempt.stage, Stage::Cancelling(_));
        let cancelling = Stage::Cancelling(created.clone());
        self.store.advance(&mut lease, cancelling.clone()).await?;
        let answer = self.service.cancel(&created.transaction_id).await;
        let (stage, answer) = match answer {
            Err(error) if is_refusal(&error) && !asked_before => {
                (Stage::Created(created), Err(error))
            }
            Ok(_) | Err(ServiceError::Refused(_)) => {
                self.confirm(answer, created, was_listed, &mut lease)
                    .await?
            }
            Err(error) => (cancelling, Err(error)),
        };
        self.release(&lease, Outcome::Stage(stage)).await?;
        Ok(answer?)
    }

    /// Reads in the list whether a payment may be cancelled.
    async fn read_before(
        &self,
        created: &CreatedPayment,
        lease: &mut Lease,
        purpose: Purpose,
    ) -> Result<Before, LeaseError> {
        let id = &created.transaction_id;
        self.refuse_paid(id).await?;
        self.count_cancel(id, purpose.requester())?;
        let listed = match self.find_listed(id, Some(lease)).await {
            Err(LeaseError::Failed(Error::Service(error))) if purpose != Purpose::Replace => {
                tracing::warn!(transaction_id = id, %error, "can't read a payment before its cancellation");
                Listed::Unknown
            }
            listed => listed?,
        };
        if let Listed::Record(record) = &listed {
            self.store_listed(id, &created.record, record.clone())
                .await?;
        }
        let before = self.before(listed, &created.record)?;
        if matches!(before, Before::Unlisted) && purpose == Purpose::Replace {
            return Err(ServiceError::Unidentified("it is not listed".to_owned()).into());
        }
        Ok(before)
    }

    /// Fails if the payment may have been paid.
    fn before(&self, listed: Listed, created: &Record) -> Result<Before, Error> {
        match listed {
            Listed::Record(record) => match self.statuses.progress(created, &record) {
                Progress::Unchanged => Ok(Before::Unchanged),
                Progress::Closed => Ok(Before::Closed(record)),
                Progress::Changed => Err(Error::PaymentProgressed),
            },
            Listed::Contradictory => Err(ServiceError::Unconfirmed.into()),
            Listed::Absent | Listed::Empty | Listed::Unknown => Ok(Before::Unlisted),
        }
    }

    /// Cancels a payment that no attempt has, if its status is the documented one of its creation,
    /// or unknown.
    async fn cancel_without_attempt(
        &self,
        transaction_id: &str,
        requester: Requester,
    ) -> Result<String, Error> {
        self.refuse_paid(transaction_id).await?;
        self.count_cancel(transaction_id, requester)?;
        let created = CreatedPayment {
            transaction_id: transaction_id.to_owned(),
            record: documented_creation()?,
        };
        let listed = self.listed_or_unknown(transaction_id).await;
        let was_listed = match self.before(listed, &created.record)? {
            Before::Unchanged => true,
            Before::Unlisted => false,
            Before::Closed(record) => return as_response(&record),
        };
        let answer = self.service.cancel(transaction_id).await?;
        let request = CancelRequest {
            is_documented: self.is_cancel_response(&answer, &created),
            was_listed,
        };
        let listed = self.listed_or_unknown(transaction_id).await;
        match self.cancellation(&created.record, request, &listed) {
            Cancellation::Confirmed => Ok(answer),
            Cancellation::Progressed | Cancellation::Unconfirmed => {
                Err(ServiceError::Unconfirmed.into())
            }
        }
    }

    async fn listed_or_unknown(&self, transaction_id: &str) -> Listed {
        match self.find_anywhere(transaction_id).await {
            Ok(listed) => listed,
            Err(error) => {
                tracing::warn!(transaction_id, %error, "can't read a payment that is to be cancelled");
                Listed::Unknown
            }
        }
    }

    /// Asks the service to cancel a late duplicate, but not too often.
    pub(super) async fn request_cancel(
        &self,
        transaction_id: &str,
    ) -> Result<String, ServiceError> {
        self.count_cancel(transaction_id, Requester::Proxy)?;
        self.service.cancel(transaction_id).await
    }

    /// Fails if this one has asked too often to cancel the payment.
    fn count_cancel(&self, transaction_id: &str, requester: Requester) -> Result<(), ServiceError> {
        let counted = self.cancel_limit.spend((transaction_id, requester));
        counted.map_err(ServiceError::TooManyCancels)
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

    /// The response to a cancel request, or the known record in its place if they contradict each other:
    /// a buyer sees one amount and one wallet of a payment.
    async fn as_known(&self, transaction_id: &str, answer: String) -> Result<String, Error> {
        let Some((known, _)) = self.known(transaction_id).await? else {
            return Ok(answer);
        };
        let records = Record::parse_array(&answer, "a list of payment records");
        let records = records.unwrap_or_default().into_iter().flatten();
        let mut named = records.filter(|record| is_of(record, transaction_id));
        match named.find_map(|record| identity::latest(&known, record).err()) {
            None => Ok(answer),
            Some(field) => {
                tracing::warn!(
                    transaction_id,
                    field,
                    "the response contradicts the payment"
                );
                self.cancelled(transaction_id).await
            }
        }
    }

    /// Fails if a payment is known to be paid.
    async fn refuse_paid(&self, transaction_id: &str) -> Result<(), Error> {
        let Some((record, ending)) = self.known(transaction_id).await? else {
            return Ok(());
        };
        match self.statuses.state(&record, ending) {
            Some(PaymentState::Paid) => Err(Error::PaymentProgressed),
            _ => Ok(()),
        }
    }

    /// Reads in the list what a cancel request has changed.
    async fn confirm(
        &self,
        answer: Result<String, ServiceError>,
        created: CreatedPayment,
        was_listed: bool,
        lease: &mut Lease,
    ) -> Result<(Stage, Result<String, ServiceError>), LeaseError> {
        let id = created.transaction_id.clone();
        let is_documented = match &answer {
            Ok(json) => self.is_cancel_response(json, &created),
            Err(_) => false,
        };
        let listed = match self.find_listed(&id, Some(lease)).await {
            Err(LeaseError::Failed(error)) => {
                tracing::warn!(transaction_id = id, %error, "can't read a cancelled payment");
                Listed::Unknown
            }
            listed => listed?,
        };
        if let Listed::Record(record) = &listed {
            self.store_listed(&id, &created.record, record.clone())
                .await?;
        }
        let request = CancelRequest {
            is_documented,
            was_listed,
        };
        let unconfirmed = |answer: Result<String, ServiceError>| {
            Err(answer.err().unwrap_or(ServiceError::Unconfirmed))
        };
        Ok(match self.cancellation(&created.record, request, &listed) {
            Cancellation::Confirmed => {
                let answer = match &listed {
                    Listed::Record(record) if !is_documented => Ok(as_response(record)?),
                    _ => answer,
                };
                (Stage::Ended(Some(id)), answer)
            }
            Cancellation::Progressed => (Stage::Created(created), unconfirmed(answer)),
            Cancellation::Unconfirmed => (Stage::Cancelling(created), unconfirmed(answer)),
        })
    }
}

/// A record in the form of the service's response: an array of records.
fn as_response(record: &Record) -> Result<String, Error> {
    serde_json::to_string(&[record]).map_err(Error::internal)
}

/// The status that the service documents for a new payment.
fn documented_creation() -> Result<Record, Error> {
    let created = r#"{"statusId":"1","statusText":"Created"}"#;
    Record::parse(created, "a payment record").map_err(Error::internal)
}

/// Whether the service certainly did not cancel. A conflict is about this payment's own state.
fn is_refusal(error: &ServiceError) -> bool {
    error.nothing_happened() || matches!(error, ServiceError::Refused(StatusCode::CONFLICT))
}
