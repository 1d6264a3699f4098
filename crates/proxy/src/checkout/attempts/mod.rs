//! Creates one payment per attempt, although the service has no idempotency of its own.
//!
//! A repeated request gets the result of its attempt, and concurrent repeats wait for the first. If
//! the service's response was lost, the next repeat first searches the service's list for the
//! payment, and creates it again only if it is not there.
//!
//! An attempt is identified by its `Idempotency-Key`, by its signed order, or by both. A request
//! with neither is always a new attempt. A signed order has at most one open payment: when the
//! buyer chooses another token, the open payment is cancelled first.
//!
//! The [attempt store](crate::store::attempts) holds the state of all attempts and grants leases.
//! This module acts only while it holds a lease.

mod cancel;
mod cancellation;
mod comparison;
mod compensation;
mod create;
mod find;
mod list_order;
mod refresh;
mod search;
mod unread;
mod wait;
mod walk;

use std::sync::Arc;
use std::time::{Duration, Instant};

use tender_protocol::{CancelPayment, PaymentState};
use tokio::sync::Notify;
use tokio_util::task::TaskTracker;
use tracing::{Instrument, Span};

pub(crate) use self::cancel::Requester;
use self::unread::UnreadSearches;
use self::wait::{Notifier, Wait};
use crate::checkout::Error;
use crate::metrics::Metrics;
use crate::rate_limit::RateLimit;
use crate::service::{Service, ServiceError};
use crate::statuses::Statuses;
use crate::store::attempts::{Attempt, AttemptStore, CreatedPayment, Lease, Outcome, WriteError};
use crate::store::surplus::SurplusStore;

/// Cancel requests per minute, payment and [`Requester`]. A buyer needs one, and a few more if the service fails.
const CANCELS: u32 = 5;

/// Creates and cancels payments. An operation runs to its end even if the client disconnects.
#[derive(Clone)]
pub(crate) struct Payments {
    service: Arc<Service>,
    store: Arc<AttemptStore>,
    statuses: Arc<Statuses>,
    cancel_limit: Arc<RateLimit>,
    unread_searches: Arc<UnreadSearches>,
    surplus: SurplusStore,
    /// Wakes the background task that settles surplus payments.
    surplus_stored: Arc<Notify>,
    metrics: Metrics,
    tasks: TaskTracker,
    notifier: Arc<Notifier>,
}

/// The payment that is returned for a create request.
pub(crate) struct CreateOutcome {
    pub(crate) created: CreatedPayment,
    /// Whether it can still be paid, if that is known.
    pub(crate) state: Option<PaymentState>,
    pub(crate) origin: Origin,
}

/// Where the returned payment comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The service created it just now.
    Created,
    /// An earlier response was lost, and the payment was found in the service's list.
    Found,
    /// An earlier request had created it.
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

    fn outcome(self, created: CreatedPayment, state: Option<PaymentState>) -> CreateOutcome {
        CreateOutcome {
            created,
            state,
            origin: self,
        }
    }
}

/// Why a lease holder could not complete its work.
enum LeaseError {
    /// Another request has taken the attempt over; its result is returned.
    Lost,
    Failed(Error),
}

impl Payments {
    pub(crate) fn new(
        service: Arc<Service>,
        store: Arc<AttemptStore>,
        statuses: Arc<Statuses>,
        metrics: Metrics,
    ) -> Self {
        Self {
            surplus: SurplusStore {
                database: store.database(),
                outbox: store.timeouts().outbox,
            },
            surplus_stored: Arc::default(),
            metrics,
            service,
            store,
            statuses,
            cancel_limit: Arc::new(RateLimit::per_minute(CANCELS)),
            unread_searches: Arc::default(),
            tasks: TaskTracker::new(),
            notifier: Arc::default(),
        }
    }

    /// Creates the payment of an attempt, once.
    pub(crate) async fn create(&self, attempt: &Arc<Attempt>) -> Result<CreateOutcome, Error> {
        let payments = self.clone();
        let attempt = Arc::clone(attempt);
        self.run_to_completion(async move { payments.create_once(&attempt).await })
            .await
    }

    /// Cancels a payment. Returns the service's response, or the known record in the same form.
    pub(crate) async fn cancel(
        &self,
        payment: CancelPayment,
        requester: Requester,
    ) -> Result<String, Error> {
        let payments = self.clone();
        self.run_to_completion(async move { payments.cancel_once(&payment, requester).await })
            .await
    }

    /// Whether the attempt store can be used.
    pub(crate) async fn ready(&self) -> Result<(), Error> {
        Ok(self.store.ready().await?)
    }

    /// The store of all attempts.
    pub(crate) fn store(&self) -> &AttemptStore {
        &self.store
    }

    /// Waits for the operations in progress.
    pub(crate) async fn finish(&self) {
        self.tasks.close();
        self.tasks.wait().await;
    }

    /// Runs an operation to its end, even if the caller stops waiting.
    async fn run_to_completion<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        // On the heap, because each of these wrappers would copy the whole state.
        let work = Box::pin(work).instrument(Span::current());
        let work = self.tasks.spawn(work);
        work.await.map_err(|_| ServiceError::Abandoned)?
    }

    /// Releases a lease. The result must be stored before the client gets it, so a failed write is
    /// retried until the lease expires.
    async fn release(&self, lease: &Lease, outcome: Outcome) -> Result<(), LeaseError> {
        let mut pause = Duration::from_millis(50);
        loop {
            let settled = self.store.release(lease, &outcome).await;
            match settled {
                Err(WriteError::Database(error)) if Instant::now() < lease.finish_by() => {
                    tracing::warn!(%error, "can't store the result; trying again");
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

    fn wait(&self) -> Wait<'_> {
        Wait::new(self.store.timeouts(), &self.notifier)
    }
}

impl From<WriteError> for LeaseError {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::LeaseLost => Self::Lost,
            WriteError::Database(error) => Self::Failed(error.into()),
            WriteError::Claimed => Self::Failed(Error::internal(error)),
        }
    }
}

impl<E: Into<Error>> From<E> for LeaseError {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}
