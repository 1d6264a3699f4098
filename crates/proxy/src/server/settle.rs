//! Settles a late duplicate by hand.

use tender_ledger::{Evidence, Goal, Stage};

use super::{StartError, existing_database};
use crate::config::Config;
use crate::store::attempts::{Begun, News, StoredAttempt};
use crate::store::database::Error;

/// Removes a late duplicate from the ledger, whatever its status, and describes it in one line; `None`
/// if it is not known. Nothing is sent to the payment service. The proxy may be running.
///
/// # Errors
/// The database can't be opened or read.
pub async fn settle_late_duplicate(
    config: &Config,
    transaction_id: &str,
) -> Result<Option<String>, StartError> {
    let store = existing_database(config).await?;
    let failed = |error| StartError::database(config, error);
    let late = store
        .attempt_of_payment(transaction_id)
        .await
        .map_err(failed)?;
    let is_due = |late: &StoredAttempt| {
        late.duplicate_of.is_some() && !matches!(late.stage, Stage::Ended(_))
    };
    if !late.as_ref().is_some_and(is_due) {
        return Ok(None);
    }
    let begun = store.begin_for_payment(transaction_id, Goal::Release);
    let Some(Begun::Held(mut held, goal)) = begun.await.map_err(failed)? else {
        return Ok(None);
    };
    let resumed = News::of(Evidence::Resumed);
    match store.decide(&mut held, &goal, &resumed).await {
        Ok(_) => Ok(Some(describe(&held.attempt, transaction_id))),
        Err(Error::LeaseLost) => Ok(None),
        Err(error) => Err(failed(error)),
    }
}

fn describe(late: &StoredAttempt, transaction_id: &str) -> String {
    let transaction_id = transaction_id.escape_debug();
    let since = late.since();
    let Some(request) = &late.request else {
        return format!("transactionId {transaction_id}, created late at {since}");
    };
    // Without a signed order, the buyer's page chooses the texts, so they are escaped.
    let invoice = request.invoice_number.escape_debug();
    let (token, payment_token) = (&request.token, &request.payment_token);
    let quantity = &request.quantity;
    format!(
        "invoice {invoice}, {quantity} {token} paid in {payment_token}, transactionId \
         {transaction_id}, created late at {since}"
    )
}
