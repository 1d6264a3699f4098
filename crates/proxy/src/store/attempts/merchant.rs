//! What the merchant can see of attempts: how many an order had, and which are unresolved.

use std::collections::HashMap;

use tender_protocol::ledger::{Reason, Reconciling};
use tender_protocol::{CreatePayment, Record};

use super::AttemptStore;
use super::stored_attempt::from_json;
use crate::store::database::{LIST_LEN, Millis, Result, Row, in_list, padded};
use crate::store::timestamp::rfc3339;

/// How many unresolved attempts are returned at most.
const MAX_UNRESOLVED: usize = 100;

/// For each of these payments: when its attempt began, and the number and earliest start of all
/// attempts of its order, current and pruned.
const ATTEMPTS: &str = concat!(
    "WITH found AS (",
    in_list!(
        "SELECT transaction_id, order_id, begun_at FROM attempts WHERE transaction_id",
        ""
    ),
    "UNION ALL ",
    in_list!(
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

const UNRESOLVED: &str = "
    SELECT request, stage, transaction_id, record, asked_at, written_at FROM attempts
    WHERE stage IN ('asking', 'cancelling', 'contradictory') AND lease_until <= $1
    UNION ALL
    SELECT request, 'surplus', transaction_id, record, found_at, found_at FROM surplus_payments
    ORDER BY written_at DESC LIMIT $2";

/// The attempts to pay one order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Attempts {
    pub(crate) count: u32,
    pub(crate) first_at: Millis,
}

impl AttemptStore {
    /// Returns the attempts for the orders of these payments, keyed by transactionId.
    pub(crate) async fn attempts_of(&self, ids: &[String]) -> Result<HashMap<String, Attempts>> {
        let ids = ids.to_vec();
        let found = self.database.read(move |session| {
            Box::pin(async move {
                let mut found = HashMap::new();
                for ids in ids.chunks(LIST_LEN) {
                    found.extend(session.rows(ATTEMPTS, &padded(ids), attempts).await?);
                }
                Ok(found)
            })
        });
        found.await
    }

    /// Returns the attempts whose outcome is unknown and whose lease has expired, and the surplus
    /// payments, newest first, and whether there are more.
    pub(crate) async fn unresolved(&self) -> Result<(Vec<Reconciling>, bool)> {
        let limit = i64::try_from(MAX_UNRESOLVED).unwrap_or(i64::MAX);
        let orders = self.database.read(move |session| {
            Box::pin(async move {
                let now = session.clock().await?.now;
                let values = [now.into(), (limit + 1).into()];
                session.rows(UNRESOLVED, &values, reconciling).await
            })
        });
        let mut orders: Vec<_> = orders.await?;
        let more = orders.len() > MAX_UNRESOLVED;
        orders.truncate(MAX_UNRESOLVED);
        Ok((orders, more))
    }
}

fn attempts(row: &Row<'_>) -> Result<(String, Attempts)> {
    // Without a signed order, each attempt is counted separately.
    let count = row.integer("kept")? + row.integer("past")?;
    let begun_at = row.integer("begun_at")?;
    let begun = [
        row.optional_integer("kept_from")?,
        row.optional_integer("past_from")?,
    ];
    let attempts = Attempts {
        count: u32::try_from(count.max(1)).unwrap_or(u32::MAX),
        first_at: begun.into_iter().flatten().fold(begun_at, Millis::min),
    };
    Ok((row.text("transaction_id")?, attempts))
}

fn reconciling(row: &Row<'_>) -> Result<Reconciling> {
    let request: CreatePayment = from_json(&row.text("request")?)?;
    let mut transaction_id = row.optional_text("transaction_id")?;
    let (since, reason) = match &*row.text("stage")? {
        "cancelling" => ("written_at", Reason::CancelUnanswered),
        "contradictory" => {
            let record: Record = from_json(&row.text("record")?)?;
            transaction_id = record.string("transactionId");
            ("asked_at", Reason::CreateContradictory)
        }
        "surplus" => ("written_at", Reason::LateDuplicate),
        _ => ("asked_at", Reason::CreateUnanswered),
    };
    Ok(Reconciling {
        invoice_number: request.invoice_number,
        token: request.token.to_string(),
        payment_token: request.payment_token.to_string(),
        quantity: request.quantity,
        transaction_id,
        since: rfc3339(row.integer(since)?),
        reason,
    })
}
