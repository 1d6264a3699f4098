//! Cancelling a payment, for a buyer, the merchant, or a later choice of the buyer.

use tender_protocol::{CancelPayment, Payment, Record};

use super::{LeaseError, Payments};
use crate::attempt_store::{CancelStart, CreatedPayment, Lease, Outcome, Stage};
use crate::error::Error;
use crate::service::ServiceError;

impl Payments {
    pub(super) async fn cancel_once(&self, payment: &CancelPayment) -> Result<String, Error> {
        let mut wait = self.wait();
        loop {
            match self.store.begin_cancel(&payment.transaction_id).await? {
                CancelStart::Unknown => {
                    return Ok(self.service.cancel(&payment.transaction_id).await?);
                }
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

    /// Cancels the payment of an attempt, and ends the lease.
    ///
    /// From the moment at which the service may have been asked, nobody is sent to pay it; only a clear
    /// no to the first request brings it back. A no to a later one may be said because the first was
    /// heard: then the service's list tells, where it names the payment cancelled.
    pub(super) async fn cancel_leased(
        &self,
        mut lease: Lease,
        created: CreatedPayment,
    ) -> Result<String, LeaseError> {
        let asked_before = matches!(lease.attempt.stage, Stage::Cancelling(_));
        let cancelling = Stage::Cancelling(created.clone());
        self.store.advance(&mut lease, cancelling.clone()).await?;
        let mut answer = self.service.cancel(&created.transaction_id).await;
        if let Err(ServiceError::Refused(_)) = &answer
            && asked_before
            && let Some(record) = self
                .find_listed(&created.transaction_id, &mut lease)
                .await?
            && is_cancelled(&record)
        {
            // As the service's own answer shows it: an array of records.
            answer = Ok(serde_json::to_string(&[&record]).map_err(Error::internal)?);
        }
        let stage = match &answer {
            Ok(_) => Stage::Ended(Some(created.transaction_id)),
            Err(error) if error.nothing_happened() && !asked_before => Stage::Answered(created),
            Err(_) => cancelling,
        };
        self.release(&lease, Outcome::Stage(stage)).await?;
        Ok(answer.map_err(Error::from)?)
    }
}

/// The names of statuses are not documented, but for "Created": a payment counts as cancelled where its own
/// says so, in either spelling. Any other may be that of one that was paid, whose order must not be paid
/// again.
fn is_cancelled(record: &Record) -> bool {
    Payment::try_from(record).is_ok_and(|payment| {
        let name = payment.status.text();
        ["cancelled", "canceled"]
            .iter()
            .any(|known| name.eq_ignore_ascii_case(known))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cancelled_is_what_says_so() {
        let is = |status: &str| {
            let json = format!(
                r#"{{"transactionId":"t","token":"BTC","paymentToken":"BTC","quantity":1,"quantityPay":1,"statusId":"5","statusText":"{status}","wallet":"w"}}"#
            );
            is_cancelled(&Record::parse(&json, "a payment record").unwrap())
        };
        assert!(is("Cancelled") && is("CANCELED"));
        for other in [
            "Created",
            "Paid",
            "Not cancelled",
            "Expired",
            "Cancelled and paid",
        ] {
            assert!(!is(other), "{other}");
        }
    }
}
