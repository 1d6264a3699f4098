//! Payments that were created too late: another instance had taken their attempt over. They stay in
//! the database until they are settled, by whichever instance.

use std::time::Duration;

use tender_protocol::{CreatePayment, Record};

use crate::store::attempts::CreatedPayment;
use crate::store::database::{Database, Error, Result, Row};
use crate::store::payments;

const INSERT: &str = "
    INSERT INTO surplus_payments
        (transaction_id, attempt_id, request, record, found_at, tries, due_at)
    VALUES ($1, $2, $3, $4, $5, 0, $5) ON CONFLICT DO NOTHING";

const DUE: &str = "
    SELECT transaction_id, attempt_id, record, tries, due_at FROM surplus_payments
    WHERE due_at <= $1 ORDER BY due_at LIMIT 1";

/// Only one of several competing instances succeeds.
const CLAIM: &str = "
    UPDATE surplus_payments SET tries = tries + 1, due_at = $3
    WHERE transaction_id = $1 AND due_at = $2";

const POSTPONE: &str = "UPDATE surplus_payments SET due_at = $2 WHERE transaction_id = $1";

const DELETE: &str = "DELETE FROM surplus_payments WHERE transaction_id = $1";

const COUNT: &str = "SELECT COUNT(*) FROM surplus_payments";

/// Access to the table of `5_surplus.sql`.
#[derive(Clone)]
pub(crate) struct SurplusStore {
    pub(crate) database: Database,
}

/// A payment that may be surplus.
pub(crate) struct SurplusPayment {
    /// The attempt that it was created for.
    pub(crate) attempt_id: String,
    pub(crate) created: CreatedPayment,
    /// How often its settlement was tried before.
    pub(crate) tries: u32,
}

impl SurplusStore {
    /// Stores a payment; a known one is not changed.
    pub(crate) async fn add(
        &self,
        attempt_id: &str,
        request: &CreatePayment,
        created: &CreatedPayment,
    ) -> Result<()> {
        let (attempt_id, created) = (attempt_id.to_owned(), created.clone());
        let request = serde_json::to_string(request).map_err(Error::unwritable)?;
        let added = self.database.transaction(move |session| {
            Box::pin(async move {
                let record = payments::text(&created.record)?;
                let now = session.clock().await?.now;
                let values = [
                    (&created.transaction_id).into(),
                    (&attempt_id).into(),
                    (&request).into(),
                    (&record).into(),
                    now.into(),
                ];
                session.execute(INSERT, &values).await
            })
        });
        added.await.map(drop)
    }

    /// Claims a payment that is due, for this long; `None` if there is none or another instance was
    /// faster.
    pub(crate) async fn claim(&self, lease: Duration) -> Result<Option<SurplusPayment>> {
        let claimed = self.database.transaction(move |session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                let Some((found, due_at)) = session.row(DUE, &[clock.now.into()], read).await?
                else {
                    return Ok(None);
                };
                let values = [
                    (&found.created.transaction_id).into(),
                    due_at.into(),
                    clock.after(lease).into(),
                ];
                let claimed = session.execute(CLAIM, &values).await?;
                Ok((claimed == 1).then_some(found))
            })
        });
        claimed.await
    }

    /// Tries a claimed payment again after a pause.
    pub(crate) async fn postpone(&self, transaction_id: &str, pause: Duration) -> Result<()> {
        let id = transaction_id.to_owned();
        let postponed = self.database.transaction(move |session| {
            Box::pin(async move {
                let due_at = session.clock().await?.after(pause);
                let values = [(&id).into(), due_at.into()];
                session.execute(POSTPONE, &values).await
            })
        });
        let postponed: Result<_> = postponed.await;
        postponed.map(drop)
    }

    /// Removes a payment. If it was cancelled, it is closed for everybody who asks.
    pub(crate) async fn settle(&self, transaction_id: &str, is_cancelled: bool) -> Result<()> {
        let id = transaction_id.to_owned();
        let settled = self.database.transaction(move |session| {
            Box::pin(async move {
                let clock = session.clock().await?;
                if is_cancelled {
                    payments::set_closed(session, clock, &id, true).await?;
                }
                session.execute(DELETE, &[(&id).into()]).await
            })
        });
        let settled: Result<_> = settled.await;
        settled.map(drop)
    }

    /// The number of payments that are not settled.
    pub(crate) async fn count(&self) -> Result<i64> {
        let count = self
            .database
            .read(|session| Box::pin(session.number(COUNT, &[])));
        count.await
    }
}

fn read(row: &Row<'_>) -> Result<(SurplusPayment, i64)> {
    let record = row.text("record")?;
    let record = Record::parse(&record, "a payment record").map_err(Error::unreadable)?;
    let payment = SurplusPayment {
        attempt_id: row.text("attempt_id")?,
        created: CreatedPayment {
            transaction_id: row.text("transaction_id")?,
            record,
        },
        tries: u32::try_from(row.integer("tries")?).unwrap_or(u32::MAX),
    };
    Ok((payment, row.integer("due_at")?))
}
