//! One payment per attempt, over a service that has no idempotency of its own.
//!
//! A request that repeats an attempt gets that attempt's answer, and concurrent repeats wait for
//! the first. Where the service's answer was lost, the next repeat first looks for the payment in
//! the service's list, and creates it again only where it is not there.
//!
//! An attempt goes by its `Idempotency-Key`, by its signed order, or by both. A request with
//! neither is an attempt of its own. Of a signed order at most one payment is open: one in another
//! token takes the place of the one before, which is cancelled first.
//!
//! What is known is in the [ledger](crate::ledger), and so is who may go on: this module only does
//! what a lease of the ledger allows.

mod cancel;
mod compensation;
mod create;
mod identity;
mod lookup;
mod wait;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tender_protocol::CancelPayment;
use tokio_util::task::TaskTracker;
use tracing::{Instrument, Span};

pub(crate) use identity::{Attempt, BadKey, IDEMPOTENCY_KEY, IdempotencyKey};

use self::wait::{Notifier, Wait};
use crate::attempt_store::{AttemptStore, BeginError, CreatedPayment, Lease, Outcome, WriteError};
use crate::error::Error;
use crate::purchase::Purchase;
use crate::service::{Service, ServiceError};

/// Creates and cancels payments. What was begun is finished, even when the buyer goes away.
#[derive(Clone)]
pub(crate) struct Payments {
    service: Arc<Service>,
    store: Arc<AttemptStore>,
    tasks: TaskTracker,
    notifier: Arc<Notifier>,
}

/// What came of a wish to pay.
pub(crate) struct CreateOutcome {
    pub(crate) created: CreatedPayment,
    pub(crate) origin: Origin,
}

/// Where the answer to a create request is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The service created it now.
    Created,
    /// An answer had been lost, and it stood in the service's list.
    Found,
    /// It was answered before.
    Repeated,
}

impl Origin {
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Found => "found",
            Self::Repeated => "repeated",
        }
    }

    fn outcome(self, created: CreatedPayment) -> CreateOutcome {
        CreateOutcome {
            created,
            origin: self,
        }
    }
}

/// Why the holder of a lease came to no end with it.
enum LeaseError {
    /// Another took the attempt over: what it finds is the answer.
    Lost,
    Failed(Error),
}

impl Payments {
    pub(crate) fn new(service: Arc<Service>, store: Arc<AttemptStore>) -> Self {
        Self {
            service,
            store,
            tasks: TaskTracker::new(),
            notifier: Arc::default(),
        }
    }

    /// The one payment of an attempt.
    pub(crate) async fn create(
        &self,
        key: Option<IdempotencyKey>,
        purchase: Purchase,
    ) -> Result<CreateOutcome, Error> {
        let payments = self.clone();
        let attempt = Arc::new(Attempt::new(key, purchase));
        self.run_to_completion(async move { payments.create_once(&attempt).await })
            .await
    }

    /// Cancels a payment: the service's answer, as it came.
    pub(crate) async fn cancel(&self, payment: CancelPayment) -> Result<String, Error> {
        let payments = self.clone();
        self.run_to_completion(async move { payments.cancel_once(&payment).await })
            .await
    }

    /// Whether the ledger can be used.
    pub(crate) async fn ready(&self) -> Result<(), Error> {
        Ok(self.store.ready().await?)
    }

    /// What is known of all attempts.
    pub(crate) fn store(&self) -> &AttemptStore {
        &self.store
    }

    /// Waits for what is under way.
    pub(crate) async fn finish(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Does this to its end, even when nobody waits for it any more.
    async fn run_to_completion<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        let work = self.tasks.spawn(work.instrument(Span::current()));
        work.await.map_err(|_| ServiceError::Abandoned)?
    }

    /// Ends a lease. The answer is not given before it is written, and the database may be away for a
    /// moment: as long as the lease lasts, it is tried again.
    async fn release(&self, lease: &Lease, outcome: Outcome) -> Result<(), LeaseError> {
        let mut pause = Duration::from_millis(50);
        loop {
            let settled = self.store.release(lease, &outcome).await;
            match settled {
                Err(WriteError::Database(error)) if Instant::now() < self.finish_by(lease) => {
                    tracing::warn!(%error, "the ledger can't be written; trying again");
                    tokio::time::sleep(pause).await;
                    pause *= 2;
                }
                settled => {
                    self.notifier.notify(&lease.attempt.id);
                    return Ok(settled?);
                }
            }
        }
    }

    fn finish_by(&self, lease: &Lease) -> Instant {
        lease.finish_by(self.store.timeouts())
    }

    fn wait(&self) -> Wait<'_> {
        Wait::new(self.store.timeouts(), &self.notifier)
    }
}

impl From<WriteError> for LeaseError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::LeaseLost => Self::Lost,
            other => Self::Failed(Error::internal(other)),
        }
    }
}

impl From<Error> for LeaseError {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}

impl From<BeginError> for Error {
    fn from(error: BeginError) -> Self {
        match error {
            BeginError::Mismatch => Self::AttemptMismatch,
            BeginError::Database(error) => error.into(),
            // It is seen to before it comes here.
            BeginError::Conflict => Self::AttemptInProgress,
        }
    }
}
