//! Events and their deliveries for the merchant and the metrics, and sending them again.

use serde::Deserialize;
use sqlx::any::AnyRow;
use sqlx::{AssertSqlSafe, Row as _};
use tender_protocol::delivery::MAX_DELIVERIES;
use tender_protocol::{Deliveries, Delivery, DeliveryState, Resend};
use utoipa::IntoParams;

use super::{is_set_aside, set_aside};
use crate::clock::rfc3339;
use crate::metrics::UnsentEvents;
use crate::store::database::{Query, Result, Value, query};
use crate::store::{BATCH, Store};

/// One that is being sent is sent again afterwards.
const RESEND: &str = "
    UPDATE outbox SET state = 'waiting', tries = 0, due_at = $2,
        resend = CASE WHEN lease_until > $2 THEN 1 ELSE 0 END
    WHERE id = $1";

const RESEND_GIVEN_UP: &str = "
    UPDATE outbox SET state = 'waiting', tries = 0, due_at = $1 WHERE id IN (
        SELECT id FROM outbox WHERE state = 'given-up' ORDER BY id LIMIT $2)";

/// Each part uses an index of its state. The oldest event may be one that is set aside: the shop refuses it, too.
const COUNTS: &str = concat!(
    "
    SELECT (SELECT COUNT(*) FROM outbox WHERE state = 'waiting' AND NOT ",
    set_aside!(),
    "), (SELECT COUNT(*) FROM outbox WHERE state = 'waiting' AND ",
    set_aside!(),
    "),
        (SELECT COUNT(*) FROM outbox WHERE state = 'given-up'),
        (SELECT written_at FROM outbox WHERE state = 'waiting' ORDER BY id LIMIT 1)"
);

#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub(crate) struct Filter {
    /// Only those of this payment.
    pub(crate) transaction_id: Option<String>,
    /// Only those in this state.
    pub(crate) state: Option<DeliveryState>,
    /// Only those that are older than the one with this id.
    pub(crate) before: Option<String>,
}

impl Filter {
    /// The statement has only the conditions that are needed, so that the database finds an index for
    /// each of them.
    fn query(self) -> Query {
        let mut sql = "SELECT id, kind, transaction_id, written_at, state, tries, due_at, answer, \
             answered_at FROM outbox WHERE 1 = 1"
            .to_owned();
        let mut values = Vec::<Value>::new();
        for (condition, text) in [
            (" AND transaction_id = $", self.transaction_id),
            (" AND id < $", self.before),
        ] {
            if let Some(text) = text {
                values.push(text.into());
                sql.push_str(condition);
                sql.push_str(&values.len().to_string());
            }
        }
        // Constants, so that an index of the state is used.
        sql.push_str(match self.state {
            None => "",
            Some(DeliveryState::Waiting) => {
                concat!(" AND state = 'waiting' AND NOT ", set_aside!())
            }
            Some(DeliveryState::SetAside) => concat!(" AND state = 'waiting' AND ", set_aside!()),
            Some(DeliveryState::Delivered) => " AND state = 'delivered'",
            Some(DeliveryState::GivenUp) => " AND state = 'given-up'",
            Some(DeliveryState::Unknown) => " AND 1 = 0",
        });
        // One more, to know whether there are more.
        sql.push_str(" ORDER BY id DESC LIMIT ");
        sql.push_str(&(MAX_DELIVERIES + 1).to_string());
        Query::new(AssertSqlSafe(sql), values)
    }
}

impl Store {
    pub(crate) async fn deliveries(&self, filter: Filter) -> Result<Deliveries> {
        let mut session = self.database.reader().await?;
        let mut deliveries = session.rows_of(filter.query(), delivery).await?;
        let more = deliveries.len() > MAX_DELIVERIES;
        deliveries.truncate(MAX_DELIVERIES);
        Ok(Deliveries { deliveries, more })
    }

    /// Sends events again, also if they were delivered: they are due at once, but each still waits for the earlier ones of
    /// its payment. Returns how many of them there are.
    pub(crate) async fn resend_events(&self, which: Resend) -> Result<u64> {
        let mut tx = self.transaction().await?;
        let now = tx.clock.now;
        let mut resent = 0;
        for id in which.ids {
            resent += tx.execute(query!(RESEND, id, now)).await?;
        }
        tx.commit().await?;
        let mut given_up = which.given_up;
        while given_up {
            let batch = query!(RESEND_GIVEN_UP, self.clock().await?.now, BATCH);
            let batch = self.database.write(batch).await?;
            resent += batch;
            given_up = batch == BATCH.unsigned_abs();
        }
        Ok(resent)
    }

    pub(crate) async fn count_events(&self) -> Result<UnsentEvents> {
        let counts = self.database.row(query!(COUNTS)).await?;
        let (waiting, set_aside, given_up, oldest) = counts.unwrap_or_default();
        Ok(UnsentEvents {
            waiting,
            set_aside,
            given_up,
            oldest,
        })
    }
}

fn delivery(row: &AnyRow) -> sqlx::Result<Delivery> {
    let kind: String = row.try_get("kind")?;
    let tries = u32::try_from(row.try_get::<i64, _>("tries")?).unwrap_or(u32::MAX);
    let state = match row.try_get::<String, _>("state")?.as_str() {
        "waiting" if is_set_aside(&kind, tries) => DeliveryState::SetAside,
        "waiting" => DeliveryState::Waiting,
        "delivered" => DeliveryState::Delivered,
        "given-up" => DeliveryState::GivenUp,
        _ => DeliveryState::Unknown,
    };
    let due_at = rfc3339(row.try_get("due_at")?);
    Ok(Delivery {
        id: row.try_get("id")?,
        kind,
        transaction_id: row.try_get("transaction_id")?,
        written_at: rfc3339(row.try_get("written_at")?),
        state,
        tries,
        due_at: matches!(state, DeliveryState::Waiting | DeliveryState::SetAside).then_some(due_at),
        answer: row.try_get("answer")?,
        answered_at: row.try_get::<Option<i64>, _>("answered_at")?.map(rfc3339),
    })
}
