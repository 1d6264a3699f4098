//! Cancelling a payment, for a buyer, the merchant, or a later choice of the buyer.

use tender_protocol::CancelPayment;

use super::{Payments, Stop};
use crate::error::Error;
use crate::ledger::{Cancelling, Created, Lease, Outcome, Stage};

impl Payments {
    pub(super) async fn cancel_once(&self, payment: &CancelPayment) -> Result<String, Error> {
        let mut wait = self.wait();
        loop {
            match self.ledger.begin_cancel(&payment.transaction_id).await? {
                Cancelling::Unknown => {
                    return Ok(self.service.cancel(&payment.transaction_id).await?);
                }
                Cancelling::Busy(watched) => wait.a_moment(&watched.id).await?,
                Cancelling::Mine(lease, created) => {
                    match self.cancel_leased(*lease, created).await {
                        Ok(answer) => return Ok(answer),
                        Err(Stop::Failed(error)) => return Err(error),
                        Err(Stop::LeaseLost) => {}
                    }
                }
            }
        }
    }

    /// Cancels the payment of an attempt, and ends the lease.
    ///
    /// From the moment at which the service may have been asked, nobody is sent to pay it; only a clear
    /// no to the first request brings it back.
    pub(super) async fn cancel_leased(
        &self,
        mut lease: Lease,
        created: Created,
    ) -> Result<String, Stop> {
        let asked_before = matches!(lease.entry.stage, Stage::Cancelling(_));
        let cancelling = Stage::Cancelling(created.clone());
        self.ledger.advance(&mut lease, cancelling.clone()).await?;
        let answer = self.service.cancel(&created.transaction_id).await;
        let stage = match &answer {
            Ok(_) => Stage::Ended(Some(created.transaction_id)),
            Err(error) if error.nothing_happened() && !asked_before => Stage::Answered(created),
            Err(_) => cancelling,
        };
        self.settle(&lease, Outcome::Stage(stage)).await?;
        Ok(answer.map_err(Error::from)?)
    }
}
