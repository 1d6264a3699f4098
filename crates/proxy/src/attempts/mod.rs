//! One payment per attempt, over a service that has no idempotency of its own.
//!
//! A request that repeats an attempt gets that attempt's answer, and concurrent repeats wait for
//! the first. Where the service's answer was lost, the next repeat first looks for the payment in
//! the service's list, and creates it again only where it is not there.
//!
//! An attempt goes by its `Idempotency-Key`, by its signed order, or by both. A request with
//! neither is an attempt of its own.

mod identity;
mod ledger;
mod lookup;

use std::sync::Arc;

use tender_protocol::{CancelPayment, Payment};
use tokio_util::task::TaskTracker;
use tracing::{Instrument, Span};

pub(crate) use identity::{BadKey, IDEMPOTENCY_KEY, IdempotencyKey};
pub(crate) use ledger::{Created, Mismatch};

use self::identity::Attempt;
use self::ledger::{Begun, Ledger, Ticket};
use crate::error::Error;
use crate::purchase::Purchase;
use crate::service::{Service, ServiceError};

/// Creates and cancels payments. What was begun is finished, even when the buyer goes away.
#[derive(Clone)]
pub(crate) struct Payments {
    service: Arc<Service>,
    ledger: Arc<Ledger>,
    under_way: TaskTracker,
}

impl Payments {
    pub(crate) fn new(service: Arc<Service>) -> Self {
        Self {
            service,
            ledger: Arc::default(),
            under_way: TaskTracker::new(),
        }
    }

    /// The one payment of an attempt.
    pub(crate) async fn create(
        &self,
        key: Option<IdempotencyKey>,
        purchase: Purchase,
    ) -> Result<Arc<Created>, Error> {
        let waiting = match self.ledger.begin(Attempt::new(key, &purchase)).await? {
            Begun::Answered(created) => return Ok(created),
            Begun::Running(waiting) => waiting,
            Begun::Mine(ticket, waiting) => {
                let payments = self.clone();
                let asking = async move {
                    let outcome = payments.ask(&ticket, &purchase).await;
                    let outcome = outcome.map(Arc::new).map_err(Arc::new);
                    payments.ledger.settle(ticket, outcome).await;
                };
                self.under_way.spawn(asking.instrument(Span::current()));
                waiting
            }
        };
        Ok(waiting.outcome().await?)
    }

    async fn ask(&self, ticket: &Ticket, purchase: &Purchase) -> Result<Created, ServiceError> {
        if ticket.in_doubt
            && let Some(created) = self.look_up(ticket, purchase).await?
        {
            tracing::info!(created.transaction_id, "found in the list");
            return Ok(created);
        }
        let record = self.service.create(&purchase.payment).await?;
        let Payment { transaction_id, .. } = Payment::try_from(&record)?;
        tracing::info!(transaction_id, "created");
        Ok(Created {
            transaction_id,
            record,
        })
    }

    /// Cancels a payment: the service's answer, as it came.
    pub(crate) async fn cancel(&self, payment: CancelPayment) -> Result<String, Error> {
        let payments = self.clone();
        let asking = async move {
            let answer = payments.service.cancel(&payment).await;
            // Where nobody knows whether it was cancelled, nobody should be sent to pay it.
            if !answer.as_ref().is_err_and(ServiceError::nothing_happened) {
                payments.ledger.release(&payment.transaction_id).await;
            }
            answer
        };
        let asking = self.under_way.spawn(asking.instrument(Span::current()));
        Ok(asking.await.map_err(|_| ServiceError::Abandoned)??)
    }

    /// Waits for what is under way.
    pub(crate) async fn finish(&self) {
        self.under_way.close();
        self.under_way.wait().await;
    }
}
