//! Limits of open event streams. A client that gets none polls instead.

use std::sync::Arc;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::config;
use crate::error::Error;
use crate::http::client_ip::ClientIp;
use crate::http::credentials::Caller;
use crate::http::keyed_semaphore::{KeyedPermit, KeyedSemaphore};

/// Streams of the merchant beside those of buyers, so that receipts can't take them.
const MERCHANT_STREAMS: usize = 32;

/// Limits of open event streams.
pub(crate) struct StreamLimits {
    buyers: Arc<Semaphore>,
    merchants: Arc<Semaphore>,
    per_payment: Arc<KeyedSemaphore<String>>,
    per_address: Arc<KeyedSemaphore<ClientIp>>,
}

/// Permits one stream until it is dropped.
pub(crate) struct StreamPermit {
    _place: OwnedSemaphorePermit,
    /// Buyers only.
    _buyer: Option<(KeyedPermit<String>, KeyedPermit<ClientIp>)>,
}

impl StreamLimits {
    pub(crate) fn new(config: &config::Tracking) -> Self {
        // 0 disables streams, those of the merchant too.
        let merchants = MERCHANT_STREAMS * config.max_streams.min(1);
        Self {
            buyers: semaphore(config.max_streams),
            merchants: semaphore(merchants),
            per_payment: KeyedSemaphore::new(config.max_streams_per_payment),
            per_address: KeyedSemaphore::new(config.max_streams_per_address),
        }
    }

    /// Permits a stream of one payment to a caller at this address.
    pub(crate) fn of(&self, caller: &Caller, client: ClientIp) -> Result<StreamPermit, Error> {
        match caller {
            Caller::Merchant { .. } => self.of_merchant(),
            Caller::Buyer(receipt) => {
                let permit = self.of_buyer(&receipt.transaction_id, client);
                permit.ok_or(Error::StreamsFull)
            }
        }
    }

    /// Permits a stream to the merchant.
    pub(crate) fn of_merchant(&self) -> Result<StreamPermit, Error> {
        let place = Arc::clone(&self.merchants).try_acquire_owned();
        Ok(StreamPermit {
            _place: place.map_err(|_| Error::StreamsFull)?,
            _buyer: None,
        })
    }

    fn of_buyer(&self, transaction_id: &str, client: ClientIp) -> Option<StreamPermit> {
        let payment = self.per_payment.try_acquire(transaction_id.to_owned())?;
        let address = self.per_address.try_acquire(client)?;
        let place = Arc::clone(&self.buyers).try_acquire_owned().ok()?;
        Some(StreamPermit {
            _place: place,
            _buyer: Some((payment, address)),
        })
    }
}

fn semaphore(permits: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(permits.min(Semaphore::MAX_PERMITS)))
}
