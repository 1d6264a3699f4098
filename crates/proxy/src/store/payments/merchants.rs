//! Queries for merchants, and the notifications of the service.
//!
//! The service notifies the webhook of new payments and states the invoice number. Nothing else
//! about the payload is documented, so nothing in it is trusted.

use std::collections::BTreeMap;
use std::time::Duration;

use tender_protocol::Record;
use tender_protocol::ledger::KnownPayment;

use super::fate::announce_ledger;
use super::statements;
use crate::clock::{Millis, rfc3339};
use crate::store::Store;
use crate::store::database::{Result, in_list, query};

/// How many characters of an invoice number are stored.
const MAX_INVOICE_NUMBER: usize = 255;

const EXTEND_INTEREST: &str = "
    UPDATE polling SET merchant_until = $1 WHERE merchant_until < $1";

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
    "SELECT invoice_number, times, first_at FROM notifications WHERE invoice_number",
    ""
);

impl Store {
    /// Keeps the first page of the list polled for merchants for this long, and announces to them the payments that are
    /// stored from now on. They read the earlier ones from the list.
    pub(crate) async fn extend_merchant_interest(&self, ttl: Duration) -> Result<()> {
        let until = self.clock().await?.after(ttl);
        let extend = query!(EXTEND_INTEREST, until);
        self.database.write(extend).await.map(drop)
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

    /// Counts a notification of the service, if it states an invoice number. The first one with that number is an event of the
    /// merchants' streams.
    pub(crate) async fn store_notification(&self, body: &[u8]) -> Result<()> {
        let Some(invoice_number) = invoice_number(body) else {
            return Ok(());
        };
        let mut tx = self.transaction().await?;
        let count = query!(statements::COUNT_NOTIFICATION, invoice_number, tx.clock.now,);
        if tx.number(count).await? == 1 {
            announce_ledger(&mut tx).await?;
        }
        tx.commit().await
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
