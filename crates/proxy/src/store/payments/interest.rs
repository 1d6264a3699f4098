//! Which payments the service's list is polled for.

use std::sync::Arc;

use tender_ledger::Ending;

use super::{RETENTION, statements};
use crate::clock::{Millis, millis};
use crate::store::Store;
use crate::store::database::{LIST_LEN, Result, query, query_list};

/// Which payments a poll cycle looks for: those that clients watch and, if notifications need
/// them, all that may still be paid.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Interest {
    pub(crate) now: Millis,
    /// Payments that were not paid are followed if they were stored after this time. Money may arrive for
    /// a closed one, too.
    pub(crate) followed_since: Option<Millis>,
}

impl Interest {
    pub(super) fn includes(
        self,
        wanted_until: Millis,
        ending: Option<Ending>,
        kept_until: Millis,
    ) -> bool {
        let is_followed = |since| ending != Some(Ending::Paid) && kept_until > kept_since(since);
        wanted_until > self.now || self.followed_since.is_some_and(is_followed)
    }
}

/// Until when a payment is kept that was stored at this time.
fn kept_since(stored_at: Millis) -> Millis {
    stored_at.saturating_add(millis(RETENTION))
}

impl Store {
    /// The number of payments that this interest includes. Of those that no client watches,
    /// only as many are counted as a cycle can find.
    pub(crate) async fn count_wanted(&self, interest: Interest) -> Result<u64> {
        let mut session = self.database.reader().await?;
        let watched = query!(statements::COUNT_WANTED, interest.now);
        let mut count = session.number(watched).await?;
        if let Some(since) = interest.followed_since {
            let unpaid = query!(statements::COUNT_UNPAID, interest.now, kept_since(since));
            count += session.number(unpaid).await?;
        }
        Ok(count.unsigned_abs())
    }

    /// Extends the interest in these payments, so that they are polled for until then.
    pub(crate) async fn extend_interest(&self, ids: &[Arc<str>], until: Millis) -> Result<()> {
        let mut session = self.database.begin().await?;
        for ids in ids.chunks(LIST_LEN) {
            let extend = query_list(statements::EXTEND_INTEREST, ids).bind(until);
            session.execute(extend).await?;
        }
        session.commit().await
    }
}
