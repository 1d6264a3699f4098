//! Reads an old payment in the service's list before it is handed out again.

use tender_protocol::Record;

use super::Payments;
use super::find::Listed;
use crate::checkout::Error;
use crate::identity;
use crate::store::payments::Ending;

impl Payments {
    /// Reads a payment in the service's list and stores its record. Takes at most as long as a call.
    ///
    /// # Errors
    /// If the list can't be read. Then the stored record is the latest one known.
    pub(crate) async fn refresh(&self, transaction_id: &str) -> Result<(), Error> {
        let found = self.find_record(transaction_id);
        let found = tokio::time::timeout(self.store.timeouts().term.call, found).await;
        let Ok(found) = found else {
            return Err(Error::AttemptInProgress);
        };
        let Listed::Record(listed) = found? else {
            return Ok(());
        };
        let Some((known, _)) = self.known(transaction_id).await? else {
            return Ok(());
        };
        self.store_listed(transaction_id, &known, listed).await
    }

    /// The latest known record of a payment, and how the payment has ended; `None` if it is not tracked.
    pub(super) async fn known(
        &self,
        transaction_id: &str,
    ) -> Result<Option<(Record, Option<Ending>)>, Error> {
        let Some(latest) = self.store.latest_record(transaction_id).await? else {
            return Ok(None);
        };
        let record = Record::parse(&latest.record, "a payment record").map_err(Error::internal)?;
        Ok(Some((record, latest.ending)))
    }

    /// Stores what the list says about a payment, so that buyers get it at once. A record that
    /// contradicts the known one is not stored.
    pub(super) async fn store_listed(
        &self,
        transaction_id: &str,
        known: &Record,
        listed: Record,
    ) -> Result<(), Error> {
        match identity::latest(known, listed) {
            Ok(latest) => {
                let ending = self.statuses.ending(&latest);
                let stored = self.store.set_record(transaction_id, &latest, ending);
                Ok(stored.await?)
            }
            Err(field) => {
                tracing::warn!(transaction_id, field, "the list contradicts the payment");
                Ok(())
            }
        }
    }
}
