//! Settles a late duplicate by hand.

use super::StartError;
use super::existing_database::existing_database;
use crate::clock::timestamp::rfc3339;
use crate::config::Config;
use crate::store::outbox::Outbox;
use crate::store::surplus::SurplusStore;

/// Removes a late duplicate from the ledger, whatever its status, and describes it in one line; `None`
/// if it is not known. Nothing is sent to the payment service. The proxy may be running.
///
/// # Errors
/// [`StartError::Database`].
pub async fn settle_late_duplicate(
    config: &Config,
    transaction_id: &str,
) -> Result<Option<String>, StartError> {
    let payments = SurplusStore {
        database: existing_database(config).await?,
        outbox: Outbox::new(config),
    };
    let removed = payments.take(transaction_id).await;
    let removed = removed.map_err(|error| StartError::database(config, &error))?;
    Ok(removed.map(|(request, found_at)| {
        // Without a signed order, the buyer's page chooses the texts, so they are escaped.
        let invoice = request.invoice_number.escape_debug();
        let (token, payment_token) = (request.token, request.payment_token);
        let (quantity, transaction_id) = (request.quantity, transaction_id.escape_debug());
        let since = rfc3339(found_at);
        format!(
            "invoice {invoice}, {quantity} {token} paid in {payment_token}, transactionId \
             {transaction_id}, created late at {since}"
        )
    }))
}
