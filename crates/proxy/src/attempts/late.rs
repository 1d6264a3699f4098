//! What becomes of a payment whose creator was overtaken: its instance stood still for longer than its
//! lease, and another asked the service too.

use std::time::Duration;

use super::Payments;
use crate::error::Error;
use crate::ledger::{Created, Outcome, Stage};

/// How often the service is asked to cancel what is one too many, and how long between.
const TRIES: u32 = 8;
const PAUSE: Duration = Duration::from_millis(200);

impl Payments {
    /// Sees to a payment that came late. Where the one who took over found it, all is well; where
    /// there is another, this one is not to be paid.
    pub(super) fn come_late(&self, id: String, created: Created) {
        let payments = self.clone();
        self.under_way.spawn(async move {
            let transaction_id = created.transaction_id.clone();
            match payments.account_for(&id, created).await {
                Ok(()) => tracing::info!(transaction_id, "came late, and is accounted for"),
                Err(error) => {
                    tracing::error!(transaction_id, %error, "came late, and may be one too many");
                }
            }
        });
    }

    async fn account_for(&self, id: &str, created: Created) -> Result<(), Error> {
        let mut wait = self.wait();
        loop {
            // Where no order was signed, another attempt may have found it in the list.
            if self.ledger.has(&created.transaction_id).await? {
                return Ok(());
            }
            let stage = self.ledger.entry(id).await?.map(|entry| entry.stage);
            if !matches!(stage, Some(Stage::Asking)) {
                return self.cancel_for_certain(&created.transaction_id).await;
            }
            if let Some(lease) = self.ledger.take_by_id(id).await? {
                let outcome = Outcome::Stage(Stage::Answered(created.clone()));
                if self.ledger.settle(&lease, &outcome).await.is_ok() {
                    return Ok(());
                }
            }
            wait.a_moment(id).await?;
        }
    }

    async fn cancel_for_certain(&self, transaction_id: &str) -> Result<(), Error> {
        let mut pause = PAUSE;
        for _ in 1..TRIES {
            if self.service.cancel(transaction_id).await.is_ok() {
                return Ok(());
            }
            tokio::time::sleep(pause).await;
            pause *= 2;
        }
        self.service.cancel(transaction_id).await?;
        Ok(())
    }
}
