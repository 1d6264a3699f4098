//! What the merchant can see of attempts: those of an invoice number that have a payment, and unresolved ones.

use sqlx::Row as _;
use sqlx::any::AnyRow;
use tender_protocol::ledger::{Reason, Reconciling};
use tender_protocol::order_payments::{MAX_PAYMENTS, OrderPayment};
use tender_protocol::{CreatePayment, Record};

use super::attempt::invoice_id;
use super::find::is_requested;
use super::statements::unresolved;
use super::stored::from_json;
use crate::clock::{Millis, rfc3339};
use crate::store::database::{Result, query};
use crate::store::{Store, payments};

/// How many unresolved attempts are returned at most.
const MAX_UNRESOLVED: u8 = 100;

/// The attempts whose outcome is unknown and whose lease has expired at `$1`, and those with a payment that the list contradicts, unless
/// it is paid: then it is in no doubt. SQLite reads the tables of a `CROSS JOIN` in this order: there are few contradictions.
macro_rules! doubts {
    () => {
        concat!(
            "(SELECT id, order_id, invoice_id, request, transaction_id, record, written_at,
                CASE WHEN duplicate_of IS NOT NULL AND stage <> 'contradictory' THEN 'duplicate' ELSE stage END AS doubt,
                CASE WHEN stage IN ('requested', 'contradictory') THEN called_at ELSE written_at END AS since
            FROM attempts WHERE lease_until <= $1 AND request <> '' AND ",
            unresolved!(),
            " UNION ALL
            SELECT id, order_id, invoice_id, request, attempts.transaction_id, NULL, found_at, 'contradicted', found_at
            FROM contradictions CROSS JOIN attempts
            WHERE attempts.transaction_id = contradictions.transaction_id AND request <> ''
                AND NOT EXISTS (SELECT 1 FROM order_money WHERE order_money.transaction_id = attempts.transaction_id
                    AND money = 'paid')) AS doubts"
        )
    };
}

/// Those of an invoice number, or all, up to `$2`, newest first.
const UNRESOLVED: &str = concat!(
    "SELECT * FROM ",
    doubts!(),
    " WHERE order_id = $3 OR invoice_id = $3 OR $3 IS NULL ORDER BY written_at DESC LIMIT $2"
);

const COUNT_UNRESOLVED: &str =
    concat!("SELECT doubt, COUNT(*) FROM ", doubts!(), " GROUP BY doubt");

/// The attempts for an invoice number that have a payment whose record is stored: paid ones first, then the open one.
const OF_INVOICE: &str = "
    SELECT attempts.transaction_id, begun_at, confirmed_at, signed_order, listed_pay,
        (SELECT COUNT(*) FROM sent_marks WHERE sent_marks.transaction_id = attempts.transaction_id) AS marks
    FROM attempts JOIN payments ON payments.transaction_id = attempts.transaction_id
    WHERE (order_id = $1 OR invoice_id = $1) AND duplicate_of IS NULL
    ORDER BY CASE WHEN ending = 'paid' THEN 0 WHEN stage <> 'ended' THEN 1 ELSE 2 END, begun_at DESC LIMIT $2";

impl Store {
    /// The payments of an invoice number that were created through this proxy, by transactionId: at most [`MAX_PAYMENTS`].
    pub(crate) async fn payments_of_invoice(
        &self,
        invoice_number: &str,
    ) -> Result<Vec<(String, OrderPayment)>> {
        let limit = i64::try_from(MAX_PAYMENTS).unwrap_or(i64::MAX);
        let find = query!(OF_INVOICE, invoice_id(invoice_number), limit);
        let mut session = self.database.reader().await?;
        let payment = |row: &AnyRow| -> sqlx::Result<_> {
            let order: Option<String> = row.try_get("signed_order")?;
            let [begun_at, confirmed_at]: [Millis; 2] =
                [row.try_get("begun_at")?, row.try_get("confirmed_at")?];
            let payment = OrderPayment {
                order: order.as_deref().map(from_json).transpose()?,
                sent: usize::try_from(row.try_get::<i64, _>("marks")?).unwrap_or(0),
                read_at: rfc3339(begun_at.max(confirmed_at)),
                listed_quantity_pay: payments::listed_pay(row)?,
            };
            Ok((row.try_get("transaction_id")?, payment))
        };
        session.rows_of(find, payment).await
    }

    /// Whether an attempt for an invoice number has asked, or is about to ask, the service for a payment, and has none yet.
    pub(crate) async fn is_requested(&self, invoice_number: &str) -> Result<bool> {
        is_requested(&mut self.database.reader().await?, invoice_number).await
    }

    /// Returns the attempts whose outcome is unknown and whose lease has expired, with late duplicates, newest first, and
    /// whether there are more: all, or those for an invoice number. Unreadable ones are left out.
    pub(crate) async fn unresolved_attempts(
        &self,
        invoice_number: Option<&str>,
    ) -> Result<(Vec<Reconciling>, bool)> {
        let (now, limit) = (self.clock().await?.now, i64::from(MAX_UNRESOLVED) + 1);
        let found = query!(UNRESOLVED, now, limit, invoice_number.map(invoice_id));
        let mut session = self.database.reader().await?;
        let mut found = session.rows_of(found, unresolved_or_skipped).await?;
        let more = found.len() > usize::from(MAX_UNRESOLVED);
        found.truncate(MAX_UNRESOLVED.into());
        Ok((found.into_iter().flatten().collect(), more))
    }

    /// Counts the attempts whose outcome is unknown and whose lease has expired, by reason.
    pub(crate) async fn count_unresolved(&self) -> Result<Vec<(Reason, i64)>> {
        let counts = query!(COUNT_UNRESOLVED, self.clock().await?.now);
        let counts = self.database.rows::<(String, i64)>(counts).await?;
        let counts = counts.into_iter();
        let counts = counts.map(|(doubt, count)| (reason(&doubt), count));
        Ok(counts.collect())
    }
}

/// `None` if the row can't be read, so that the others are still returned.
fn unresolved_or_skipped(row: &AnyRow) -> sqlx::Result<Option<Reconciling>> {
    let found = unresolved(row);
    if let Err(error) = &found {
        let id: String = row.try_get("id")?;
        tracing::warn!(%error, id, "skipped an unresolved attempt that can't be read");
    }
    Ok(found.ok())
}

fn unresolved(row: &AnyRow) -> sqlx::Result<Reconciling> {
    let request: CreatePayment = from_json(&row.try_get::<String, _>("request")?)?;
    let mut transaction_id: Option<String> = row.try_get("transaction_id")?;
    let reason = reason(&row.try_get::<String, _>("doubt")?);
    if reason == Reason::CreateContradictory {
        let record: Record = from_json(&row.try_get::<String, _>("record")?)?;
        transaction_id = record.string("transactionId");
    }
    Ok(Reconciling {
        invoice_number: request.invoice_number,
        token: request.token.to_string(),
        payment_token: request.payment_token.to_string(),
        quantity: request.quantity,
        transaction_id,
        since: rfc3339(row.try_get("since")?),
        reason,
    })
}

fn reason(doubt: &str) -> Reason {
    match doubt {
        "cancelling" => Reason::CancelUnanswered,
        "contradictory" => Reason::CreateContradictory,
        "contradicted" => Reason::ListContradictory,
        "duplicate" => Reason::LateDuplicate,
        _ => Reason::CreateUnanswered,
    }
}
