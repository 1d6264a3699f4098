//! Carries out what the [rules of the ledger](tender_ledger) decide about an order's payment.
//!
//! A request finds or creates its attempt in the [attempt store](crate::store::attempts) and gets its lease. Then
//! [`run`](Executor::run) is a loop: the store decides what follows from the latest evidence and stores it; this module acts,
//! and what comes of it is the next evidence. The loop ends with an answer.
//!
//! | file | contents |
//! |---|---|
//! | `create` | requests to create a payment |
//! | `cancel` | requests to cancel a payment, to mark it as sent, and to release its order |
//! | `find` | the payment that a signed order leads to |
//! | `run` | the loop, the calls to the service, and waiting for another request of the same attempt |
//! | `list` | what the service's list shows |
//! | `cursor` | the merchant's list, read on from a payment |
//! | `restored` | what is read after the database was restored from a backup |

mod cancel;
mod create;
mod cursor;
mod find;
mod list;
mod restored;
mod run;

use std::sync::Arc;

use tender_ledger::{Facts, Origin};
use tender_protocol::Record;
use tokio::sync::broadcast;
use tracing::{Instrument, Span};

use self::cursor::CURSOR_TIME;
pub(crate) use self::find::PaymentOfOrder;
use self::list::SEARCH_PAUSE;
pub(crate) use self::restored::Restored;
use crate::error::Error;
use crate::rate_limit::RateLimit;
use crate::recent::Recent;
use crate::service::ServiceError;
use crate::shared::Shared;

/// Cancel requests per minute, payment and [`Requester`]. A buyer needs one, and a few more if the service fails.
const CANCELS: u32 = 5;

/// The capacity of the channel for ended attempts. A waiting request that misses some checks its own attempt again.
const ENDED: usize = 64;

/// Creates and cancels payments. An operation runs to its end even if the client disconnects.
#[derive(Clone)]
pub(crate) struct Executor {
    shared: Arc<Shared>,
    cancel_limit: Arc<RateLimit>,
    /// The signed orders, and the attempts of others, whose search ended before the end of the list.
    unread_searches: Recent<()>,
    /// The page of the service's list, from 0, at which a payment was last seen, or up to which it was looked for as a cursor. New
    /// payments move it to later pages.
    listed_at: Recent<u32>,
    /// The attempts whose work has ended in this instance.
    ended: broadcast::Sender<String>,
}

/// The payment that is returned for a create request.
pub(crate) struct CreateOutcome {
    pub(crate) transaction_id: String,
    pub(crate) record: Record,
    pub(crate) facts: Facts,
    pub(crate) origin: Origin,
}

impl Executor {
    /// Starts to end these attempts' cancellations, which another process has begun.
    pub(crate) fn start(shared: &Arc<Shared>, cancelling: Vec<String>) -> Self {
        let executor = Self {
            shared: Arc::clone(shared),
            cancel_limit: Arc::new(RateLimit::per_minute(CANCELS)),
            unread_searches: Recent::new(SEARCH_PAUSE),
            listed_at: Recent::new(CURSOR_TIME),
            ended: broadcast::Sender::new(ENDED),
        };
        if !cancelling.is_empty() {
            shared
                .tasks
                .spawn(executor.clone().end_interrupted(cancelling));
        }
        executor
    }

    /// Runs an operation to its end, even if the caller stops waiting.
    async fn run_to_completion<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, Error>> + Send + 'static,
    ) -> Result<T, Error> {
        // On the heap, because each of these wrappers would copy the whole state.
        let work = Box::pin(work).instrument(Span::current());
        let work = self.shared.tasks.spawn(work);
        work.await.map_err(|_| ServiceError::Abandoned)?
    }

    /// The latest known record of a payment, and what is stored beside it; `None` if it is not tracked.
    async fn known(&self, transaction_id: &str) -> Result<Option<(Record, Facts)>, Error> {
        let Some(latest) = self.shared.store.latest_change(transaction_id).await? else {
            return Ok(None);
        };
        let record = Record::parse(&latest.record, "a payment record").map_err(Error::internal)?;
        Ok(Some((record, latest.facts)))
    }
}
