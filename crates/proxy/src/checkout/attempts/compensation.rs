//! Compensation for payments that were created twice: an instance paused for longer than its lease,
//! and another instance called the service too.

use std::time::Duration;

use super::Payments;
use crate::checkout::Error;
use crate::store::attempts::{CreatedPayment, Outcome, Stage};

/// How often a superfluous payment is cancelled, and the first pause between two tries.
const TRIES: u32 = 8;
const PAUSE: Duration = Duration::from_millis(200);

impl Payments {
    /// Handles a payment that was created after its lease was lost. If the other instance has found
    /// it in the list, nothing is left to do; if the other instance has created its own payment,
    /// this one is cancelled.
    pub(super) fn compensate(&self, id: String, created: CreatedPayment) {
        let payments = self.clone();
        self.tasks.spawn(async move {
            let transaction_id = created.transaction_id.clone();
            match payments.account_for(&id, created).await {
                Ok(()) => tracing::info!(transaction_id, "a payment that was created too late was found or cancelled"),
                Err(error) => {
                    tracing::error!(transaction_id, %error, "a payment that was created too late may be a duplicate");
                }
            }
        });
    }

    async fn account_for(&self, id: &str, created: CreatedPayment) -> Result<(), Error> {
        let mut wait = self.wait();
        loop {
            // Without a signed order, another attempt may have found the payment in the list.
            if self.store.has_payment(&created.transaction_id).await? {
                return Ok(());
            }
            let stage = self.store.find(id).await?.map(|stored| stored.stage);
            if !matches!(stage, Some(Stage::Asking)) {
                return self.cancel_with_retries(&created.transaction_id).await;
            }
            if let Some(lease) = self.store.acquire_by_id(id).await? {
                let outcome = Outcome::Stage(Stage::Answered(created.clone()));
                if self.store.release(&lease, &outcome).await.is_ok() {
                    return Ok(());
                }
            }
            wait.for_change(id).await?;
        }
    }

    async fn cancel_with_retries(&self, transaction_id: &str) -> Result<(), Error> {
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
