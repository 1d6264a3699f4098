//! Payments that were created too late: another instance had taken their attempt over. They stay in
//! the database until they are settled, by whichever instance.

use std::time::Duration;

use tender_protocol::{CreatePayment, Record};

use crate::clock::Millis;
use crate::store::attempts::CreatedPayment;
use crate::store::database::{Database, Error, FromRow, Result, Row, query};
use crate::store::outbox::Outbox;
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

const FIND: &str = "SELECT request, found_at FROM surplus_payments WHERE transaction_id = $1";

const COUNT: &str = "SELECT COUNT(*) FROM surplus_payments";

/// Access to the table of surplus payments.
#[derive(Clone)]
pub(crate) struct SurplusStore {
    pub(crate) database: Database,
    pub(crate) outbox: Outbox,
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
        let request = serde_json::to_string(request).map_err(Error::unwritable)?;
        let record = payments::text(&created.record)?;
        let (id, now) = (&*created.transaction_id, self.database.clock().await?.now);
        let insert = query!(INSERT, id, attempt_id, request, record, now);
        self.database.write(insert).await.map(drop)
    }

    /// Claims a payment that is due, for this long; `None` if there is none or another instance was
    /// faster.
    pub(crate) async fn claim(&self, lease: Duration) -> Result<Option<SurplusPayment>> {
        let claimed = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            let due = query!(DUE, clock.now);
            let due = session.row::<(SurplusPayment, Millis)>(due).await?;
            let Some((payment, due_at)) = due else {
                return Ok(None);
            };
            let id = payment.created.transaction_id.clone();
            let claim = query!(CLAIM, id, due_at, clock.after(lease));
            Ok((session.execute(claim).await? == 1).then_some(payment))
        });
        claimed.await
    }

    /// Tries a claimed payment again after a pause.
    pub(crate) async fn postpone(&self, transaction_id: &str, pause: Duration) -> Result<()> {
        let due_at = self.database.clock().await?.after(pause);
        let postpone = query!(POSTPONE, transaction_id, due_at);
        self.database.write(postpone).await.map(drop)
    }

    /// Removes a payment. If it was cancelled, every later response says that it is closed.
    pub(crate) async fn settle(&self, transaction_id: &str, is_cancelled: bool) -> Result<()> {
        let (id, outbox) = (transaction_id.to_owned(), self.outbox);
        let settled = self.database.transaction(async move |session| {
            let clock = session.clock().await?;
            if is_cancelled {
                payments::set_closed(session, clock, &id, true, outbox).await?;
            }
            session.execute(query!(DELETE, id)).await
        });
        let settled: Result<_> = settled.await;
        settled.map(drop)
    }

    /// Removes a payment, whatever its status. Returns its request and when it was found; `None` if it
    /// is not known.
    pub(crate) async fn take(
        &self,
        transaction_id: &str,
    ) -> Result<Option<(CreatePayment, Millis)>> {
        let (find, delete) = (query!(FIND, transaction_id), query!(DELETE, transaction_id));
        let taken = self.database.transaction(async move |session| {
            let Some((request, found_at)) = session.row::<(String, Millis)>(find).await? else {
                return Ok(None);
            };
            let request = serde_json::from_str(&request).map_err(Error::unreadable)?;
            session.execute(delete).await?;
            Ok(Some((request, found_at)))
        });
        taken.await
    }

    /// The number of payments that are not settled.
    pub(crate) async fn count(&self) -> Result<i64> {
        self.database.number(query!(COUNT)).await
    }
}

/// A payment that is due, and since when.
impl FromRow for (SurplusPayment, Millis) {
    fn from_row(row: &Row<'_>) -> Result<Self> {
        let record: String = row.try_get("record")?;
        let record = Record::parse(&record, "a payment record").map_err(Error::unreadable)?;
        let payment = SurplusPayment {
            attempt_id: row.try_get("attempt_id")?,
            created: CreatedPayment {
                transaction_id: row.try_get("transaction_id")?,
                record,
            },
            tries: u32::try_from(row.try_get::<i64>("tries")?).unwrap_or(u32::MAX),
        };
        Ok((payment, row.try_get("due_at")?))
    }
}
