//! The webhook inbox.
//!
//! The service notifies the webhook of new payments and states the invoice number. Nothing else
//! about the payload is documented, so nothing in it is trusted: it only triggers a poll of the
//! service's list.

use std::time::Duration;

use aws_lc_rs::digest::{SHA256, digest};
use tender_protocol::Record;

use super::statements;
use crate::store::Store;
use crate::store::database::{Result, query};

/// The same body within this time is a duplicate.
const REPLAY_WINDOW: Duration = Duration::from_mins(10);

/// How many characters of an invoice number are stored.
const MAX_INVOICE_NUMBER: usize = 255;

impl Store {
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

/// The string `invoiceNumber` of a JSON object.
pub(crate) fn invoice_number(body: &[u8]) -> Option<String> {
    let record = Record::parse(std::str::from_utf8(body).ok()?, "a notification").ok()?;
    let text = record.string("invoiceNumber")?;
    Some(truncated(&text))
}

/// The part of an invoice number that is stored, without NUL characters.
pub(crate) fn truncated(invoice_number: &str) -> String {
    let characters = invoice_number
        .chars()
        .filter(|&character| character != '\0');
    characters.take(MAX_INVOICE_NUMBER).collect()
}
