//! What the database keeps for merchants.

use std::collections::HashMap;
use std::time::Duration;

use sqlx::Row as _;
use tender_protocol::{Payment, Record, event};

use crate::following::event::Event;
use crate::following::inbox;
use crate::following::round::{Round, WriteError};
use crate::following::statements;
use crate::following::store::{BATCH, Change, Store};
use crate::ledger::{Clock, MANY, Millis, millis, of_many, padded};
use crate::receipt;

/// So much later than its time says a payment is written down, at most.
const WRITTEN_WITHIN: Duration = Duration::from_secs(30);

/// Of what was before a merchant came, the list tells.
const WATCH: &str = "
    UPDATE polling SET merchant_until = $1,
        told_until = CASE WHEN merchant_until < $2 THEN $2 ELSE told_until END
    WHERE merchant_until < $1";

const NOTIFIED: &str = "UPDATE polling SET notified = notified + 1";

/// Payments of which merchants were not told, the newest first. When one was written down follows
/// from how long it is kept.
const UNTOLD: &str = "
    SELECT transaction_id, record FROM payments
    WHERE kept_until > $1 AND NOT EXISTS (SELECT 1 FROM payment_events
        WHERE payment_events.transaction_id = payments.transaction_id AND kind = 'created')
    ORDER BY kept_until DESC LIMIT $2";

const TOLD: &str = "UPDATE polling SET told_until = $2 WHERE fence = $1";

const EVENTS: &str = "
    SELECT record, id AS event_id, kind FROM payment_events WHERE id > $1 ORDER BY id LIMIT $2";

const NOTIFICATIONS: &str = of_many!(
    "SELECT invoice_number, CAST(SUM(times) AS BIGINT) AS times, MIN(first_at) AS first_at
    FROM notifications WHERE invoice_number",
    "GROUP BY invoice_number"
);

/// The notifications that named an invoice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Notifications {
    pub(crate) count: u32,
    pub(crate) first_at: Option<Millis>,
}

impl Store {
    /// Has the first page of the list read for merchants for so long.
    pub(super) async fn watch_all(&self, clock: Clock, holds: Duration) -> sqlx::Result<()> {
        let watch = sqlx::query(WATCH).bind(clock.after(holds)).bind(clock.now);
        watch.execute(&self.database.pool).await?;
        Ok(())
    }

    /// Counts a notification, for merchants to hear of it.
    pub(in crate::following) async fn count_notification(&self) -> sqlx::Result<()> {
        let count = sqlx::query(NOTIFIED);
        count.execute(&self.database.pool).await?;
        Ok(())
    }

    /// Writes down the payments that merchants were not told of since `told_until`, as events.
    pub(in crate::following) async fn announce(
        &self,
        round: &Round,
        told_until: Millis,
    ) -> Result<(), WriteError> {
        // First of all: what comes meanwhile is told next time.
        let clock = self.clock().await?;
        let since = told_until
            .saturating_sub(millis(WRITTEN_WITHIN))
            .saturating_add(millis(receipt::LIFETIME));
        let untold = sqlx::query(UNTOLD).bind(since).bind(BATCH);
        let untold = untold.fetch_all(&self.database.pool).await?;
        let mut transaction = self.database.begin().await?;
        let mut numbers = round.numbers(untold.len(), &mut transaction).await?;
        for row in untold.iter().rev() {
            sqlx::query(statements::ADD_CHANGE)
                .bind(numbers.next())
                .bind(row.try_get::<String, _>("transaction_id")?)
                .bind(row.try_get::<String, _>("record")?)
                .bind(clock.now)
                .bind(event::CREATED)
                .execute(&mut *transaction)
                .await?;
        }
        let told = sqlx::query(TOLD).bind(round.fence).bind(clock.now);
        told.execute(&mut *transaction).await?;
        Ok(transaction.commit().await?)
    }

    /// The next events of any payment after that one.
    pub(super) async fn events(&self, after: i64) -> sqlx::Result<Vec<Event>> {
        let events = sqlx::query(EVENTS).bind(after).bind(BATCH);
        let rows = events.fetch_all(&self.database.pool).await?;
        let event = |row| {
            let Change { id, record } = Change::read(row)?;
            Ok(Event::new(row.try_get("kind")?, id, &record))
        };
        rows.iter().map(event).collect()
    }

    /// The invoice numbers of those of these payments that are known, by transactionId.
    pub(super) async fn invoices_of(
        &self,
        ids: &[String],
    ) -> sqlx::Result<HashMap<String, Option<String>>> {
        let ids: Vec<_> = ids.iter().map(String::as_str).collect();
        let known = self.known(&ids, 0).await?.into_iter();
        let invoice_number = |record: &str| {
            let record = Record::parse(record, "a payment record").ok()?;
            let payment = Payment::try_from(&record).ok()?;
            payment.invoice_number.as_deref().map(inbox::kept)
        };
        Ok(known
            .map(|(id, known)| (id, invoice_number(&known.record)))
            .collect())
    }

    /// The notifications that named these invoices.
    pub(super) async fn notifications_of(
        &self,
        invoice_numbers: &[String],
    ) -> sqlx::Result<HashMap<String, Notifications>> {
        let mut found = HashMap::new();
        for names in invoice_numbers.chunks(MANY) {
            let mut query = sqlx::query(NOTIFICATIONS);
            for name in padded(names) {
                query = query.bind(name);
            }
            for row in query.fetch_all(&self.database.pool).await? {
                let notifications = Notifications {
                    count: u32::try_from(row.try_get::<i64, _>("times")?).unwrap_or(u32::MAX),
                    first_at: Some(row.try_get("first_at")?),
                };
                found.insert(row.try_get("invoice_number")?, notifications);
            }
        }
        Ok(found)
    }
}
