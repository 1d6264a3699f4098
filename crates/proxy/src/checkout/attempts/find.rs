//! Finds a known payment in the service's list.

use tender_protocol::Record;

use super::walk::id;
use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::statuses::status;
use crate::store::attempts::Lease;

/// What the service's list says about one payment.
pub(super) enum Listed {
    /// The payment's record.
    Record(Record),
    /// The payment is not in the list.
    Absent,
    /// The list has records of the payment with different statuses.
    Contradictory,
    /// The list, or an element that may be the payment, can't be read.
    Unknown,
}

impl Payments {
    /// Finds the current record of a payment, with the lease of its attempt if there is one.
    ///
    /// # Errors
    /// If the list can't be read to its end.
    pub(super) async fn find_listed(
        &self,
        transaction_id: &str,
        mut lease: Option<&mut Lease>,
    ) -> Result<Listed, LeaseError> {
        let mut walk = self.walk(lease.as_deref_mut()).await?;
        let mut unreadable = 0_usize;
        while let Some(records) = walk.next(lease.as_deref_mut()).await? {
            unreadable += records.iter().filter(|record| id(record).is_none()).count();
            if let Some(listed) = on_page(records, transaction_id) {
                return Ok(listed);
            }
        }
        if unreadable == 0 {
            return Ok(Listed::Absent);
        }
        tracing::warn!(
            transaction_id,
            unreadable,
            "the payment is not in the list, unless it is an element without a transactionId"
        );
        Ok(Listed::Unknown)
    }

    /// Like [`find_listed`](Self::find_listed), without a lease.
    pub(super) async fn find_anywhere(&self, transaction_id: &str) -> Result<Listed, Error> {
        match self.find_listed(transaction_id, None).await {
            Ok(listed) => Ok(listed),
            Err(LeaseError::Failed(error)) => Err(error),
            // There is none.
            Err(LeaseError::Lost) => Ok(Listed::Unknown),
        }
    }
}

/// What a page says about a payment; `None` if the payment is not on it.
fn on_page(records: Vec<Record>, transaction_id: &str) -> Option<Listed> {
    let is_it = |record: &Record| id(record).is_some_and(|found| found == transaction_id);
    let mut found = records.into_iter().filter(is_it);
    let first = found.next()?;
    let is_certain = found.all(|other| status(&other) == status(&first));
    Some(if is_certain {
        Listed::Record(first)
    } else {
        Listed::Contradictory
    })
}
