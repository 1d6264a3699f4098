//! The age of what is stored. Only the time in which the proxy runs counts, so that neither downtime nor a jump of the clock deletes an
//! order early.

use std::sync::atomic::Ordering;
use std::time::Duration;

use super::{Database, Result, query};
use crate::clock::{Millis, millis};

/// More time than this between two counts does not count. They are a minute apart while the proxy runs.
const MAX_STEP: Duration = Duration::from_mins(2);

const COUNT: &str = "
    UPDATE age SET counted_at = $1,
        lag = CASE WHEN counted_at > 0 AND ABS($1 - counted_at) > $2 THEN lag + $1 - counted_at ELSE lag END
    RETURNING lag";

impl Database {
    /// Counts the time since the last count, of any instance.
    pub(crate) async fn count_time(&self) -> Result<()> {
        let mut session = self.begin().await?;
        let now = session.clock().await?.now;
        let lag = session.number(query!(COUNT, now, millis(MAX_STEP))).await?;
        session.commit().await?;
        self.lag.store(lag, Ordering::SeqCst);
        Ok(())
    }

    /// How far ages are behind the database's clock.
    pub(crate) fn lag(&self) -> Millis {
        self.lag.load(Ordering::SeqCst)
    }
}
