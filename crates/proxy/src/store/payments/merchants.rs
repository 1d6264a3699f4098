//! Queries for merchants, and the webhook inbox.
//!
//! The service notifies the webhook of new payments and states the invoice number. Nothing else
//! about the payload is documented, so nothing in it is trusted: it only triggers a poll of the
//! service's list.

use std::collections::BTreeMap;
use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use tender_protocol::ledger::KnownPayment;
use tender_protocol::{Record, event};

use super::fate::insert_event;
use super::{BATCH, PollCycle, RETENTION, statements};
use crate::clock::{Millis, millis, rfc3339};
use crate::store::Store;
use crate::store::database::{Result, in_list, query};

/// How long a transaction may take to store a payment, at most.
const MAX_COMMIT_DELAY: Duration = Duration::from_secs(30);

/// The same body within this time is a duplicate.
const REPLAY_WINDOW: Duration = Duration::from_mins(10);

/// How many characters of an invoice number are stored.
const MAX_INVOICE_NUMBER: usize = 255;

/// Keeps the list polled for merchants. If no merchant was watching before, announcements start with
/// the payments that are stored from now on, because the merchant reads the earlier ones from the
/// list.
const EXTEND_INTEREST: &str = "
    UPDATE polling SET merchant_until = $1,
        announced_until = CASE WHEN merchant_until < $2 THEN $2 ELSE announced_until END
    WHERE merchant_until < $1";

/// Payments that were not announced to merchants, newest first. The time at which a payment was
/// stored is computed from `kept_until`.
const UNANNOUNCED: &str = "
    SELECT transaction_id, record FROM payments
    WHERE kept_until > $1 AND NOT EXISTS (SELECT 1 FROM payment_events
        WHERE payment_events.transaction_id = payments.transaction_id AND kind = 'created')
    ORDER BY kept_until DESC LIMIT $2";

const MARK_ANNOUNCED: &str = "UPDATE polling SET announced_until = $2 WHERE fence = $1";

/// For each of these payments: when its attempt began, the number and earliest start of all
/// attempts of its order, and the number of its marks.
const ATTEMPTS: &str = in_list!(
    "SELECT transaction_id, begun_at,
        (SELECT COUNT(*) FROM attempts AS other WHERE other.order_id = attempts.order_id) AS count,
        (SELECT MIN(begun_at) FROM attempts AS other WHERE other.order_id = attempts.order_id)
            AS first_at,
        (SELECT COUNT(*) FROM sent_marks WHERE sent_marks.transaction_id = attempts.transaction_id) AS marks
    FROM attempts WHERE fingerprint <> '' AND duplicate_of IS NULL AND transaction_id",
    ""
);

/// The columns of [`ATTEMPTS`].
type AttemptsRow = (String, Millis, i64, Option<Millis>, i64);

const RECORDS: &str = in_list!(
    "SELECT transaction_id, record FROM payments WHERE transaction_id",
    ""
);

const NOTIFICATIONS: &str = in_list!(
    "SELECT invoice_number, CAST(SUM(times) AS BIGINT), MIN(first_at) FROM notifications WHERE invoice_number",
    "GROUP BY invoice_number"
);

impl Store {
    /// Keeps the first page of the list polled for merchants for this long.
    pub(crate) async fn extend_merchant_interest(&self, ttl: Duration) -> Result<()> {
        let clock = self.clock().await?;
        let extend = query!(EXTEND_INTEREST, clock.after(ttl), clock.now);
        self.database.write(extend).await.map(drop)
    }

    /// Stores `created` events for the payments that were added since `announced_until`. Those that are added from the
    /// beginning of this transaction are announced next time.
    pub(crate) async fn announce_payments(
        &self,
        cycle: &PollCycle,
        announced_until: Millis,
    ) -> Result<()> {
        let mut tx = self.transaction().await?;
        let now = tx.clock.now.into();
        cycle.lease.write(&mut tx, MARK_ANNOUNCED, [now]).await?;
        let since = announced_until
            .saturating_sub(millis(MAX_COMMIT_DELAY))
            .saturating_sub(tx.clock.lag)
            .saturating_add(millis(RETENTION));
        let payments = query!(UNANNOUNCED, since, BATCH);
        let payments = tx.rows::<(String, String)>(payments).await?;
        for (id, record) in payments.into_iter().rev() {
            insert_event(&mut tx, &id, event::CREATED, &record).await?;
        }
        tx.commit().await
    }

    /// What is known of these payments beyond the service's list. Unknown ones are omitted.
    pub(crate) async fn known_to_merchant(&self, ids: &[String]) -> Result<Vec<KnownPayment>> {
        let of = |transaction_id| KnownPayment {
            transaction_id,
            ..KnownPayment::default()
        };
        let mut payments = BTreeMap::new();
        let mut session = self.database.reader().await?;
        for row in session.rows_in::<AttemptsRow>(ATTEMPTS, ids).await? {
            let (id, begun_at, count, first_at, marks) = row;
            let payment = KnownPayment {
                // Without a signed order, each attempt is counted separately.
                attempts: Some(u32::try_from(count.max(1)).unwrap_or(u32::MAX)),
                first_attempt_at: Some(rfc3339(first_at.unwrap_or(begun_at))),
                sent: u32::try_from(marks).unwrap_or(u32::MAX),
                ..of(id.clone())
            };
            payments.insert(id, payment);
        }
        let tracked = session.rows_in::<(String, String)>(RECORDS, ids).await?;
        let tracked = tracked.into_iter();
        let tracked = tracked.map(|(id, record)| (id, invoice_number(record.as_bytes())));
        let tracked: Vec<_> = tracked.collect();
        let invoices: Vec<_> = tracked
            .iter()
            .filter_map(|(_, invoice)| invoice.as_ref())
            .collect();
        let notified = session
            .rows_in::<(String, i64, Millis)>(NOTIFICATIONS, &invoices)
            .await?;
        for (id, invoice) in tracked {
            let payment = payments.entry(id.clone()).or_insert_with(|| of(id));
            let mut notified = notified.iter();
            let notified = notified.find(|(number, ..)| Some(number) == invoice.as_ref());
            if let Some((_, times, first_at)) = notified {
                payment.notifications = u32::try_from(*times).unwrap_or(u32::MAX);
                payment.notified_at = Some(rfc3339(*first_at));
            }
        }
        Ok(payments.into_values().collect())
    }

    /// Stores a notification, and returns whether it is new. A new one is sent to the merchants' streams.
    pub(crate) async fn store_notification(&self, body: &[u8]) -> Result<bool> {
        let mut tx = self.transaction().await?;
        let insert = query!(
            statements::INSERT_NOTIFICATION,
            hex::encode(digest(&SHA256, body)),
            invoice_number(body),
            tx.clock.now,
            tx.clock.before(REPLAY_WINDOW),
        );
        let is_new = tx.execute(insert).await? == 1;
        if is_new {
            let count = query!(statements::COUNT_NOTIFICATION);
            tx.execute(count).await?;
        }
        tx.commit().await?;
        Ok(is_new)
    }
}

/// The part of a JSON object's string `invoiceNumber` that is stored, without NUL characters.
pub(crate) fn invoice_number(json: &[u8]) -> Option<String> {
    let record = Record::parse(std::str::from_utf8(json).ok()?, "an invoice number").ok()?;
    let invoice_number = record.string("invoiceNumber")?;
    let characters = invoice_number
        .chars()
        .filter(|&character| character != '\0');
    Some(characters.take(MAX_INVOICE_NUMBER).collect())
}
