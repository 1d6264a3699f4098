//! Cancels a payment, for the buyer, for the merchant, or because the buyer chose another token.

use tender_protocol::{CancelPayment, Payment, Record};

use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::service::ServiceError;
use crate::store::attempts::{CancelStart, CreatedPayment, Lease, Outcome, Stage};

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

    /// Cancels the payment of an attempt and releases the lease.
    ///
    /// Once the service may have received the request, the payment is no longer shown to the buyer.
    /// Only a clear refusal of the first request makes it payable again. The service may refuse a
    /// later request because the first one succeeded: then the payment counts as cancelled if the
    /// service's list says so.
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
            // In the form of the service's response: an array of records.
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

/// Whether the record's status says "cancelled", in either spelling. The service documents only the
/// status "Created". Any other status may mean that the payment was paid, and then the order must
/// not be paid again.
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
    fn only_the_status_cancelled_counts_as_cancelled() {
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
