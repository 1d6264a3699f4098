//! Finds a known payment in the service's list.

use tender_protocol::Record;

use super::walk::{Start, Walk, Walked};
use super::{LeaseError, Payments};
use crate::checkout::Error;
use crate::statuses::{self, status};
use crate::store::attempts::Lease;

/// What the service's list says about one payment.
pub(super) enum Listed {
    /// The payment's record.
    Record(Record),
    /// The payment is not in the list.
    Absent,
    /// The first page is empty, which proves nothing.
    Empty,
    /// The list has records of the payment with different statuses.
    Contradictory,
    /// The list, or an element that may be the payment, can't be read.
    Unknown,
}

impl Payments {
    /// Finds the current record of a payment, with the lease of its attempt if there is one.
    ///
    /// A payment counts as absent only after the same reading as in the search for a lost one.
    ///
    /// # Errors
    /// If the list can't be read to its end.
    pub(super) async fn find_listed(
        &self,
        transaction_id: &str,
        mut lease: Option<&mut Lease>,
    ) -> Result<Listed, LeaseError> {
        let mut walk = self.walk(lease.as_deref_mut(), Start::Likely).await?;
        let mut found = walk.look_for(transaction_id, lease.as_deref_mut()).await?;
        if let Some(start) = found.repeat() {
            walk = self.walk(lease.as_deref_mut(), start).await?;
            found = walk.look_for(transaction_id, lease.as_deref_mut()).await?;
        }
        if let Some(start) = found.complete() {
            walk = self.walk(lease.as_deref_mut(), start).await?;
            found = walk.look_for(transaction_id, lease.as_deref_mut()).await?;
        }
        Ok(match found {
            Walked::Found(Listed::Record(record)) => {
                // The next page may have it, too, with another status.
                let further = walk.peek(lease).await?;
                let records = std::iter::once(record).chain(further);
                agreed(records, transaction_id)
            }
            Walked::Found(listed) => listed,
            Walked::Nothing(_) => Listed::Absent,
        })
    }

    /// Like [`find_listed`](Self::find_listed), without a lease.
    pub(super) async fn find_anywhere(&self, transaction_id: &str) -> Result<Listed, Error> {
        without_lease(self.find_listed(transaction_id, None).await)
    }

    /// Finds the current record of a payment by reading the list once, up to its page.
    ///
    /// # Errors
    /// If the list can't be read to its end.
    pub(super) async fn find_record(&self, transaction_id: &str) -> Result<Listed, Error> {
        let look = async {
            let mut walk = self.walk(None, Start::First).await?;
            Ok(match walk.look_for(transaction_id, None).await? {
                Walked::Found(listed) => listed,
                Walked::Nothing(_) => Listed::Absent,
            })
        };
        without_lease(look.await)
    }
}

impl Walk<'_> {
    /// Reads the pages up to the one that has the payment.
    async fn look_for(
        &mut self,
        transaction_id: &str,
        mut lease: Option<&mut Lease>,
    ) -> Result<Walked<Listed>, LeaseError> {
        let (mut unreadable, mut is_empty) = (0_usize, true);
        while let Some(records) = self.next(lease.as_deref_mut()).await? {
            is_empty = false;
            unreadable += records
                .iter()
                .filter(|record| statuses::transaction_id(record).is_none())
                .count();
            match agreed(records.into_iter(), transaction_id) {
                Listed::Absent => {}
                listed => return Ok(Walked::Found(listed)),
            }
        }
        if is_empty && !self.skips_pages() {
            // "The first page holds the last 20 payments" (the service's document), and there is one.
            tracing::warn!(transaction_id, "the list's first page is empty");
            return Ok(Walked::Found(Listed::Empty));
        }
        if unreadable > 0 {
            tracing::warn!(
                transaction_id,
                unreadable,
                "the payment is not in the list, unless it is an element without a transactionId"
            );
            return Ok(Walked::Found(Listed::Unknown));
        }
        Ok(Walked::Nothing(self.nothing_found()))
    }
}

fn without_lease(listed: Result<Listed, LeaseError>) -> Result<Listed, Error> {
    match listed {
        Ok(listed) => Ok(listed),
        Err(LeaseError::Failed(error)) => Err(error),
        // There is none.
        Err(LeaseError::Lost) => Ok(Listed::Unknown),
    }
}

pub(super) fn is_of(record: &Record, transaction_id: &str) -> bool {
    statuses::transaction_id(record).is_some_and(|found| found == transaction_id)
}

/// What records say about a payment.
fn agreed(records: impl Iterator<Item = Record>, transaction_id: &str) -> Listed {
    let mut found = records.filter(|record| is_of(record, transaction_id));
    match found.next() {
        None => Listed::Absent,
        Some(first) if found.all(|other| status(&other) == status(&first)) => Listed::Record(first),
        Some(_) => Listed::Contradictory,
    }
}
