//! What the merchant may know of attempts: how many an order had, and which have no outcome yet.

use std::collections::HashMap;

use sqlx::Row as _;
use sqlx::any::AnyRow;
use tender_protocol::CreatePayment;
use tender_protocol::ledger::{Reason, Reconciling};

use super::Ledger;
use super::database::Millis;
use super::entry::from_json;
use super::many::{MANY, of_many, padded};
use crate::timestamp::rfc3339;

/// How many attempts without an outcome are told of.
const MAX_WITHOUT_OUTCOME: usize = 100;

/// The attempt of each of these payments, and of its order the number and the beginning of those that
/// are kept and of those that are past.
const ATTEMPTS: &str = concat!(
    "WITH found AS (",
    of_many!(
        "SELECT transaction_id, order_id, begun_at FROM attempts WHERE transaction_id",
        ""
    ),
    "UNION ALL ",
    of_many!(
        "SELECT transaction_id, order_id, begun_at FROM past_attempts WHERE transaction_id",
        ""
    ),
    ") SELECT transaction_id, begun_at,
        (SELECT COUNT(*) FROM attempts WHERE attempts.order_id = found.order_id) AS kept,
        (SELECT MIN(begun_at) FROM attempts WHERE attempts.order_id = found.order_id) AS kept_from,
        (SELECT COUNT(*) FROM past_attempts WHERE past_attempts.order_id = found.order_id) AS past,
        (SELECT MIN(begun_at) FROM past_attempts WHERE past_attempts.order_id = found.order_id)
            AS past_from
    FROM found"
);

const WITHOUT_OUTCOME: &str = "
    SELECT request, stage, transaction_id, asked_at, written_at FROM attempts
    WHERE stage IN ('asking', 'cancelling') AND lease_until <= $1
    ORDER BY written_at DESC LIMIT $2";

/// The attempts to pay an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attempts {
    pub(crate) count: u32,
    pub(crate) first_at: Millis,
}

impl Ledger {
    /// The attempts to pay the orders of these payments, by transactionId.
    pub(crate) async fn attempts_of(
        &self,
        ids: &[String],
    ) -> sqlx::Result<HashMap<String, Attempts>> {
        let mut found = HashMap::new();
        for ids in ids.chunks(MANY) {
            let mut query = sqlx::query(ATTEMPTS);
            for id in padded(ids) {
                query = query.bind(id);
            }
            for row in query.fetch_all(self.pool()).await? {
                found.insert(row.try_get("transaction_id")?, attempts(&row)?);
            }
        }
        Ok(found)
    }

    /// The orders whose outcome is not known and at which nobody is at work, the newest first, and
    /// whether there are more.
    pub(crate) async fn without_outcome(&self) -> sqlx::Result<(Vec<Reconciling>, bool)> {
        let now = self.clock().await?.now;
        let limit = i64::try_from(MAX_WITHOUT_OUTCOME).unwrap_or(i64::MAX);
        let query = sqlx::query(WITHOUT_OUTCOME).bind(now).bind(limit + 1);
        let rows = query.fetch_all(self.pool()).await?;
        let orders = rows.iter().take(MAX_WITHOUT_OUTCOME).map(reconciling);
        Ok((
            orders.collect::<sqlx::Result<_>>()?,
            rows.len() > MAX_WITHOUT_OUTCOME,
        ))
    }
}

fn attempts(row: &AnyRow) -> sqlx::Result<Attempts> {
    // Without a signed order, the attempt is counted with no other.
    let count = row.try_get::<i64, _>("kept")? + row.try_get::<i64, _>("past")?;
    let begun_at: Millis = row.try_get("begun_at")?;
    let begun: [Option<Millis>; 2] = [row.try_get("kept_from")?, row.try_get("past_from")?];
    Ok(Attempts {
        count: u32::try_from(count.max(1)).unwrap_or(u32::MAX),
        first_at: begun.into_iter().flatten().fold(begun_at, Millis::min),
    })
}

fn reconciling(row: &AnyRow) -> sqlx::Result<Reconciling> {
    let request: CreatePayment = from_json(row.try_get("request")?)?;
    let cancelling = row.try_get::<&str, _>("stage")? == "cancelling";
    let (since, reason) = if cancelling {
        ("written_at", Reason::CancelUnanswered)
    } else {
        ("asked_at", Reason::CreateUnanswered)
    };
    Ok(Reconciling {
        invoice_number: request.invoice_number,
        token: request.token.to_string(),
        payment_token: request.payment_token.to_string(),
        quantity: request.quantity,
        transaction_id: row.try_get("transaction_id")?,
        since: rfc3339(row.try_get(since)?),
        reason,
    })
}
