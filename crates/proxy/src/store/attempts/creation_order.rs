//! Which payments are certainly older or newer than the payment of an attempt, so that a search
//! does not have to read the whole list.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::time::Duration;

use super::{AttemptStore, StoredAttempt, statements};
use crate::clock::Millis;
use crate::clock::timestamp::rfc3339;
use crate::store::database::{Result, query};

const DAY: Millis = 24 * 60 * 60 * 1000;

/// How long a payment counts as a new one.
const NEW: Duration = Duration::from_hours(1);

/// A payment that was created a short time ago.
pub(crate) struct NewPayment {
    pub(crate) transaction_id: String,
    called_at: Millis,
}

/// When a payment was created: after the first and before the second time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CreationTime {
    pub(crate) after: Millis,
    pub(crate) before: Millis,
}

impl StoredAttempt {
    /// Whether a payment was certainly created before the service was called for this attempt (`Less`), or
    /// after that call can have had any effect (`Greater`).
    pub(crate) fn compare_age(&self, created: CreationTime) -> Ordering {
        if created.before < self.called_at {
            Ordering::Less
        } else if created.after > self.settles_at {
            Ordering::Greater
        } else {
            Ordering::Equal
        }
    }

    /// Whether a date in the service's form, YYYY/MM/DD, is certainly before this attempt. The
    /// service's time zone is not documented, so a day on either side is in doubt.
    pub(crate) fn is_dated_earlier(&self, date: &str) -> bool {
        let form = |text: &str| text.replace(|digit: char| digit.is_ascii_digit(), "0");
        let limit = rfc3339(self.called_at.saturating_sub(2 * DAY)).replace('-', "/");
        form(date) == "0000/00/00" && limit.get(..date.len()).is_some_and(|limit| date < limit)
    }
}

impl AttemptStore {
    /// The newest payment that can still be paid, unless it is more than an hour old.
    pub(crate) async fn newest_payment(&self) -> Result<Option<NewPayment>> {
        let newest = self.database.read(async move |session| {
            let before = session.clock().await?.before(NEW);
            let newest = query!(statements::NEWEST_OPEN, before);
            session.row::<(String, Millis)>(newest).await
        });
        Ok(newest.await?.map(|(transaction_id, called_at)| NewPayment {
            transaction_id,
            called_at,
        }))
    }

    /// The newest payments that can still be paid, up to a number, by their transactionIds. None if the
    /// database's clock was set back since the attempt: then no time tells what came first.
    pub(crate) async fn open_payments(
        &self,
        limit: usize,
        stored: &StoredAttempt,
    ) -> Result<HashMap<String, CreationTime>> {
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let (open, called_at) = (query!(statements::OPEN, limit), stored.called_at);
        let open = self.database.read(async move |session| {
            if called_at > session.clock().await?.now {
                return Ok(Vec::new());
            }
            session.rows::<(String, Millis, Millis)>(open).await
        });
        let by_id = |(id, after, before)| (id, CreationTime { after, before });
        Ok(open.await?.into_iter().map(by_id).collect())
    }

    /// Whether a payment was certainly created before this one.
    pub(crate) async fn is_before(&self, transaction_id: &str, new: &NewPayment) -> Result<bool> {
        self.is_known(statements::CREATED_BEFORE, transaction_id, new.called_at)
            .await
    }

    /// Whether a payment was created after this attempt's call can have had any effect.
    pub(crate) async fn is_newer(
        &self,
        transaction_id: &str,
        stored: &StoredAttempt,
    ) -> Result<bool> {
        self.is_known(statements::CREATED_AFTER, transaction_id, stored.settles_at)
            .await
    }

    /// Counts the stored payments that are newer in this sense.
    pub(crate) async fn count_newer(&self, stored: &StoredAttempt) -> Result<usize> {
        let newer = query!(statements::ALL_CREATED_AFTER, stored.settles_at);
        let newer = self.database.number(newer).await?;
        Ok(usize::try_from(newer).unwrap_or(0))
    }

    async fn is_known(
        &self,
        statement: &'static str,
        transaction_id: &str,
        then: Millis,
    ) -> Result<bool> {
        let count = query!(statement, transaction_id, then);
        let known = self.database.read(async move |session| {
            // If the database's clock was set back since, no time tells what came first.
            if then > session.clock().await?.now {
                return Ok(0);
            }
            session.number(count).await
        });
        Ok(known.await? > 0)
    }
}
